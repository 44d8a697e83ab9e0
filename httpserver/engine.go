package httpserver

import (
	"net/netip"

	"github.com/google/uuid"

	"cartd/commerce"
)

// Engine is what the front needs of the rest of the program.
//
// Every method answers a *commerce.Refusal for what a client did,
// commerce.ErrUnavailable where nothing was done (503), and
// commerce.ErrUnknownOutcome where a write may have happened (504); CreateCart and
// ChangeCart also commerce.ErrPresumed, where a presumed admission does not carry the
// answer. Any other error is a fault of the server: 500, logged.
type Engine interface {
	// Admit counts the request and gathers what the guards look at. A request
	// whose key does not resolve is counted by Ask.Client, and admitted without
	// Store and Key. Of the Ask it keeps no more than what Token and Once point to.
	Admit(*commerce.Ask, *commerce.Admission) error
	// CreateCart makes the cart CartRequest.Cart. Spec: POST create cart.
	CreateCart(*commerce.CartRequest) (commerce.Reply, error)
	// ReadCart returns a cart in any status; it keeps no part of the request.
	// Spec: Status effects 2.
	ReadCart(*commerce.CartRequest) (commerce.Reply, error)
	// ChangeCart applies CartRequest.Command.
	ChangeCart(*commerce.CartRequest) (commerce.Reply, error)
	// AttachCode applies CartRequest.Command, a commerce.AttachCode, for a caller that
	// may try only so many unknown codes. The budget is of those; it counts beside an
	// error too, and is zero where the request was none of them.
	AttachCode(r *commerce.CartRequest, caller netip.Addr) (commerce.Reply, commerce.Budget, error)
	// ReadContact returns the contact ContactRequest.Contact.
	ReadContact(*commerce.ContactRequest) (commerce.ContactReply, error)
	// ChangeContact applies ContactRequest.Command.
	ChangeContact(*commerce.ContactRequest) (commerce.ContactReply, error)

	// Register makes an account, Login finds one; both issue a customer token. The
	// budget is of login failures; it counts beside an error too.
	Register(*commerce.AccountRequest) (commerce.SignedIn, error)
	Login(*commerce.AccountRequest) (commerce.SignedIn, commerce.Budget, error)
	// Logout ends the request's own token.
	Logout(*commerce.AccountRequest) error
	// ForgotPassword does the same, and takes the same time, for an address that
	// nobody has.
	ForgotPassword(*commerce.AccountRequest) error
	ResetPassword(*commerce.AccountRequest) error
	ChangePassword(*commerce.AccountRequest) error
	// StockLevels reads the stock of items, in their order, as a cart sees it (zero:
	// nobody's).
	StockLevels(store, cart uuid.UUID, items []uuid.UUID) ([]commerce.StockLevel, error)
	// AdjustStock changes what is on hand of an item.
	AdjustStock(*commerce.StockAdjustment) (commerce.StockAdjusted, error)
	// Ready reports whether Redis can be reached and takes writes.
	Ready() bool
	// SilentServers lists, by address, the servers of a Redis Cluster that do not answer.
	SilentServers() []string
}
