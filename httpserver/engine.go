package httpserver

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
)

// Engine is all that this package needs of the rest of the program. *engine.Engine implements it.
//
// Every method returns a *commerce.Refusal for a client's fault, engine.ErrUnavailable if nothing
// was done (503), and engine.ErrUnknownOutcome if a write may have happened (504). Any other error
// is a fault of the server: it is answered 500 and logged.
type Engine interface {
	// BodyStore returns the id of the store of Request.KeyHash; zero if the key resolves to none, or may
	// not use the route.
	BodyStore(*engine.Request) (uuid.UUID, error)
	// Count counts a request that is answered without being judged.
	Count(*engine.Request) error
	// Admit counts the request, gathers its facts, and judges everything that needs no record.
	Admit(*engine.Request) error
	// CreateCart makes the cart Request.CartID. Spec: POST create cart.
	CreateCart(*engine.Request) (engine.Reply, error)
	// CopyCart makes the cart id with the lines of the cart in the path, CopyOrder with those of one of
	// the visitor's orders. Both return the lines that it lacks.
	CopyCart(r *engine.Request, id uuid.UUID) (engine.Reply, []commerce.LeftOut, error)
	CopyOrder(r *engine.Request, order string, id uuid.UUID) (engine.Reply, []commerce.LeftOut, error)
	// CopyOrderByToken is CopyOrder for the order of a token.
	CopyOrderByToken(r *engine.Request, token string, id uuid.UUID) (engine.Reply, []commerce.LeftOut, error)
	// ReadCart returns a cart in any status; it keeps no part of the request.
	// Spec: Status effects 2.
	ReadCart(*engine.Request) (engine.Reply, error)
	// EachAccountCart calls CartQuery.Each for the account's active carts on a page, and returns their
	// number.
	EachAccountCart(*engine.Request, *engine.CartQuery) (int, error)
	// WatchCart is ReadCart, and calls changed after each change of the cart until Watch.Close. The
	// watch is nil if the cart is not active. Errors also: engine.WatchesFull.
	WatchCart(r *engine.Request, changed func()) (*engine.Watch, engine.Reply, error)
	// KnownSize is the length of the cart or the order that the request changes, in bytes; 0 if it is not
	// known without a trip.
	KnownSize(*engine.Request) int
	// ChangeCart applies Request.Command.
	ChangeCart(*engine.Request) (engine.Reply, error)
	// AttachCode is ChangeCart for a commerce.AttachCode. Reply.Nested is the budget of unknown
	// codes; it is valid with an error too, and zero if the request did not use it.
	AttachCode(*engine.Request) (engine.Reply, error)
	// JudgeBasket judges the price of a basket ahead of its making, and counts its unknown codes. It returns
	// the budget of codes as AttachCode does, and sets Request.Budget.
	JudgeBasket(*engine.Request, *commerce.Basket) (engine.Budget, error)
	// ClaimCart binds the cart to the visitor's account and folds the account's other carts into
	// it. Reply.Report lists the outcome of their lines.
	ClaimCart(*engine.Request) (engine.Reply, error)
	// KeepCheckout is ChangeCart for a *commerce.KeepCheckout.
	KeepCheckout(*engine.Request) (engine.Reply, error)
	// Checkout is ChangeCart for a *commerce.Checkout; the reply has the order.
	Checkout(*engine.Request) (engine.Reply, error)
	// OrderOf returns the order that a cart has become, by its own checkout or by its quote; zero
	// if there is none.
	OrderOf(*engine.Request, *commerce.Cart) (uuid.UUID, error)
	// RequestQuote is ChangeCart for a *commerce.RequestQuote; the reply has the quote.
	RequestQuote(*engine.Request) (engine.Reply, error)
	// ReadQuote returns the quote of Request.QuoteToken.
	ReadQuote(*engine.Request) (*engine.Record[*commerce.Quote], error)
	// ReadOwnQuote returns one of the visitor's quotes, ReadQuotes a page of them.
	ReadOwnQuote(r *engine.Request, id string) (*engine.Record[*commerce.Quote], error)
	ReadQuotes(*engine.Request, *engine.QuoteQuery) (engine.QuotePage, error)
	// AnswerQuote applies Request.Command to the quote of Request.QuoteToken. Reply.Nested is
	// the caller's budget of answers; it is valid with an error too.
	AnswerQuote(*engine.Request) (engine.Reply, error)
	// MakeQuote makes a quote of the merchant's own, or returns the one that a repeated request has made. ChangeQuote
	// applies Request.Command to the quote Request.QuoteID, which ReadStoreQuote returns.
	MakeQuote(*engine.Request, *commerce.WriteQuote) (quote *engine.Record[*commerce.Quote], replayed bool, err error)
	ChangeQuote(*engine.Request) (engine.Reply, error)
	ReadStoreQuote(*engine.Request) (*engine.Record[*commerce.Quote], error)
	// ReadStoreQuotes returns a page of the store's quotes. Errors also: engine.ErrBefore. DraftSums are the amounts
	// of a quote's draft; nil without one.
	ReadStoreQuotes(*engine.Request, *engine.StoreQuoteQuery) (engine.StoreQuotePage, error)
	DraftSums(*engine.Request, *commerce.Quote) (*commerce.DraftSums, error)
	// ReadOrder returns one of the visitor's orders, ReadOrders a page of them.
	ReadOrder(r *engine.Request, id string) (*engine.Record[*commerce.Order], error)
	// ReadOrderByToken returns the order of a token.
	ReadOrderByToken(r *engine.Request, token string) (*engine.Record[*commerce.Order], error)
	ReadOrders(*engine.Request, *engine.OrderQuery) (engine.OrderPage, error)
	// ReadStoreOrder returns the order Request.OrderID of the store, ReadStoreOrders a page of all
	// orders by number. ChangeOrder applies Request.Command to Request.OrderID; the reply has the
	// order.
	ReadStoreOrder(*engine.Request) (*engine.Record[*commerce.Order], error)
	ReadStoreOrders(*engine.Request, *engine.NumberQuery) (engine.NumberPage, error)
	ChangeOrder(*engine.Request) (engine.Reply, error)
	// ChangeOrderByToken is ChangeOrder for the order of a token. identify sets what depends on its id.
	ChangeOrderByToken(r *engine.Request, token string, identify func()) (engine.Reply, error)
	// ReadContact returns the contact Request.ContactID.
	ReadContact(*engine.Request) (engine.Reply, error)
	// ChangeContact applies Request.Command.
	ChangeContact(*engine.Request) (engine.Reply, error)

	// ChangeCatalogue carries out Request.Command, a *engine.CatalogueChange. Errors also: *engine.EntryChanged. The facts are
	// those of the last judgement; nil if there was none.
	ChangeCatalogue(*engine.Request) (engine.CatalogueChanged, *engine.Facts, error)

	// GiveCodes gives codes of a batch.
	GiveCodes(*engine.Request, *commerce.CodeRequest) (engine.GivenCodes, error)

	// Register makes an account, Login finds one; both issue a customer token. The budget of login
	// failures is valid with an error too.
	Register(*engine.Request, *engine.Registration) (engine.SignedIn, error)
	Login(*engine.Request, *engine.Credentials) (engine.SignedIn, engine.Budget, error)
	// Logout ends the request's own token.
	Logout(*engine.Request) error
	// ForgotPassword has the same effect and takes the same time for an unknown address.
	ForgotPassword(r *engine.Request, email string) error
	ResetPassword(*engine.Request, *engine.PasswordReset) error
	ChangePassword(*engine.Request, *engine.PasswordChange) error
	// PutAccount makes or changes the account of an external id; made is true if it made one.
	PutAccount(*engine.Request, *commerce.ExternalAccount) (account *commerce.Contact, made bool, err error)
	// IssueToken makes a customer token of an account, EndTokens ends all tokens of one.
	IssueToken(r *engine.Request, id string, lifetime time.Duration) (engine.SignedIn, error)
	EndTokens(r *engine.Request, id string) error
	// StockLevels reads the stock of items, in their order, as one cart sees it: its own hold
	// counts as available. For the zero cart no hold counts as available. CartLevels finds them by item.
	StockLevels(store *commerce.Store, cart uuid.UUID, items []uuid.UUID, deadline time.Time) ([]commerce.StockLevel, error)
	CartLevels(store *commerce.Store, cart uuid.UUID, items []uuid.UUID, deadline time.Time) (commerce.StockLevels, error)
	// HoldingCart returns a cart if the visitor may read it, else the zero cart.
	HoldingCart(r *engine.Request, cart uuid.UUID) (uuid.UUID, error)
	// AdjustStock changes the stock on hand of an item.
	AdjustStock(*engine.Request, *commerce.StockAdjustment) (engine.StockAdjusted, error)
	// ReadStoreStatus returns the state of the store. CloseStore and OpenStore set the merchant's closing of it.
	ReadStoreStatus(*engine.Request) (engine.StoreStatus, error)
	CloseStore(r *engine.Request, message string) (engine.StoreStatus, error)
	OpenStore(*engine.Request) (engine.StoreStatus, error)
	// ReadDocumentEntries returns a page of a list of the store's document, ReadDocumentEntry one entry.
	ReadDocumentEntries(*engine.Request, *engine.EntryQuery) (engine.EntryPage, error)
	ReadDocumentEntry(r *engine.Request, list, key string) (storefile.ListedEntry, error)
	// FindContacts returns a page of contacts, ReadStoreContact one of them, a guest too. ChangeStoreContact applies Request.Command to the
	// account Request.ContactID.
	FindContacts(*engine.Request, *engine.ContactQuery) (engine.ContactPage, error)
	ReadStoreContact(r *engine.Request, id string) (*engine.Record[*commerce.Contact], error)
	ChangeStoreContact(*engine.Request) (engine.Reply, error)
	// ReadLevels returns a page of the stock, ReadDiscountUses how often a discount was used, ReadWebhooks the queues of webhooks,
	// ReadSummary what a merchant sees first, ReadHistory a page of the history.
	ReadLevels(*engine.Request, *engine.LevelQuery) (engine.LevelPage, error)
	ReadDiscountUses(r *engine.Request, id, code string, customer uuid.UUID) (engine.DiscountUses, error)
	ReadWebhooks(*engine.Request) ([]engine.WebhookQueue, error)
	ReadSummary(r *engine.Request, days int) (engine.Summary, error)
	ReadHistory(r *engine.Request, after string) (engine.HistoryPage, error)
	// EachCustomerCart is EachAccountCart for any account, FindCarts finds carts by the beginning of their ids. ReadStoreCart returns any cart,
	// and makes its customer the visitor.
	EachCustomerCart(r *engine.Request, customer uuid.UUID, q *engine.CartQuery) (int, error)
	FindCarts(r *engine.Request, short, after string, each func(*commerce.Cart) error) (next string, err error)
	ReadStoreCart(*engine.Request) (engine.CartRecord, error)
	// Unready returns the reason why Redis cannot serve requests, or "".
	Unready() engine.Unavailable
	// SilentServers lists, by address, the servers of a Redis Cluster that do not answer.
	SilentServers() []string
}
