package main_test

import (
	"os"
	"slices"
	"testing"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/internal/redistest"
)

// A roller blind of the demo store, worked out by hand: the first matrix break from
// 1200 × 1500 on is 1200 × 1700, night blue 5 %, cassette 20 % of 10700; fabric
// 1.05 × 1.2 × 1.5 = 1.89 m², chain 1.6 × 1.5 = 2.4 m.
func TestABlindOfTheDemoStore(t *testing.T) {
	t.Parallel()
	const (
		roller  = "10000000-0000-4000-8000-000000000101"
		quote   = "configurator/products/" + roller + "/quote"
		part    = `{"product_id":"10000000-0000-4000-8000-000000000`
		window  = `"dimensions":{"width":1200,"height":1500}`
		battery = `{` + window + `,"choices":["blackout","blackout-night","ceiling-mount","battery-motor","cassette"]}`
	)
	shop := start(t, options{redis: redistest.Mini(t).URL(), flags: []string{"--demo"}}).client(t).withKey("demo-storefront-key")
	path := shop.newCart()
	shop.post(path+"/lines", addBody(roller, "1", configured(`{`+window+`,"choices":["blackout","blackout-night","wall-mount","chain","cassette"]}`))).wantConfigured(201,
		`1 × 13375 {"configuration":{`+window+`,"choices":["blackout","blackout-night","wall-mount","chain","cassette"],
			"breakdown":[{"label":"Roller blind, blackout","amount":10700},{"label":"Blackout","amount":0},{"label":"Night blue, lightproof","amount":535},
				{"label":"On the wall","amount":0},{"label":"Ball chain","amount":0},{"label":"Aluminium cassette","amount":2140}],
			"components":[`+part+`201","qty":"1.2"},`+part+`203","qty":"1.2"},`+part+`602","qty":"1.89"},`+part+`221","qty":"1"},`+part+`212","qty":"2.4"}],
			"matrix":{"id":"price-blackout","name":"Roller blind, blackout"}}}`)
	shop.post(quote, battery).wantQuote(false)
	shop.post(quote, `{`+window+`,"choices":["translucent","print","wall-mount","chain"]}`).wantQuote(true)
	shop.post(quote, `{`+window+`,"choices":["screen","print","no-drill","mains-motor"]}`).want(422, fieldErrors(
		"choices.print", "Your own picture, printed requires Translucent.",
		"choices.no-drill", "Clamped to the frame, no drilling requires Ball chain.",
		"choices.mains-motor", "Mains motor, 230 V requires On the wall."))
}

// Every choice and every matrix that the demo store's blinds offer is of use: it is
// part of a blind that has a price in its smallest and in its largest size. What they
// do not offer is the silk of a collection that has left the shop.
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

// orderable lists the choices and matrices of all blinds of a product that there are.
func orderable(t *testing.T, p *commerce.Product) map[string]bool {
	t.Helper()
	used, c := map[string]bool{}, p.Configurator
	for _, chosen := range completions(c.Engine.Offered().Groups) {
		smallest, faults := c.Engine.Price(sized(c, chosen, func(d *commerce.Dimension) int64 { return d.Min }))
		largest, more := c.Engine.Price(sized(c, chosen, func(d *commerce.Dimension) int64 { return d.Max - (d.Max-d.Min)%d.Step }))
		for _, f := range slices.Concat(faults, more) {
			if f.Field == "configuration" {
				t.Fatalf("%s, %v: %s", p.Name, chosen, f.Messages)
			}
		}
		if faults != nil || more != nil {
			continue // without something that it requires
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

// completions are all ways to fill the groups: one of a single-choice group, or none
// where it is not required; any of the others.
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
