package commerce

import (
	"crypto/sha256"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// workshop is a fake configurator engine. Every selection costs the same. One without choices is
// refused for two reasons. Silk triggers a quote.
type workshop struct{ price Amount }

func (w *workshop) Price(s *Selection) (Configured, []FieldError) {
	if len(s.Choices) == 0 {
		return Configured{}, emptyRefused.Fields
	}
	ids := slices.Sorted(slices.Values(s.Choices))
	return Configured{w.price, &Configuration{
		Hash: sha256.Sum256([]byte(strings.Join(ids, " "))), Choices: ids, Breakdown: []PricePart{{"Standard", w.price}},
	}}, nil
}

func (w *workshop) Offered() *Configurator           { return nil }
func (w *workshop) TriggersQuote(choice string) bool { return choice == "silk" }

var (
	linen        = &Selection{Choices: []string{"linen"}}
	emptyRefused = &Refusal{Kind: Invalid, Message: "Choose an option for Fabric.", Code: "INVALID_CONFIGURATION", Fields: []FieldError{
		{"choices", saying("Choose an option for Fabric.")},
		{"configuration", saying("The configuration is invalid.")},
	}}
)

func (s *scene) addConfigured(quantity Quantity, choices ...string) AddLine {
	l := s.add(blind, quantity)
	l.Configuration = &Selection{Choices: choices}
	return l
}

// Spec: Product capability rules 3.
func TestAddConfiguredLineTakesItsSnapshot(t *testing.T) {
	s := newScene(t)
	got := s.do(s.addConfigured(2*One, "silk", "linen")).Lines[0]
	made, _ := (&workshop{5000}).Price(&Selection{Choices: []string{"linen", "silk"}})
	want := Line{
		ID: got.ID, ProductID: blind, Name: "Blind", SKU: "BLIND", Quantity: 2 * One, UnitPrice: 5000,
		Tax: 21e9, Configuration: made.Snapshot, Born: 2, Made: s.in.Now,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v; want %+v", got, want)
	}
}

// Spec: Line behaviour 1 and 4. Merging a configured line stores the price and snapshot of this add;
// PATCH keeps them.
func TestConfiguredLinesMergeByTheirHash(t *testing.T) {
	s := newScene(t)
	s.do(s.addConfigured(One, "linen", "oak"))
	s.do(s.addConfigured(One, "oak"))
	s.do(s.addConfigured(2*One, "oak", "linen"))
	s.wantLine(0, 3*One, 5000)
	s.wantLine(1, One, 5000)

	s.shop.Product(blind).Configurator.Engine = &workshop{6000}
	first := s.cart.Lines[0]
	s.do(ChangeLine{LineID: first.ID.String(), Quantity: 7 * One})
	s.wantLine(0, 7*One, 5000)
	if got := s.cart.Lines[0].Configuration; got != first.Configuration {
		t.Errorf("the change left %+v; want the snapshot of the add", got)
	}
	s.do(s.addConfigured(One, "linen", "oak"))
	s.wantLine(0, 8*One, 6000)
	s.wantLine(1, One, 5000)
	if got := s.cart.Lines[0]; got.Configuration.Breakdown[0].Amount != 6000 || got.ID != first.ID || len(s.cart.Lines) != 2 {
		t.Errorf("got %+v in %d lines; want the first line with the snapshot of the last add", got, len(s.cart.Lines))
	}
}

// Spec: Line behaviour 2, for configured lines too.
func TestSimultaneousConfiguredAddsClamp(t *testing.T) {
	s := newScene(t)
	s.do(s.addConfigured(60*One, "linen"))
	s.in.Seen = 1
	s.do(s.addConfigured(60*One, "linen"))
	s.wantLine(0, 100*One, 5000)
}

// A plain line from the time when the product was standard and a configured line do not merge.
func TestAddConfiguredDoesNotMergeIntoAPlainLine(t *testing.T) {
	s := newScene(t)
	s.do(s.add(tile, One))
	s.cart.Lines[0].ProductID = blind
	s.do(s.addConfigured(One, "linen"))
	s.wantLine(0, One, 1000)
	s.wantLine(1, One, 5000)
}

func TestQuoteConfiguration(t *testing.T) {
	for _, c := range []struct {
		rule     string
		prepare  func(*Store)
		visitor  Visitor
		choices  []string
		quantity Quantity
		refusal  *Refusal
		requires bool
	}{
		{rule: "plain", choices: []string{"linen"}, quantity: One},
		{rule: "the configurator's errors, without a code", quantity: 2500,
			refusal: &Refusal{Kind: Invalid, Message: emptyRefused.Message, Fields: emptyRefused.Fields}},
		{rule: "fraction of a piece", choices: []string{"linen"}, quantity: 2500, refusal: QuantityNotWhole},
		{rule: "fraction of a metre", prepare: func(s *Store) { s.Product(blind).Unit = UnitMetre }, choices: []string{"linen"}, quantity: 2500},
		{rule: "no maximum", choices: []string{"linen"}, quantity: 1000 * One},
		{rule: "a choice that triggers", choices: []string{"silk"}, quantity: One, requires: true},
		{rule: "a product by quote", prepare: func(s *Store) { s.Product(blind).Purchasability = ByQuote }, choices: []string{"linen"},
			quantity: One, requires: true},
		{rule: "a group", prepare: func(s *Store) { s.Quotes.GroupIDs = []uuid.UUID{tradeGroup} }, visitor: trade, choices: []string{"linen"},
			quantity: One, requires: true},
		{rule: "at the threshold", prepare: threshold(10_000), choices: []string{"linen"}, quantity: 2 * One, requires: true},
		{rule: "sales disabled", prepare: func(s *Store) { s.Modules &^= 1 << ModuleSales }, choices: []string{"silk"}, quantity: One},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := testShop()
			if c.prepare != nil {
				c.prepare(s)
			}
			selected := &Selection{Choices: c.choices}
			made, _ := (&workshop{5000}).Price(selected)
			want := ConfigurationQuote{made, c.requires}
			if c.refusal != nil {
				want = ConfigurationQuote{}
			}
			got, refusal := s.QuoteConfiguration(s.Product(blind), selected, c.quantity, c.visitor, Country{}, noon)
			if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(refusal, c.refusal) {
				t.Errorf("got %+v, %v; want %+v, %v", got, refusal, want, c.refusal)
			}
		})
	}
}

func threshold(a Amount) func(*Store) { return func(s *Store) { s.Quotes.CartThreshold = &a } }
