package commerce

import (
	"strings"

	"github.com/google/uuid"
)

// Kind is the class of a refusal. The HTTP layer gives each one a status.
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
	Closed                   // 503
)

// Refusal is the answer to a request that cartd does not carry out because of the client. Refusals
// are shared and never changed.
type Refusal struct {
	Kind    Kind
	Message string
	Code    string       // machine-readable; may be empty
	Fields  []FieldError // the errors object, in order; nil if there is none
	// Limit is the limit of a cart that is reached: one field with one message, whose parameter is the maximum. It
	// has no message in a row of the table, and is nil in all other refusals.
	Limit []FieldError
	// About is the message's row in FieldMessages, for a refusal that may stand in errors; else nil.
	About *MessageRow
	// When is the reason in one sentence, Then the client's next step. Both are documentation only.
	When, Then string
	// Reasons are the reasons for a quote, CurrentTotal is the order's total, DiscountCodes are the cart's
	// codes with their reasons, OutOfStock the items with too little stock. A nil field is not in the body.
	Reasons      []string
	CurrentTotal *Amount
	// CurrentVersion is the version of a quote that is on offer; 0 if it is not in the body.
	CurrentVersion int
	// LeftAmount is the greatest amount of a refund; nil if it is not in the body.
	LeftAmount    *Amount
	DiscountCodes []CodeResult
	OutOfStock    []StockShort
	// OrderID is the order made from a quote; zero if it is not in the body.
	OrderID uuid.UUID
	// BareError is true if the body's only key is "error". Spec: Errors, module disabled.
	BareError bool
}

// FieldError is one entry of the errors object.
type FieldError struct {
	Field    string
	Messages []Message
}

// Texts are the messages in words.
func (e FieldError) Texts() []string {
	texts := make([]string, len(e.Messages))
	for i, m := range e.Messages {
		texts[i] = m.Text()
	}
	return texts
}

// Error makes a Refusal an error, so that handlers can return it.
func (r *Refusal) Error() string { return r.Message }

// Every refusal text of the specification and of its companion pages is here, once. Validation
// messages, which name a field, are in validation.go.
var (
	// Spec: Errors.
	Unauthenticated = row(Unauthorized, "Unauthenticated.").
			when("The API key is missing, unknown or revoked, or the scheme is not Bearer. On a claim also: X-Customer-Token is missing or does not resolve.",
			"Send `Authorization: Bearer KEY` with a key of the store. After a claim with a good key, have the customer log in again.")
	InvalidCustomerToken = row(Unauthorized, "Invalid customer token.").
				when("X-Customer-Token is missing where it is needed, or has ended.", "Have the customer log in again.")
	TenantSuspended = row(Forbidden, "Tenant suspended.").code("tenant_suspended").
			when("The store is suspended.", "Ask the operator of the platform.")
	StoreClosed = row(Closed, "This store takes no orders at the moment.").code("store_closed").
			when("The operator has closed the store for orders: carts cannot be changed or sold. The message may be the operator's own text.",
			"Show the message. The catalogue, carts and orders can be read. Repeat after Retry-After.")
	InvalidAbility = row(Forbidden, "Invalid ability provided.").
			when("The API key has none of the scopes that the route needs.", "Use a key with one of the scopes that the route names.")
	CartOwned = row(Forbidden, "This cart belongs to a customer.").
			when("The cart belongs to a customer, and the request carries no token of that customer.", "Send the owner's X-Customer-Token, or begin another cart.")
	TooManyAttempts = row(TooMany, "Too Many Attempts.").
			when("The store's request limit is used up, or a limit on logins, unknown discount codes or answers to quotes.",
			"Wait as long as Retry-After says, then repeat.")

	// Requests that cannot be read.
	InvalidJSON = row(BadRequest, "The request body is not valid JSON.").
			when("The body is not JSON, or neither an object nor empty.", "Repair the body.")
	BodyTooLarge = row(Oversized, "The request body is too large.").
			when("The body is larger than the route takes: 64 KiB, of a batch and of a basket 512 KiB, of a quote's accept 3 MiB.", "Send less; split a batch.")

	// docs/api/retries.md.
	IdempotencyKeyInvalid = row(BadRequest, "The idempotency key is not valid.").
				when("The Idempotency-Key is too short or too long, has characters outside printable ASCII, or is sent twice.",
			"Send one key of 1 to 255 characters, for a new cart of at least 16; a random UUID is good.")
	IdempotencyKeyReused = row(Invalid, "The idempotency key was used for another request.").code("idempotency_key_reused").
				when("The key was used for a request with another method, path or body.", "Make a new key for each new request; repeat a request as it was.")
	CartChanged = row(Stale, "The cart has changed.").code("version_mismatch").
			when("The cart no longer has the version that If-Match names.", "Read the cart, or take the ETag of this answer, and decide again.")
	ContactChanged = row(Stale, "The contact has changed.").code("version_mismatch").
			when("The contact no longer has the version that If-Match names.", "Read the contact, or take the ETag of this answer, and decide again.")
	AddressBookChanged = row(Stale, "The address book has changed.").code("version_mismatch").
				when("The contact no longer has the version that If-Match names.", "Read the addresses, or take the ETag of this answer, and decide again.")

	// Contacts.
	AddressBookFull = row(Invalid, "The address book is full.").field("address", "address_book_full").
			when("The contact has 250 addresses.", "Delete an address first.")
	CredentialsRefused = row(Invalid, "These credentials do not match our records.").field("email", "credentials_refused").
				when("E-mail and password do not belong together.", "Let the customer correct them, or reset the password.")
	EmailTaken = row(Invalid, "The email has already been taken.").field("email", "email_taken").
			when("Another account of the store has the address.", "Offer login or a password reset.")
	PasswordIncorrect = row(Invalid, "The password is incorrect.").field("current_password", "password_incorrect").
				when("The current password is another one.", "Let the customer correct it.")
	ResetTokenInvalid = row(Invalid, "This password reset token is invalid.").field("token", "reset_token_invalid").
				when("The token of the reset is unknown, used or has ended, or belongs to another address.", "Ask for a new link with forgot-password.")

	// Stock.
	StockUntracked = row(Invalid, "This product does not track stock.").field("product_id", "stock_untracked").
			when("The product or variant has no stock that is counted.", "Adjust only products with track_stock true.")
	StockBelowZero = row(Invalid, "Stock on hand cannot go below zero.").field("quantity", "stock_below_zero").
			when("The adjustment would leave less than nothing on hand.", "Read the stock and correct the quantity.")
	StockAboveMaximum = row(Invalid, "Stock on hand cannot go above 9000000000.").field("quantity", "stock_above_maximum").
				when("The adjustment would leave more on hand than can be stored.", "Correct the quantity.")

	// Spec: POST line errors, PATCH line errors.
	ProductUnavailable = row(Invalid, "Product is not available.").field("product_id", "product_unavailable").
				when("The product is unknown or not active.", "Take the product off the page.")
	NotPurchasable = row(Invalid, "Product is not available.").field("product_id", "product_unavailable").code("NOT_PURCHASABLE").
			when("The product has no price at this quantity in the visitor's context.", "Show the product without a buy button, or ask for another quantity.")
	CapabilityInactive = row(Invalid, "Product is not available.").field("product_id", "product_unavailable").code("CAPABILITY_INACTIVE").
				when("The module that sells such products is switched off.", "Show the product without a buy button.")
	ChooseVariant = row(Invalid, "Choose a variant for this product.").field("variant_id", "choose_variant").code("INVALID_CONFIGURATION").
			when("The product has variants, and none was chosen.", "Let the visitor choose a variant, and send variant_id.")
	VariantUnavailable = row(Invalid, "Variant is not available.").field("variant_id", "variant_unavailable").code("INVALID_CONFIGURATION").
				when("The variant is no active variant of the product.", "Offer the active variants.")
	NoVariants = row(Invalid, "This product has no variants.").field("variant_id", "no_variants").code("INVALID_CONFIGURATION").
			when("variant_id was sent for a product without variants.", "Leave variant_id out.")
	ConfigurableHasNoVariants = row(Invalid, "Configurable products have no variants.").field("variant_id",
		"configurable_has_no_variants").code("INVALID_CONFIGURATION").
		when("variant_id was sent for a product made to measure.", "Leave variant_id out, and send configuration.")
	ConfigurationMissing = row(Invalid, "Configure this product before adding it.").field("configuration", "configuration_missing").code("INVALID_CONFIGURATION").
				when("The product is made to measure, and no configuration was sent.", "Send configuration, as the configurator's schema describes it.")
	NotConfigurable = row(Invalid, "This product is not configurable.").field("configuration", "not_configurable").code("INVALID_CONFIGURATION").
			when("configuration was sent for a standard product.", "Leave configuration out.")
	NoConfiguredPrice = row(Invalid, "No price is available for this configuration.").field("configuration", "no_configured_price").code("INVALID_CONFIGURATION").
				when("No price matrix fits the dimensions and choices.", "Offer other dimensions; the schema names the limits.")
	ConfigurationInvalid = row(Invalid, "The configuration is invalid.").field("configuration", "configuration_invalid").code("INVALID_CONFIGURATION").
				when("dimensions is no map, or choices is no list of texts.", "Repair the request.")
	TakesNoProperties = row(Invalid, "This product takes none.").field(propertiesField, "no_properties").code("INVALID_PROPERTIES").
				when("properties were sent for a product without text fields.", "Leave properties out. A fault in a text has the same code.")
	LineExists = row(Invalid, "The cart has this line already.").field(propertiesField, "line_exists").
			when("With the new properties the line would equal another line of the cart.", "Raise the quantity of the other line, and remove this one.")
	QuantityNotWhole = row(Invalid, "The quantity must be a whole number.").field("quantity", "quantity_not_whole").
				when("The product is sold by the piece, and the quantity is a fraction.", "Send a whole number.")
	QuantityAboveMaximum = row(Invalid, "Quantity exceeds the per-line maximum.").limit("quantity", "quantity_above_maximum").code("cart_constraint").
				when("The line would hold more than policy.max_quantity_per_line, or a simultaneous add finds no smaller quantity that the product's pack "+
			"permits.", "Offer at most what is left to the maximum.")
	LineLimitReached = row(Invalid, "Cart line limit reached.").limit("lines", "line_limit_reached").code("cart_constraint").
				when("The cart would have more lines than policy.max_lines.", "Remove a line, or begin another cart.")
	TotalLimitReached = row(Invalid, "Cart total limit reached.").limit("cart", "total_limit_reached").code("cart_constraint").
				when("The line totals would come to more than 9007199254740991.", "Send a smaller quantity.")

	CodeLimitReached = row(Invalid, "Discount code limit reached.").limit("code", "code_limit_reached").code("cart_constraint").
				when("The cart has as many codes as the store allows, and each of them is known and runs.", "Offer to take a code off.")

	// Checkout.
	LoginRequired = row(Invalid, "Log in to check out.").code("login_required").
			when("The store sells to customers only, and the request has no token.", "Have the customer log in.")
	GuestsOnly = row(Invalid, "This store takes guest orders only.").code("guest_only").
			when("The store sells to guests only, and the request has a token or the cart belongs to an account.", "Check out a guest's cart without a token.")
	ApprovalRequired = row(Invalid, "This account is awaiting approval.").code("b2b_approval_required").
				when("The business account is not approved yet.", "Tell the customer to wait for the store.")
	ConsumersOnly = row(Invalid, "This store serves consumers only.").code("b2c_only").
			when("A business customer in a store for consumers.", "Tell the customer.")
	BusinessesOnly = row(Invalid, "This store serves businesses only.").code("b2b_only").
			when("A consumer in a store for businesses.", "Tell the customer.")
	MinOrderNotReached = row(Invalid, "The minimum order value is not reached.").code("min_order_value").
				when("The cart's total is below policy.min_order_value_amount.", "Show how much is missing.")
	QuoteRequired = row(Conflict, "This cart requires a quote.").code("QUOTE_REQUIRED").
			when("The cart has a quote trigger; `reasons` names which.", "Offer a quote request.")
	TotalChanged = row(Conflict, "The cart has changed.").code("CART_CHANGED").
			when("The total is not `expected_total_amount`; `current_total` says what the order would come to, `out_of_stock` what is short besides.",
			"Show the new total, and what is short, and ask again.")
	OutOfStock = row(Conflict, "Insufficient stock.").code("OUT_OF_STOCK").
			when("Less is free than the cart asks for; `out_of_stock` lists every item.", "Lower the quantities, or take the lines out.")

	// docs/api/orders.md.
	OrderChanged = row(Stale, "The order has changed.").code("version_mismatch").
			when("The order no longer has the version that If-Match names.", "Read the order, or take the ETag of this answer, and decide again.")
	// docs/api/catalogue-changes.md.
	EntryChanged = row(Stale, "The entry has changed.").code("version_mismatch").
			when("The entry no longer has the ETag that If-Match names.", "Export the document, or take the ETag of this answer, and decide again.")
	OrderIsCancelled = row(Conflict, "This order has been cancelled.").code("ORDER_CANCELLED").
				when("The order was cancelled, or ended unpaid.", "Of a payment that came too late: return the money.")
	AlreadyPaid = row(Conflict, "This order has already been paid.").code("ALREADY_PAID").
			when("Another payment is recorded.", "Compare the references. Of a second payment: return the money.")
	NotCancellable = row(Conflict, "This order cannot be cancelled.").code("NOT_CANCELLABLE").
			when("A shopper cancels an order that waits for no payment.", "Ask the merchant to cancel it.")
	AmountDiffers = row(Conflict, "The amount is not the order's total.").code("AMOUNT_DIFFERS").
			when("`amount` is not the order's total, which `current_total` says.", "Record only a payment of the whole total.")
	OrderIsShipped = row(Conflict, "This order has been shipped.").code("ORDER_SHIPPED").
			when("An order of which something has left cannot be cancelled as a whole.", "Cancel the lines that have not left; record a return of the others.")
	OrderIsCompleted = row(Conflict, "This order has been completed.").code("ORDER_COMPLETED").
				when("A completed order cannot be cancelled.", "Record a return, and refund.")
	OrderIsArchived = row(Conflict, "This order has been archived.").code("ORDER_ARCHIVED").
			when("The lines and addresses of the order are no longer here: `cartd orders --archive-before`.", "Take them from the archive.")
	NotPaid = row(Conflict, "This order has not been paid.").code("NOT_PAID").
		when("Only a recorded payment can be refunded.", "Record the payment first.")
	PaymentDue = row(Conflict, "The payment of this order is due.").code("PAYMENT_DUE").
			when("An order whose payment is due is neither shipped nor completed.", "Wait for the payment, and record it.")
	OrderIsRefunded = row(Conflict, "This order has been refunded.").code("REFUNDED").
			when("An order whose whole total is refunded is not shipped.", "Do not ship it.")
	NotShipped = row(Conflict, "This order has not been shipped.").code("NOT_SHIPPED").
			when("The order has a shipping method and no shipment, or something is left to ship.", "Record the shipment first, or cancel what is left.")
	NothingToShip = row(Conflict, "Nothing is left to ship.").code("NOTHING_TO_SHIP").
			when("All pieces that require shipping are shipped or cancelled.", "Correct the shipment by its reference, or by `shipment`.")
	RefundTooLarge = row(Conflict, "The refund is larger than what is left.").code("REFUND_TOO_LARGE").
			when("`amount` is above what the lines and the delivery come to, or above what is left of the total: `left_amount`. Also if they come to 0.",
			"Read the order, and refund at most `left_amount`.")
	PartsLimit = row(Conflict, "This order has too many parts.").code("PARTS_LIMIT").
			when("The order has 100 parts, or its parts would have more than 2,000 lines in all.", "Record the rest in a system of your own.")
	ReferenceUsed = row(Conflict, "This reference has been used.").code("REFERENCE_USED").
			when("A part of this kind has the reference, with other lines, another amount or with the delivery or without it.",
			"Of a repetition: send what was sent. Else take another reference.")

	// Quotes.
	QuotesOff = row(Missing, "Module not enabled: sales").bare().
			when("The sales module or quote requests are switched off.", "Leave quote requests out of the page.")
	AlreadyConverted = row(Conflict, "This quote has already been accepted.").code("ALREADY_CONVERTED").
				when("The quote was accepted; `order_id` names its order.", "Show the order.")
	QuoteNotOffered = row(Conflict, "This quote is not on offer.").code("QUOTE_NOT_OFFERED").
			when("The quote was declined or withdrawn, or is not offered yet.", "Ask for a new quote.")
	QuoteExpired = row(Gone, "This quote has expired.").code("QUOTE_EXPIRED").
			when("The quote's valid_until has passed.", "Ask for a new quote.")
	QuoteChanged = row(Conflict, "This quote has changed.").code("QUOTE_CHANGED").
			when("The merchant has offered another version since: `current_version`.", "Read the quote, show it, and ask again.")
	QuoteStale = row(Stale, "The quote has changed.").code("version_mismatch").
			when("The quote no longer has the version that If-Match names.", "Read the quote, or take the ETag of this answer, and decide again.")
	QuoteIsOffered = row(Conflict, "This quote has been offered.").code("QUOTE_OFFERED").
			when("The customer of a quote cannot change once it was offered.", "Write another quote.")
	QuoteIsRequested = row(Conflict, "A customer has asked for this quote.").code("QUOTE_REQUESTED").
				when("The draft of a request cannot be deleted.", "Withdraw the quote.")
	QuoteDraftMissing = row(Conflict, "There is no draft to offer.").code("QUOTE_DRAFT_MISSING").
				when("The quote is not on offer, and has no draft.", "Write one: a PATCH begins it.")
	PriceBasisChanged = row(Conflict, "The store's price basis has changed.").code("PRICE_BASIS_CHANGED").
				when("The draft's lines were written when the store's prices had the other basis.", "Write the lines again.")
	SignatureRequired = row(Invalid, "A signature is required.").code("SIGNATURE_REQUIRED").
				when("The quote's acceptance_mode is signature, and none was sent.", "Let the customer sign, and send the picture as a PNG data URL.")
	SignatureInvalid = row(Invalid, "The signature is invalid.").code("SIGNATURE_INVALID").
				when("The signature is no PNG data URL, or larger than 2 MiB.", "Send `data:image/png;base64,` and the picture.")

	// The record's size.
	CartTooLarge = row(Invalid, "The cart is too large.").limit("cart", "cart_too_large").code("cart_constraint").
			when("The cart would need more than 1 MiB, have more than 64 KiB of texts in its lines, or hold more than 1,000 stock items.",
			"Send fewer lines, shorter texts or less metadata.")
)

// The refusals whose text has a name in braces.
var (
	recordMissing = &Refusal{
		Kind: Missing, Message: "No query results for model [{model}] {id}",
		When: "The id names no such record of the store, or one that this route does not serve: an expired cart, a write to a converted cart.",
		Then: "Forget the id. Of a cart, begin another one.",
	}
	routeMissing = &Refusal{
		Kind: Missing, Message: "The route {path} could not be found.",
		When: "There is no such path. Letter case counts, and so does a double slash.", Then: "Repair the path.",
	}
	moduleDisabled = &Refusal{
		Kind: Forbidden, Message: "Module not enabled: {module}", BareError: true,
		When: "The store has the module switched off.", Then: "Leave the part of the page out that needs the module; GET /v1/api/me lists the modules.",
	}
)

// NamingRefusals lists the refusals whose text has a name in braces.
func NamingRefusals() []*Refusal { return []*Refusal{recordMissing, routeMissing, moduleDisabled} }

// naming is the refusal with names for the braces.
func (r Refusal) naming(pairs ...string) *Refusal {
	r.Message = strings.NewReplacer(pairs...).Replace(r.Message)
	return &r
}

// NotFound is the 404 of a path id without a record in the store. A UUID is shown in lower case,
// any other text as sent.
func NotFound(model, id string) *Refusal {
	if parsed, ok := ParseID(id); ok {
		id = parsed.String()
	}
	return recordMissing.naming("{model}", model, "{id}", id)
}

// QuoteNotFound is the 404 of a quote's token, which is no id: its letters stay as sent.
func QuoteNotFound(token string) *Refusal {
	return recordMissing.naming("{model}", "Quote", "{id}", token)
}

// RouteNotFound is the 404 of an unknown path. path has no leading slash.
func RouteNotFound(path string) *Refusal {
	return routeMissing.naming("{path}", path)
}

// ModuleDisabled is the refusal of a route whose module is off. The body has the single key error.
// Spec: Errors.
func ModuleDisabled(m Module) *Refusal {
	return moduleDisabled.naming("{module}", m.String())
}
