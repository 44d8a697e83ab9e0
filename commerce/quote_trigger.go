package commerce

import (
	"slices"

	"github.com/google/uuid"
)

// The reasons why a cart requires a quote. Spec: Cart, quote_reasons.
const (
	QuoteCartThreshold         = "cart_threshold"
	QuoteConfiguratorChoice    = "configurator_choice"
	QuoteCustomerGroup         = "customer_group"
	QuoteProductPurchasability = "product_purchasability"
)

// quoteTriggers lists the active reasons in their fixed order. There are none while the sales
// module or quote requests are switched off. Spec: Cart, requires_quote.
func (e *Evaluation) quoteTriggers(c *Cart, s *Store, ctx Pricing) {
	e.QuoteReasons = e.QuoteReasons[:0]
	if s.TakesQuotes() {
		threshold := s.Quotes.CartThreshold
		e.quoteIf(threshold != nil && e.Total >= *threshold, QuoteCartThreshold)
		e.quoteIf(c.anyProduct(s, triggeringChoice), QuoteConfiguratorChoice)
		e.quoteIf(ctx.GroupID != uuid.Nil && slices.Contains(s.Quotes.GroupIDs, ctx.GroupID), QuoteCustomerGroup)
		e.quoteIf(c.anyProduct(s, soldByQuote), QuoteProductPurchasability)
	}
	e.RequiresQuote = len(e.QuoteReasons) > 0
}

func (e *Evaluation) quoteIf(active bool, reason string) {
	if active {
		e.QuoteReasons = append(e.QuoteReasons, reason)
	}
}

// anyProduct reports whether a rule holds for any line and its current product. Lines whose product
// is gone are skipped.
func (c *Cart) anyProduct(s *Store, rule func(*Line, *Product) bool) bool {
	for i := range c.Lines {
		if p := s.Product(c.Lines[i].ProductID); p != nil && rule(&c.Lines[i], p) {
			return true
		}
	}
	return false
}

func soldByQuote(_ *Line, p *Product) bool { return p.Purchasability == ByQuote }

// triggeringChoice reports whether the line's configuration has a choice that needs a quote.
func triggeringChoice(l *Line, p *Product) bool {
	if l.Configuration == nil || p.Configurator == nil {
		return false
	}
	for _, id := range l.Configuration.Choices {
		if p.Configurator.Engine.TriggersQuote(id) {
			return true
		}
	}
	return false
}

// QuoteSettings are a store's rules for requiring and accepting quotes.
type QuoteSettings struct {
	Enabled bool
	// CartThreshold is the total from which a cart requires a quote (cart_threshold); nil if there is
	// none.
	CartThreshold *Amount
	GroupIDs      []uuid.UUID
	// AcceptanceMode is click or SignatureMode.
	AcceptanceMode string
	ValidDays      int
	// Mode says what becomes of a request.
	Mode QuoteMode
	// HoldStock is the default of drafts.
	HoldStock bool
}

// TakesQuotes reports whether the store accepts requests for quotes.
func (s *Store) TakesQuotes() bool { return s.Modules.Has(ModuleSales) && s.Quotes.Enabled }

// QuoteMode is what becomes of a request for a quote.
type QuoteMode uint8

const (
	InstantQuotes  QuoteMode = iota // it is offered at once, at the cart's prices
	ReviewedQuotes                  // it waits for the merchant's offer
	quoteModeCount
)

var quoteModeNames = [quoteModeCount]string{"instant", "reviewed"}

// String returns the mode as the API spells it.
func (m QuoteMode) String() string { return quoteModeNames[m] }

// QuoteModeNames lists the modes' names, in the order of the modes.
func QuoteModeNames() []string { return slices.Clone(quoteModeNames[:]) }

// SignatureMode is the acceptance mode in which only a signature accepts a quote.
const SignatureMode = "signature"
