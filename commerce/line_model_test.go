package commerce

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"cartd/internal/dice"
)

// combination identifies the line that an add joins. Spec: Line behaviour 1.
type combination struct{ product, variant uuid.UUID }

var combinations = []combination{{tile, uuid.Nil}, {cord, uuid.Nil}, {drill, white}, {drill, grey}, {gift, uuid.Nil}, {special, uuid.Nil}}

// modelCart is the slow, obvious cart: a map of decimals.
type modelCart map[combination]decimal.Decimal

// add adds by the rules and reports whether they allow it.
func (m modelCart) add(c combination, quantity, maximum decimal.Decimal, maxLines int, pack Pack) bool {
	sum, there := m[c]
	sum = sum.Add(quantity)
	if least, most, step := pack.Min.decimal(), pack.Max.decimal(), pack.Step.decimal(); sum.LessThan(least) || most.IsPositive() && sum.GreaterThan(most) ||
		step.IsPositive() && !sum.Mod(step).IsZero() {
		return false
	}
	if c.product != cord && !quantity.IsInteger() || sum.GreaterThan(maximum) || !there && len(m) >= maxLines {
		return false
	}
	m[c] = sum
	return true
}

// The same adds in every order end with the model's combinations and quantities, at the model's
// prices.
func TestAddsInAnyOrderGiveTheSameLines(t *testing.T) {
	r := dice.New(t)
	for range 200 {
		s := newScene(t)
		unlimited(s.shop)
		adds, model := someAdds(r, 1+r.IntN(20)), modelCart{}
		for _, a := range adds {
			model.add(combination{a.ProductID, a.VariantID}, a.Quantity.decimal(), decimal.New(1, 18), 1000, Pack{})
		}
		for range 3 {
			r.Shuffle(len(adds), func(i, j int) { adds[i], adds[j] = adds[j], adds[i] })
			s.cart = NewCart(cartID, noon)
			for _, a := range adds {
				s.do(a)
			}
			s.wantModel(model)
		}
	}
}

// An add is accepted exactly if the model accepts it.
func TestAddsMatchTheModel(t *testing.T) {
	r := dice.New(t)
	for range 300 {
		s, model := newScene(t), modelCart{}
		maximum := s.shop.Policy.MaxQuantityPerLine.decimal()
		for _, p := range s.shop.Products {
			if r.IntN(2) == 0 {
				p.Pack = &Pack{Min: Quantity(r.IntN(10)) * One, Max: Quantity(r.IntN(2)*(10+r.IntN(40))) * One, Step: Quantity(r.IntN(4)) * One}
			}
		}
		for _, a := range someAdds(r, 1+r.IntN(20)) {
			if r.IntN(3) == 0 {
				a.Quantity += Quantity(r.IntN(2000))
			}
			want := model.add(combination{a.ProductID, a.VariantID}, a.Quantity.decimal(), maximum, s.shop.Policy.MaxLines,
				s.shop.Product(a.ProductID).Pack.Of())
			next, _, refusal := s.try(a)
			if (refusal == nil) != want {
				t.Fatalf("%+v on %+v: %v; the model allows it: %v", a, s.cart.Lines, refusal, want)
			}
			if refusal == nil {
				s.cart = next
			}
			s.in.Seen, s.in.Next = s.in.Next, s.in.Next+1
		}
		s.wantModel(model)
	}
}

func someAdds(r *rand.Rand, n int) []AddLine {
	adds := make([]AddLine, n)
	for i := range adds {
		c := combinations[r.IntN(len(combinations))]
		adds[i] = AddLine{LineID: testID(0x2000 + i), ProductID: c.product, VariantID: c.variant, Quantity: Quantity(1+r.IntN(30)) * One}
		if c.product == cord {
			adds[i].Quantity = Quantity(1 + r.IntN(30_000))
		}
	}
	return adds
}

func (s *scene) wantModel(model modelCart) {
	s.Helper()
	got := modelCart{}
	for i := range s.cart.Lines {
		l := &s.cart.Lines[i]
		c := combination{l.ProductID, l.VariantID}
		if _, twice := got[c]; twice {
			s.Fatalf("two lines of %v", c)
		}
		got[c] = l.Quantity.decimal()
		p := s.shop.Product(l.ProductID)
		if want, _ := modelPrice(p, p.Variant(l.VariantID), Pricing{}, l.Quantity); l.UnitPrice != want {
			s.Fatalf("%s of %s cost %d each; want %d", l.Quantity, l.Name, l.UnitPrice, want)
		}
	}
	if !maps.EqualFunc(got, model, decimal.Decimal.Equal) {
		s.Fatalf("lines %v; want %v", got, model)
	}
}
