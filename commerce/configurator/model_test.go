package configurator_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"cartd/commerce"
	"cartd/commerce/configurator"
	"cartd/internal/dice"
)

// maxChoices is small, so that the test can try all selections.
const maxChoices = 7

// someIDs draws up to limit ids. Some of them do not exist in the product.
func someIDs(r *rand.Rand, limit int) (ids []string) {
	for range r.IntN(limit + 1) {
		ids = append(ids, "c"+strconv.Itoa(r.IntN(maxChoices+1)))
	}
	return ids
}

func someComponents(r *rand.Rand) (list []commerce.Component) {
	for range r.IntN(3) {
		list = append(list, commerce.Component{
			ProductID: uuid.UUID{15: byte(r.IntN(3))},
			Quantity:  commerce.Micros(1 + r.Int64N(1<<uint(1+r.IntN(62)))),
			Per:       []string{"unit", "m2", "w", "h"}[r.IntN(4)],
		})
	}
	return list
}

// someConfigurator has two dimensions of 0 to 20 in steps and at most maxChoices.
func someConfigurator(r *rand.Rand) *commerce.Configurator {
	c := &commerce.Configurator{Components: someComponents(r), Dimensions: []commerce.Dimension{
		{Key: "w", Label: "W", Max: 20, Step: 1 + r.Int64N(3)}, {Key: "h", Label: "H", Min: 2, Max: 20, Step: 1 + r.Int64N(3)},
	}}
	n := 0
	for range 1 + r.IntN(3) {
		g := commerce.ChoiceGroup{Label: fmt.Sprint("G", len(c.Groups)), Required: r.IntN(3) == 0, Multiple: r.IntN(3) == 0}
		for range r.IntN(4) {
			if n < maxChoices {
				g.Choices = append(g.Choices, commerce.Choice{
					ID: fmt.Sprint("c", n), Label: fmt.Sprint("C", n), Requires: someIDs(r, 2), Components: someComponents(r),
					Price: commerce.ChoicePrice{
						Kind:    commerce.ChoicePriceKind(r.IntN(3)),
						Amount:  commerce.Amount(r.Int64N(1 << uint(r.IntN(50)))),
						Percent: commerce.Percent(r.Int64N(int64(commerce.Hundred) + 1)),
					},
				})
				n++
			}
		}
		c.Groups = append(c.Groups, g)
	}
	for i := range r.IntN(4) {
		c.Matrices = append(c.Matrices, commerce.Matrix{
			ID: fmt.Sprint("m", i), Name: fmt.Sprint("M", i), When: someIDs(r, 2), X: "w", Y: []string{"w", "h"}[r.IntN(2)],
			XBreaks: []int64{3, 9 + r.Int64N(12)}, YBreaks: []int64{5, 8 + r.Int64N(12)},
			Amounts: [][]commerce.Amount{{commerce.Amount(r.Int64N(10_000)), 7001}, {3333, commerce.Amount(r.Int64N(int64(commerce.MaxAmount)))}},
		})
	}
	return c
}

// satisfies applies the rule word by word: every required choice is chosen, and a single-choice
// group has at most one chosen choice.
func satisfies(c *commerce.Configurator, chosen []string) bool {
	for _, g := range c.Groups {
		taken := 0
		for _, one := range g.Choices {
			if !slices.Contains(chosen, one.ID) {
				continue
			}
			taken++
			for _, required := range one.Requires {
				if !slices.Contains(chosen, required) {
					return false
				}
			}
		}
		if taken > 1 && !g.Multiple {
			return false
		}
	}
	return true
}

func filled(c *commerce.Configurator, chosen []string) bool {
	for _, g := range c.Groups {
		taken := slices.ContainsFunc(g.Choices, func(one commerce.Choice) bool { return slices.Contains(chosen, one.ID) })
		if g.Required && !taken {
			return false
		}
	}
	return true
}

func choicesOf(c *commerce.Configurator) (ids []string) {
	for _, g := range c.Groups {
		for _, one := range g.Choices {
			ids = append(ids, one.ID)
		}
	}
	return ids
}

// subsets are all selections of the ids.
func subsets(ids []string) (all [][]string) {
	for mask := range 1 << len(ids) {
		var chosen []string
		for i, id := range ids {
			if mask>>i&1 == 1 {
				chosen = append(chosen, id)
			}
		}
		all = append(all, chosen)
	}
	return all
}

// A choice is offered if and only if some selection with it satisfies all requires and all groups. A
// matrix is offered if every choice of its condition is.
func TestOfferedChoicesAndMatrices(t *testing.T) {
	r := dice.New(t)
	for range 150 {
		c := someConfigurator(r)
		ids := choicesOf(c)
		var want, matrices []string
		for _, id := range ids {
			if slices.ContainsFunc(subsets(ids), func(chosen []string) bool { return slices.Contains(chosen, id) && satisfies(c, chosen) }) {
				want = append(want, id)
			}
		}
		for _, m := range c.Matrices {
			if !slices.ContainsFunc(m.When, func(id string) bool { return !slices.Contains(want, id) }) {
				matrices = append(matrices, m.ID)
			}
		}
		offered := configurator.New(uuid.Nil, c).Offered()
		var left []string
		for _, m := range offered.Matrices {
			left = append(left, m.ID)
		}
		if got := choicesOf(offered); !slices.Equal(got, want) || !slices.Equal(left, matrices) {
			t.Fatalf("%+v\noffers %v, %v; want %v, %v", c, got, left, want, matrices)
		}
	}
}

// A selection that is offered, complete and in range has the model's price or the answer "No price
// is available". Every other selection has another refusal. Two selections have the same hash if and
// only if they are equal.
func TestEverySelectionIsPricedOrRefused(t *testing.T) {
	r, priced, unpriced := dice.New(t), 0, 0
	for range 400 {
		c := someConfigurator(r)
		engine := configurator.New(uuid.UUID{1}, c)
		offered := choicesOf(engine.Offered())
		w, h := c.Dimensions[0].Step*r.Int64N(6), 2+c.Dimensions[1].Step*r.Int64N(6)
		hashes := map[[32]byte]bool{}
		for _, chosen := range subsets(choicesOf(c)) {
			s := &commerce.Selection{Dimensions: []commerce.Measure{{Key: "w", Value: w, Whole: true}, {Key: "h", Value: h, Whole: true}}, Choices: chosen}
			made, faults := engine.Price(s)
			want := modelPrice(c, chosen, w, h)
			switch valid := isSubset(chosen, offered) && satisfies(c, chosen) && filled(c, chosen); {
			case !valid && (faults == nil || reflect.DeepEqual(faults, commerce.NoConfiguredPrice.Fields)):
				t.Fatalf("%+v\n%v: %+v, %v; want another refusal", c, chosen, made, faults)
			case !valid:
				continue
			case want == nil && !reflect.DeepEqual(faults, commerce.NoConfiguredPrice.Fields):
				t.Fatalf("%+v\n%v: %+v, %v; want no price", c, chosen, made, faults)
			case want == nil:
				unpriced++
				continue
			case faults != nil || !want.matches(made):
				t.Fatalf("%+v\n%v at %d × %d: %+v, %v; want %+v", c, chosen, w, h, made, faults, want)
			}
			r.Shuffle(len(s.Choices), func(i, j int) { s.Choices[i], s.Choices[j] = s.Choices[j], s.Choices[i] })
			s.Dimensions[0], s.Dimensions[1] = s.Dimensions[1], s.Dimensions[0]
			if again, _ := engine.Price(s); !reflect.DeepEqual(again, made) || hashes[made.Snapshot.Hash] {
				t.Fatalf("%+v\n%v: %+v, in another order %+v; hash met before: %v", c, chosen, made, again, hashes[made.Snapshot.Hash])
			}
			hashes[made.Snapshot.Hash] = true
			priced++
		}
	}
	if priced < 100 || unpriced < 100 {
		t.Errorf("%d selections had a price and %d had none; want many of both", priced, unpriced)
	}
}

func isSubset(chosen, of []string) bool {
	return !slices.ContainsFunc(chosen, func(id string) bool { return !slices.Contains(of, id) })
}

// worked is the price that the model calculates.
type worked struct {
	parts      []decimal.Decimal
	total      decimal.Decimal
	components []commerce.ComponentUse
}

func (w *worked) matches(made commerce.Configured) bool {
	parts := make([]decimal.Decimal, len(made.Snapshot.Breakdown))
	for i, part := range made.Snapshot.Breakdown {
		parts[i] = decimal.NewFromInt(int64(part.Amount))
	}
	return slices.EqualFunc(parts, w.parts, decimal.Decimal.Equal) && w.total.Equal(decimal.NewFromInt(int64(made.UnitPrice))) &&
		slices.Equal(made.Snapshot.Components, w.components)
}

// modelPrice prices a selection by the rules of docs/store-document.md, nil if it has no price.
func modelPrice(c *commerce.Configurator, chosen []string, w, h int64) *worked {
	sizes := map[string]int64{"w": w, "h": h}
	at := slices.IndexFunc(c.Matrices, func(m commerce.Matrix) bool { return isSubset(m.When, chosen) })
	if at < 0 {
		return nil
	}
	m := c.Matrices[at]
	x := slices.IndexFunc(m.XBreaks, func(b int64) bool { return b >= sizes[m.X] })
	y := slices.IndexFunc(m.YBreaks, func(b int64) bool { return b >= sizes[m.Y] })
	if x < 0 || y < 0 {
		return nil
	}
	base := decimal.NewFromInt(int64(m.Amounts[y][x]))
	p := &worked{parts: []decimal.Decimal{base}, total: base, components: []commerce.ComponentUse{}}
	sums := map[uuid.UUID]decimal.Decimal{}
	per := map[string]decimal.Decimal{
		"unit": decimal.NewFromInt(1), "m2": decimal.New(w*h, -6), "w": decimal.New(w, -3), "h": decimal.New(h, -3),
	}
	use := func(list []commerce.Component) {
		for _, u := range list {
			if _, there := sums[u.ProductID]; !there {
				p.components = append(p.components, commerce.ComponentUse{ProductID: u.ProductID})
			}
			sums[u.ProductID] = sums[u.ProductID].Add(decimal.New(int64(u.Quantity), -6).Mul(per[u.Per]))
		}
	}
	use(c.Components)
	for _, g := range c.Groups {
		for _, one := range g.Choices {
			if !slices.Contains(chosen, one.ID) {
				continue
			}
			part := decimal.NewFromInt(int64(one.Price.Amount))
			switch one.Price.Kind {
			case commerce.PricePercent:
				part = base.Mul(decimal.New(int64(one.Price.Percent), -11)).Round(0)
			case commerce.PricePerM2:
				part = part.Mul(per["m2"]).Round(0)
			}
			p.parts, p.total = append(p.parts, part), p.total.Add(part)
			use(one.Components)
		}
	}
	if p.total.GreaterThan(decimal.NewFromInt(int64(commerce.MaxAmount))) {
		return nil
	}
	for i := range p.components {
		p.components[i].Quantity = sums[p.components[i].ProductID].String()
	}
	return p
}
