package commerce

import (
	"slices"
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

// storeIndex finds the products of a store, and its discounts.
type storeIndex struct {
	productByID Shared[uuid.UUID, *Product]
	// productOfVariant finds a variant's product.
	productOfVariant Shared[uuid.UUID, *Product]
	productBySlug    Shared[string, *Product]
	discounts        discountIndex
	trackedProducts  int // the number of products whose stock is tracked
	backorders       int // the number of products with a back order, their own or a variant's
}

// Index indexes the store's products and prepares its discounts. The loader of a Store calls it once, while no
// other goroutine sees the Store.
func (s *Store) Index() { s.IndexAfter(&Store{}) }

// IndexAfter is Index for a store that follows another one, with which it has most of its products in common. Its
// work grows with the products that differ. Only if the discounts or the categories are others than the same
// slices, the ranges of the discounts are made anew, which takes a walk over the products.
func (s *Store) IndexAfter(before *Store) {
	s.storeIndex = before.storeIndex
	changes, _ := s.ProductChanges(before)
	byID, ofVariant, bySlug := s.productByID.Change(), s.productOfVariant.Change(), s.productBySlug.Change()
	added, variants := 0, 0
	for _, c := range changes {
		if c.Before == nil {
			added++
			variants += len(c.After.Variants)
		}
	}
	byID.Grow(added)
	bySlug.Grow(added)
	ofVariant.Grow(variants)
	for _, c := range changes { // a slug or a variant may go from one product to another
		was, is := c.Before, c.After
		if was == nil {
			continue
		}
		if is == nil {
			byID.Delete(was.ID)
		}
		if is == nil || is.Slug != was.Slug {
			bySlug.Delete(was.Slug)
		}
		for i := range was.Variants {
			if id := was.Variants[i].ID; is == nil || is.Variant(id) == nil {
				ofVariant.Delete(id)
			}
		}
		if was.TrackStock {
			s.trackedProducts--
		}
		if len(was.Backorders()) > 0 {
			s.backorders--
		}
	}
	for _, c := range changes {
		is := c.After
		if is == nil {
			continue
		}
		byID.Set(is.ID, is)
		bySlug.Set(is.Slug, is)
		for i := range is.Variants {
			ofVariant.Set(is.Variants[i].ID, is)
		}
		if is.TrackStock {
			s.trackedProducts++
		}
		if len(is.Backorders()) > 0 {
			s.backorders++
		}
	}
	s.productByID, s.productOfVariant, s.productBySlug = byID.Done(), ofVariant.Done(), bySlug.Done()
	if s.discounts.lists != nil && same(s.Discounts, before.Discounts) && same(s.Categories, before.Categories) {
		s.discounts.follow(changes)
	} else {
		s.discounts = indexDiscounts(s)
	}
}

// same reports whether two slices are the same part of the same array.
func same[E any](a, b []E) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// Product returns the product with this id, active or not, or nil.
func (s *Store) Product(id uuid.UUID) *Product { return s.productByID.Get(id) }

// ProductOfVariant returns the product that has the variant with this id, active or not, or nil.
func (s *Store) ProductOfVariant(id uuid.UUID) *Product { return s.productOfVariant.Get(id) }

// ProductOfSlug returns the product with this slug, active or not, or nil.
func (s *Store) ProductOfSlug(slug string) *Product { return s.productBySlug.Get(slug) }

// ActiveProduct returns the active product with an id or, if no product has the id, with a slug; else nil. The
// id of an inactive product is never used as a slug.
func (s *Store) ActiveProduct(idOrSlug string) *Product {
	var p *Product
	if id, ok := ParseID(idOrSlug); ok {
		p = s.Product(id)
	}
	if p == nil {
		p = s.productBySlug.Get(idOrSlug)
	}
	if p == nil || !p.Active {
		return nil
	}
	return p
}

// ProductChange is a product of two stores, one of which follows the other. Before is nil if it is new, After if it
// is gone.
type ProductChange struct{ Before, After *Product }

// ProductChanges lists the products that differ from those of the store before: those with another pointer. moved
// is true if the products of both stores are not in the same order.
func (s *Store) ProductChanges(before *Store) (changes []ProductChange, moved bool) {
	rest := before.Products
	for _, p := range s.Products {
		if len(rest) > 0 && rest[0] == p {
			rest = rest[1:]
			continue
		}
		was := before.Product(p.ID)
		if was == nil {
			changes = append(changes, ProductChange{nil, p})
			continue
		}
		at := slices.Index(rest, was)
		if at < 0 {
			return s.productChangesByID(before), true
		}
		for _, gone := range rest[:at] {
			changes = append(changes, ProductChange{gone, nil})
		}
		if was != p {
			changes = append(changes, ProductChange{was, p})
		}
		rest = rest[at+1:]
	}
	for _, gone := range rest {
		changes = append(changes, ProductChange{gone, nil})
	}
	return changes, false
}

// productChangesByID is ProductChanges for products in another order.
func (s *Store) productChangesByID(before *Store) (changes []ProductChange) {
	left := make(map[uuid.UUID]bool, len(s.Products))
	for _, p := range s.Products {
		left[p.ID] = true
		if was := before.Product(p.ID); was != p {
			changes = append(changes, ProductChange{was, p})
		}
	}
	for _, was := range before.Products {
		if !left[was.ID] {
			changes = append(changes, ProductChange{was, nil})
		}
	}
	return changes
}
