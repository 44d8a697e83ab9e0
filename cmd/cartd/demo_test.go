package main

import (
	"os"
	"slices"
	"testing"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

// Every choice and every matrix that the demo store's blinds offer is part of a blind that has a
// price in its smallest and in its largest size. The only choice that is not offered is the silk of
// a withdrawn collection.
func TestEveryChoiceOfTheDemoBlindsCanBeOrdered(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("demo/store.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := storefile.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	blinds, withdrawn := 0, []string{}
	for _, p := range doc.Store.Products {
		c := p.Configurator
		if c == nil {
			continue
		}
		blinds++
		used, offered := orderable(t, p), c.Engine.Offered()
		for _, m := range offered.Matrices {
			if !used["matrix "+m.ID] {
				t.Errorf("%s: the matrix %s is never used", p.Name, m.ID)
			}
		}
		for i, g := range c.Groups {
			left := map[string]bool{}
			for _, one := range offered.Groups[i].Choices {
				left[one.ID] = true
			}
			for _, one := range g.Choices {
				switch {
				case !left[one.ID]:
					withdrawn = append(withdrawn, p.Slug+" "+one.ID)
				case !used[one.ID]:
					t.Errorf("%s: %s can never be ordered", p.Name, one.ID)
				}
			}
		}
	}
	if blinds != 6 || !slices.Equal(withdrawn, []string{"roman-blind silk"}) {
		t.Errorf("of %d blinds these choices are not offered: %v", blinds, withdrawn)
	}
}

// orderable returns the choices and matrices of all possible blinds of a product.
func orderable(t *testing.T, p *commerce.Product) map[string]bool {
	t.Helper()
	used, c := map[string]bool{}, p.Configurator
	for _, chosen := range completions(c.Engine.Offered().Groups) {
		smallest, faults := c.Engine.Price(sized(c, chosen, func(d *commerce.Dimension) int64 { return d.Min }))
		largest, more := c.Engine.Price(sized(c, chosen, func(d *commerce.Dimension) int64 { return d.Max - (d.Max-d.Min)%d.Step }))
		for _, f := range slices.Concat(faults, more) {
			if f.Field == "configuration" {
				t.Fatalf("%s, %v: %s", p.Name, chosen, f.Texts())
			}
		}
		if faults != nil || more != nil {
			continue
		}
		if smallest.UnitPrice > largest.UnitPrice || len(largest.Snapshot.Components) == 0 {
			t.Errorf("%s, %v: from %d to %d, components %v", p.Name, chosen, smallest.UnitPrice, largest.UnitPrice, largest.Snapshot.Components)
		}
		used["matrix "+largest.Snapshot.MatrixID] = true
		for _, id := range chosen {
			used[id] = true
		}
	}
	return used
}

// completions returns all ways to fill the groups: one choice of a single-choice group, or none if
// it is not required; any choices of other groups.
func completions(groups []commerce.ChoiceGroup) [][]string {
	all := [][]string{nil}
	for _, g := range groups {
		ways := [][]string{nil}
		for _, one := range g.Choices {
			for _, way := range ways {
				if g.Multiple || way == nil {
					ways = append(ways, append(slices.Clone(way), one.ID))
				}
			}
		}
		if g.Required {
			ways = ways[1:]
		}
		var next [][]string
		for _, before := range all {
			for _, way := range ways {
				next = append(next, slices.Concat(before, way))
			}
		}
		all = next
	}
	return all
}

func sized(c *commerce.Configurator, chosen []string, size func(*commerce.Dimension) int64) *commerce.Selection {
	s := &commerce.Selection{Choices: chosen}
	for i := range c.Dimensions {
		s.Dimensions = append(s.Dimensions, commerce.Measure{Key: c.Dimensions[i].Key, Value: size(&c.Dimensions[i]), Whole: true})
	}
	return s
}
