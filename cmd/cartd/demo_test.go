package main

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

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

// A sale of the demo begins ten minutes after the start and lasts an hour. The document counts as the
// same at every start.
func TestTheSaleOfTheDemo(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 27, 23, 55, 1, 0, time.FixedZone("CET", 3600))
	doc, err := demoDocument(start, newDemoMail().webhook("http://127.0.0.1:8080"))
	if err != nil {
		t.Fatal(err)
	}
	var dated []commerce.PricePeriod
	for _, p := range doc.Store.Products {
		dated = append(dated, p.Prices.Periods...)
	}
	from := start.Add(10 * time.Minute).UTC()
	if want := []commerce.PricePeriod{{From: from, Until: from.Add(time.Hour), Price: 6995}}; !slices.Equal(dated, want) {
		t.Errorf("periods %+v, want %+v", dated, want)
	}
	if doc.Store.Policy.LinePrices != commerce.FollowPrices {
		t.Errorf("line_prices is %s", doc.Store.Policy.LinePrices)
	}
	embedded, err := storefile.Parse(demoStore)
	if err != nil || doc.Hash != embedded.Hash {
		t.Errorf("the document of a start has another hash: %v", err)
	}
}

// The shop's policy names each server of a document's https pictures once, and no text that would say more
// than a server. Beyond 50 servers it allows all.
func TestPicturesOfTheShopsPolicy(t *testing.T) {
	t.Parallel()
	store := func(urls ...string) *commerce.Store {
		s := &commerce.Store{}
		for _, url := range urls {
			s.Products = append(s.Products, &commerce.Product{Display: commerce.Display{Media: []commerce.Media{{URL: url}}}})
		}
		return s
	}
	var many []string
	for i := range maxPictureHosts + 1 {
		many = append(many, fmt.Sprintf("https://p%d.example/a.jpg", i))
	}
	full := store(many[:maxPictureHosts]...)
	for _, c := range []struct {
		store *commerce.Store
		want  []string
	}{
		{store("https://b.example/1.jpg", "https://a.example:8443/2.jpg", "https://b.example/3.jpg"), []string{"https://a.example:8443", "https://b.example"}},
		{store("/own.jpg", "http://plain.example/1.jpg", "https://a;script-src/x", "https://*.example/x", "https://[::1]/x"), nil},
		{store(many...), []string{"https:"}},
	} {
		if got := pictureOrigins(c.store); !slices.Equal(got, c.want) {
			t.Errorf("got %v, want %v", got, c.want)
		}
	}
	if got := pictureOrigins(full); len(got) != maxPictureHosts {
		t.Errorf("got %d servers, want %d", len(got), maxPictureHosts)
	}
}
