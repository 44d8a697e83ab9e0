package commerce

import (
	"time"

	"github.com/google/uuid"
)

// Store is one tenant as its document describes it (docs/store-document.md), without its customers,
// which are in Redis. A loaded Store is never changed: an import makes a new one.
type Store struct {
	ID        uuid.UUID
	Name      string
	Suspended bool
	// Closed is the answer to what would change or sell a cart; nil if the store takes orders.
	Closed           *Refusal
	Modules          Modules
	PricesIncludeTax bool
	// Country is the store's own; zero if it does not tax by country. Carts for ExportCountries are exempt, and those
	// for ReverseChargeCountries of accounts with reverse charge.
	Country                                 Country
	ExportCountries, ReverseChargeCountries []Country
	// RateLimit is the number of requests per RateWindow over all keys of the store.
	RateLimit int
	Limits    Limits
	Policy    Policy
	Quotes    QuoteSettings
	// StockHold is the time that a cart's hold lasts after the cart's last write.
	StockHold time.Duration
	// PaymentTime is the time for which an order may stay unpaid; 0 if nothing is said about payment.
	PaymentTime time.Duration
	Webhooks    []Webhook
	// Languages are those whose words the search knows in all their forms.
	Languages Languages

	Groups          []CustomerGroup
	TaxRates        []TaxRate
	Categories      []Category
	Products        []*Product // in the document's order
	Discounts       []Discount // in the document's order
	ShippingMethods []ShippingMethod
	Redirects       []Redirect

	// Secret derives the ids and tokens that are not stored (guest customers, quotes). It is made once
	// for a store and never leaves the server.
	Secret [32]byte

	storeIndex
}

// Module is one switchable part of a store. Spec: What the service does.
type Module uint8

const (
	ModuleCatalog Module = iota
	ModuleCommerce
	ModuleConfigurator
	ModuleSales
	ModuleStock
	ModuleObjects
	ModuleCustomers
	moduleCount
)

var moduleKeys = [moduleCount]string{"catalog", "commerce", "configurator", "sales", "stock", "objects", "customers"}

// String returns the module's key, as the document and the refusals spell it.
func (m Module) String() string { return moduleKeys[m] }

// ParseModule finds a module by its key.
func ParseModule(key string) (Module, bool) { return parseName[Module](moduleKeys[:], key) }

// Modules is the set of enabled modules.
type Modules = Set[Module]

// AllModules is the set of all modules.
func AllModules() Modules { return 1<<moduleCount - 1 }

// Policy is the store's cart policy. Spec: policy (evaluated live from store settings).
type Policy struct {
	IdentityMode string // guest_allowed, login_required, guest_only
	Audience     string // both, b2b_only, b2c_only
	// MinOrderValue is the minimum total for a checkout; nil if there is none.
	MinOrderValue *Amount
	MaxLines      int
	// MaxQuantityPerLine is a whole number of units.
	MaxQuantityPerLine Quantity
	Pricing            PricingDisplay
	LinePrices         LinePrices
	// MaxDiscountCodes is the number of codes that a cart can have; 0 counts as 1.
	MaxDiscountCodes int
}

// CodeLimit is the number of codes that a cart can have.
func (p *Policy) CodeLimit() int { return max(1, p.MaxDiscountCodes) }

// PricingDisplay is the way in which a storefront shows prices. Spec: policy.pricing.
type PricingDisplay struct {
	GuestPriceVisibility string // visible, hidden
	VATDisplay           string // inc, ex; B2B customers always see ex
	ShowOriginalPrice    bool
	ShowTierTable        bool
}
