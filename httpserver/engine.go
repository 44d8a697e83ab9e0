package httpserver

import "cartd/commerce"

// Engine is what the front needs of the rest of the program.
//
// Every method answers a *commerce.Refusal for what a client did,
// commerce.ErrUnavailable where nothing was done (503), and
// commerce.ErrUnknownOutcome where a write may have happened (504). Any other
// error is a fault of the server: 500, logged.
type Engine interface {
	// Admit counts the request and gathers what the guards look at. A request
	// whose key does not resolve is counted by Ask.Client, and admitted without
	// Store and Key.
	Admit(commerce.Ask) (commerce.Admission, error)
	// CreateCart makes the cart CartRequest.Cart. Spec: POST create cart.
	CreateCart(*commerce.CartRequest) (commerce.Reply, error)
	// ReadCart returns a cart in any status. Spec: Status effects 2.
	ReadCart(*commerce.CartRequest) (commerce.Reply, error)
	// ChangeCart applies CartRequest.Command.
	ChangeCart(*commerce.CartRequest) (commerce.Reply, error)
	// Ready reports whether Redis can be reached.
	Ready() bool
}
