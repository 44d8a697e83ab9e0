package httpserver

import (
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
)

// Engine is all that this package needs of the rest of the program. The contract of each method stands at *engine.Engine.
//
// Every method returns a *commerce.Refusal for a client's fault, engine.ErrUnavailable if nothing
// was done (503), and engine.ErrUnknownOutcome if a write may have happened (504). Any other error
// is a fault of the server: it is answered 500 and logged.
type Engine interface {
	// The head of a request.
	BodyStore(*engine.Request) (uuid.UUID, error)
	Count(*engine.Request) error
	Admit(*engine.Request) error

	// Carts.
	CreateCart(*engine.Request) (engine.Reply, error)
	CopyCart(r *engine.Request, id uuid.UUID) (engine.Reply, []commerce.LeftOut, error)
	CopyOrder(r *engine.Request, order string, id uuid.UUID) (engine.Reply, []commerce.LeftOut, error)
	CopyOrderByToken(r *engine.Request, token string, id uuid.UUID) (engine.Reply, []commerce.LeftOut, error)
	ReadCart(*engine.Request) (engine.Reply, error)
	EachAccountCart(*engine.Request, *engine.CartQuery) (int, error)
	WatchCart(r *engine.Request, changed func()) (*engine.Watch, engine.Reply, error)
	KnownSize(*engine.Request) int
	ChangeCart(*engine.Request) (engine.Reply, error)
	AttachCode(*engine.Request) (engine.Reply, error)
	JudgeBasket(*engine.Request, *commerce.Basket) (engine.Budget, error)
	ClaimCart(*engine.Request) (engine.Reply, error)
	KeepCheckout(*engine.Request) (engine.Reply, error)
	Checkout(*engine.Request) (engine.Reply, error)
	OrderOf(*engine.Request, *commerce.Cart) (uuid.UUID, error)

	// Quotes.
	RequestQuote(*engine.Request) (engine.Reply, error)
	ReadQuote(*engine.Request) (*engine.Record[*commerce.Quote], error)
	ReadOwnQuote(r *engine.Request, id string) (*engine.Record[*commerce.Quote], error)
	ReadQuotes(*engine.Request, *engine.QuoteQuery) (engine.QuotePage, error)
	AnswerQuote(*engine.Request) (engine.Reply, error)
	MakeQuote(*engine.Request, *commerce.WriteQuote) (quote *engine.Record[*commerce.Quote], replayed bool, err error)
	ChangeQuote(*engine.Request) (engine.Reply, error)
	ReadStoreQuote(*engine.Request) (*engine.Record[*commerce.Quote], error)
	ReadStoreQuotes(*engine.Request, *engine.StoreQuoteQuery) (engine.StoreQuotePage, error)
	DraftSums(*engine.Request, *commerce.Quote) (*commerce.DraftSums, error)

	// Orders.
	ReadOrder(r *engine.Request, id string) (*engine.Record[*commerce.Order], error)
	ReadOrderByToken(r *engine.Request, token string) (*engine.Record[*commerce.Order], error)
	ReadOrders(*engine.Request, *engine.OrderQuery) (engine.OrderPage, error)
	ReadStoreOrder(*engine.Request) (*engine.Record[*commerce.Order], error)
	ReadStoreOrders(*engine.Request, *engine.NumberQuery) (engine.NumberPage, error)
	ChangeOrder(*engine.Request) (engine.Reply, error)
	ChangeOrderByToken(r *engine.Request, token string, identify func()) (engine.Reply, error)

	// Customers.
	ReadContact(*engine.Request) (engine.Reply, error)
	ChangeContact(*engine.Request) (engine.Reply, error)

	// Catalogue and codes.
	ChangeCatalogue(*engine.Request) (engine.CatalogueChanged, *engine.Facts, error)
	GiveCodes(*engine.Request, *commerce.CodeRequest) (engine.GivenCodes, error)

	// Accounts.
	Register(*engine.Request, *engine.Registration) (engine.SignedIn, error)
	Login(*engine.Request, *engine.Credentials) (engine.SignedIn, engine.Budget, error)
	Logout(*engine.Request) error
	ForgotPassword(r *engine.Request, email string) error
	ResetPassword(*engine.Request, *engine.PasswordReset) error
	ChangePassword(*engine.Request, *engine.PasswordChange) error
	PutAccount(*engine.Request, *commerce.ExternalAccount) (account *commerce.Contact, made bool, err error)
	IssueToken(r *engine.Request, id string, lifetime time.Duration) (engine.SignedIn, error)
	EndTokens(r *engine.Request, id string) error

	// Stock.
	StockLevels(store *commerce.Store, cart uuid.UUID, items []uuid.UUID, deadline time.Time) ([]commerce.StockLevel, error)
	CartLevels(store *commerce.Store, cart uuid.UUID, items []uuid.UUID, deadline time.Time) (commerce.StockLevels, error)
	HoldingCart(r *engine.Request, cart uuid.UUID) (uuid.UUID, error)
	AdjustStock(*engine.Request, *commerce.StockAdjustment) (engine.StockAdjusted, error)

	// The merchant's reads.
	ReadStoreStatus(*engine.Request) (engine.StoreStatus, error)
	CloseStore(r *engine.Request, message string) (engine.StoreStatus, error)
	OpenStore(*engine.Request) (engine.StoreStatus, error)
	ReadDocumentEntries(*engine.Request, *engine.EntryQuery) (engine.EntryPage, error)
	ReadDocumentEntry(r *engine.Request, list, key string) (storefile.ListedEntry, error)
	FindContacts(*engine.Request, *engine.ContactQuery) (engine.ContactPage, error)
	ReadStoreContact(r *engine.Request, id string) (*engine.Record[*commerce.Contact], error)
	ChangeStoreContact(*engine.Request) (engine.Reply, error)
	ReadLevels(*engine.Request, *engine.LevelQuery) (engine.LevelPage, error)
	ReadDiscountUses(r *engine.Request, id, code string, customer uuid.UUID) (engine.DiscountUses, error)
	ReadWebhooks(*engine.Request) ([]engine.WebhookQueue, error)
	ReadSummary(r *engine.Request, days int) (engine.Summary, error)
	ReadHistory(r *engine.Request, after string) (engine.HistoryPage, error)
	EachCustomerCart(r *engine.Request, customer uuid.UUID, q *engine.CartQuery) (int, error)
	FindCarts(r *engine.Request, short, after string, each func(*commerce.Cart) error) (next string, err error)
	ReadStoreCart(*engine.Request) (engine.CartRecord, error)

	// The node.
	Unready() engine.Unavailable
	SilentServers() []string
}

var _ Engine = (*engine.Engine)(nil)
