package commerce

import (
	"slices"
	"testing"

	"github.com/google/uuid"
)

// Spec: Cart, requires_quote and quote_reasons.
func TestQuoteTriggers(t *testing.T) {
	configured := func(choices ...string) func(*scene) {
		return func(s *scene) {
			s.cart.Lines = append(s.cart.Lines, Line{ProductID: blind, Quantity: One, Configuration: &Configuration{Choices: choices}})
		}
	}
	add := func(p uuid.UUID) func(*scene) { return func(s *scene) { s.do(s.add(p, One)) } }
	threshold := func(a Amount) func(*scene) { return func(s *scene) { s.shop.Quotes.CartThreshold = &a } }
	visit := func(v Visitor) func(*scene) {
		return func(s *scene) { s.in.Visitor, s.shop.Quotes.GroupIDs = v, []uuid.UUID{otherGroup, tradeGroup} }
	}
	everything := []func(*scene){threshold(0), configured("silk"), visit(trade), add(special)}
	off := func(m Module) func(*scene) { return func(s *scene) { s.shop.Modules &^= 1 << m } }

	for _, c := range []struct {
		rule  string
		steps []func(*scene)
		want  []string
	}{
		{"nothing", []func(*scene){add(tile)}, nil},
		{"below the threshold", []func(*scene){add(tile), threshold(1001)}, nil},
		{"at the threshold", []func(*scene){add(tile), threshold(1000)}, []string{"cart_threshold"}},
		{"above the threshold", []func(*scene){add(tile), threshold(999)}, []string{"cart_threshold"}},
		{"a choice that triggers", []func(*scene){configured("linen", "silk")}, []string{"configurator_choice"}},
		{"choices that do not", []func(*scene){configured("linen", "oak")}, nil},
		{"a product no longer configurable", []func(*scene){configured("silk"), func(s *scene) { s.shop.Product(blind).Configurator = nil }}, nil},
		{"a group", []func(*scene){visit(trade)}, []string{"customer_group"}},
		{"a customer without a group", []func(*scene){visit(ada)}, nil},
		{"a token that does not resolve", []func(*scene){visit(badToken)}, nil},
		{"a product by quote", []func(*scene){add(tile), add(special)}, []string{"product_purchasability"}},
		{"also when it is not active any more", []func(*scene){add(special), func(s *scene) { s.shop.Product(special).Active = false }},
			[]string{"product_purchasability"}},
		{"not when it is gone", []func(*scene){add(special), func(s *scene) { s.shop.Products = nil; s.shop.Index() }}, nil},
		{"all, in their order", everything, []string{"cart_threshold", "configurator_choice", "customer_group", "product_purchasability"}},
		{"sales module disabled", append(everything, off(ModuleSales)), nil},
		{"quote requests switched off", append(everything, func(s *scene) { s.shop.Quotes.Enabled = false }), nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			for _, step := range c.steps {
				step(s)
			}
			e := s.evaluate()
			if !slices.Equal(e.QuoteReasons, c.want) || e.RequiresQuote != (c.want != nil) {
				t.Errorf("requires a quote: %v, %v; want %v", e.RequiresQuote, e.QuoteReasons, c.want)
			}
		})
	}
}
