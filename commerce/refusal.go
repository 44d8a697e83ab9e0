package commerce

import (
	"fmt"
	"slices"
)

// Kind is the class of a refusal; the HTTP layer gives each one status.
type Kind uint8

const (
	BadRequest   Kind = iota // 400
	Unauthorized             // 401
	Forbidden                // 403
	Missing                  // 404
	Conflict                 // 409
	Gone                     // 410
	Stale                    // 412
	Oversized                // 413
	Invalid                  // 422
	TooMany                  // 429
)

// Refusal is everything that a client did and that cartd will not do. Refusals
// are shared: nobody changes one.
type Refusal struct {
	Kind    Kind
	Message string
	Code    string       // machine-readable; empty: none
	Fields  []FieldError // the errors object, in order; nil: none
	// Reasons are why a quote is required, CurrentTotal is what the order would come to, OutOfStock
	// what is short; nil: the body has no such member.
	Reasons      []string
	CurrentTotal *Amount
	OutOfStock   []StockShort
	// BareError is true where the body's only key is "error". Spec: Errors, module disabled.
	BareError bool
}

// FieldError is one entry of the errors object.
type FieldError struct {
	Field    string
	Messages []string
}

// Error makes a Refusal an error, so that handlers can return it.
func (r *Refusal) Error() string { return r.Message }

// Every refusal text of the specification and of its companion pages stands here,
// once; validation messages, which name a field, stand in validation.go.
var (
	// Spec: Errors.
	Unauthenticated      = row(Unauthorized, "Unauthenticated.")
	InvalidCustomerToken = row(Unauthorized, "Invalid customer token.")
	TenantSuspended      = row(Forbidden, "Tenant suspended.").code("tenant_suspended")
	InvalidAbility       = row(Forbidden, "Invalid ability provided.")
	CartOwned            = row(Forbidden, "This cart belongs to a customer.")
	TooManyAttempts      = row(TooMany, "Too Many Attempts.")

	// Requests that are no requests.
	InvalidJSON  = row(BadRequest, "The request body is not valid JSON.")
	BodyTooLarge = row(Oversized, "The request body is too large.")

	// Repeated and conditional requests.
	IdempotencyKeyInvalid = row(BadRequest, "The idempotency key is not valid.")
	IdempotencyKeyReused  = row(Invalid, "The idempotency key was used for another request.").code("idempotency_key_reused")
	CartChanged           = row(Stale, "The cart has changed.").code("version_mismatch")
	AddressBookChanged    = row(Stale, "The address book has changed.").code("version_mismatch")

	// Contacts.
	AddressBookFull    = row(Invalid, "The address book is full.").field("address")
	CredentialsRefused = row(Invalid, "These credentials do not match our records.").field("email")
	EmailTaken         = row(Invalid, "The email has already been taken.").field("email")
	PasswordIncorrect  = row(Invalid, "The password is incorrect.").field("current_password")
	ResetTokenInvalid  = row(Invalid, "This password reset token is invalid.").field("token")

	// Stock.
	StockUntracked    = row(Invalid, "This product does not track stock.").field("product_id")
	StockBelowZero    = row(Invalid, "Stock on hand cannot go below zero.").field("quantity")
	StockAboveMaximum = row(Invalid, "Stock on hand cannot go above 9000000000.").field("quantity")

	// Spec: POST line errors, PATCH line errors.
	ProductUnavailable        = row(Invalid, "Product is not available.").field("product_id")
	NotPurchasable            = row(Invalid, "Product is not available.").field("product_id").code("NOT_PURCHASABLE")
	CapabilityInactive        = row(Invalid, "Product is not available.").field("product_id").code("CAPABILITY_INACTIVE")
	ChooseVariant             = row(Invalid, "Choose a variant for this product.").field("variant_id").code("INVALID_CONFIGURATION")
	VariantUnavailable        = row(Invalid, "Variant is not available.").field("variant_id").code("INVALID_CONFIGURATION")
	NoVariants                = row(Invalid, "This product has no variants.").field("variant_id").code("INVALID_CONFIGURATION")
	ConfigurableHasNoVariants = row(Invalid, "Configurable products have no variants.").field("variant_id").code("INVALID_CONFIGURATION")
	ConfigurationMissing      = row(Invalid, "Configure this product before adding it.").field("configuration").code("INVALID_CONFIGURATION")
	NotConfigurable           = row(Invalid, "This product is not configurable.").field("configuration").code("INVALID_CONFIGURATION")
	NoConfiguredPrice         = row(Invalid, "No price is available for this configuration.").field("configuration").code("INVALID_CONFIGURATION")
	ConfigurationInvalid      = row(Invalid, "The configuration is invalid.").field("configuration").code("INVALID_CONFIGURATION")
	QuantityNotWhole          = row(Invalid, "The quantity must be a whole number.").field("quantity")
	QuantityAboveMaximum      = row(Invalid, "Quantity exceeds the per-line maximum.").code("cart_constraint")
	LineLimitReached          = row(Invalid, "Cart line limit reached.").code("cart_constraint")
	TotalLimitReached         = row(Invalid, "Cart total limit reached.").code("cart_constraint")

	// Checkout.
	LoginRequired      = row(Invalid, "Log in to check out.").code("login_required")
	GuestsOnly         = row(Invalid, "This store takes guest orders only.").code("guest_only")
	ApprovalRequired   = row(Invalid, "This account is awaiting approval.").code("b2b_approval_required")
	ConsumersOnly      = row(Invalid, "This store serves consumers only.").code("b2c_only")
	BusinessesOnly     = row(Invalid, "This store serves businesses only.").code("b2b_only")
	MinOrderNotReached = row(Invalid, "The minimum order value is not reached.").code("min_order_value")
	QuoteRequired      = row(Conflict, "This cart requires a quote.").code("QUOTE_REQUIRED")
	TotalChanged       = row(Conflict, "The cart has changed.").code("CART_CHANGED")
	OutOfStock         = row(Conflict, "Insufficient stock.").code("OUT_OF_STOCK")

	// The record's size.
	CartTooLarge = row(Invalid, "The cart is too large.").code("cart_constraint")
)

// NotFound is the 404 of a path id that names no record of the store; a UUID is shown in
// lower case, anything else as it was sent.
func NotFound(model, id string) *Refusal {
	if parsed, ok := ParseID(id); ok {
		id = parsed.String()
	}
	return &Refusal{Kind: Missing, Message: fmt.Sprintf("No query results for model [%s] %s", model, id)}
}

// RouteNotFound is the 404 of a path that is no route; path has no leading slash.
func RouteNotFound(path string) *Refusal {
	return &Refusal{Kind: Missing, Message: fmt.Sprintf("The route %s could not be found.", path)}
}

// ModuleDisabled is the refusal of a route whose module is off; its body has the
// single key error. Spec: Errors.
func ModuleDisabled(m Module) *Refusal {
	return &Refusal{Kind: Forbidden, Message: "Module not enabled: " + m.String(), BareError: true}
}

// table holds every fixed row, so that a test can ask for each to be produced.
var table []*Refusal

// Refusals lists every fixed row of the table, in its order.
func Refusals() []*Refusal { return table }

func row(kind Kind, message string) *Refusal {
	r := &Refusal{Kind: kind, Message: message}
	table = append(table, r)
	return r
}

func (r *Refusal) code(code string) *Refusal { r.Code = code; return r }

// plain is the refusal without its code, for routes that only validate.
func (r *Refusal) plain() *Refusal {
	validation := *r
	validation.Code = ""
	return &validation
}

// because, atTotal and of are a row with what its body says beside the message.
func (r Refusal) because(reasons []string) *Refusal {
	r.Reasons = slices.Clone(reasons)
	return &r
}

func (r Refusal) atTotal(total Amount) *Refusal {
	r.CurrentTotal = &total
	return &r
}

func (r Refusal) of(short []StockShort) *Refusal {
	r.OutOfStock = short
	return &r
}

func (r *Refusal) field(name string) *Refusal {
	r.Fields = []FieldError{{Field: name, Messages: []string{r.Message}}}
	return r
}
