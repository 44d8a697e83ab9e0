package persistence

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/records"
)

// A page of a customer's quotes reads only its own, newest first, keeps no lines, and leaves out
// those that are gone.
func TestPageOfCustomerQuotes(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		f := newTill(t, s)
		customer := engine.RecordKey{Store: shopID, ID: ada}
		const quotes = 60
		for i := range quotes {
			q := &commerce.Quote{
				Version: 1,
				ID:      testID(i), Number: int64(i + 1), Customer: commerce.Binding{ID: ada}, CreatedAt: noon.Add(time.Duration(i/2) * time.Minute),
				ValidUntil:   noon.Add(time.Hour),
				QuoteDetails: commerce.QuoteDetails{Message: strings.Repeat("m", 200_000)}, Goods: commerce.Goods{Lines: []commerce.OrderLine{{Total: 100},
					{Total: 20}}}, Tax: commerce.Taxation{Included: true},
			}
			f.redis.Do(background, "ZADD", records.CustomerQuotesKey(customer), records.Millis(q.CreatedAt), q.ID.String())
			if i == 57 { // expired
				continue
			}
			f.redis.Set(background, records.Quotes.Key(engine.RecordKey{Store: shopID, ID: q.ID}),
				records.Quotes.Encode(nil, &engine.Record[*commerce.Quote]{Stamp: engine.Stamp{Counter: 1}, State: q}, nil), 0)
		}
		trips := shoptest.CountTrips(f.db.client.Redis)
		for _, c := range []struct{ first, end, rows, newest, last int }{{0, 25, 24, 60, 36}, {25, 50, 25, 35, 11}, {50, 60, 10, 10, 1}, {60, 60, 0, 0, 0}} {
			var asked, reserved, maximum int
			page, err := f.db.CustomerQuotes(customer, &engine.QuoteQuery{
				Page: func(total int) (int, int) { asked = total; return c.first, c.end },
				Room: func(bytes int) error { reserved += bytes; maximum = max(maximum, reserved); return nil },
			}, soonest())
			if err != nil || asked != quotes || page.Total != quotes || len(page.Quotes) != c.rows || reserved != 0 || maximum > engine.MaxOrdersRead {
				t.Fatalf("%+v: %d quotes of %d, %d bytes reserved of at most %d, %v", c, len(page.Quotes), page.Total, reserved, maximum, err)
			}
			if c.rows == 0 {
				trips.Want(t, "no rows", []string{"zcard"})
				continue
			}
			if newest, last := page.Quotes[0].Number, page.Quotes[c.rows-1].Number; int(newest) != c.newest || int(last) != c.last {
				t.Errorf("%+v: from %d to %d", c, newest, last)
			}
			if !slices.IsSortedFunc(page.Quotes, func(a, b engine.QuoteRow) int { return int(b.Number - a.Number) }) {
				t.Errorf("%+v is not sorted", c)
			}
			for _, row := range page.Quotes {
				if row.LinesCount != 2 || row.Goods.Lines != nil || row.Totals.Total != 120 {
					t.Errorf("%d has %d lines, %d kept, a total of %d", row.Number, row.LinesCount, len(row.Goods.Lines), row.Totals.Total)
				}
			}
			trips.Collect()
		}
	})
}

// A quote that cannot be read, or an entry that is no id, is answered 503.
func TestBrokenQuotesOfACustomer(t *testing.T) {
	s := redistest.Mini(t)
	f := newTill(t, s)
	customer := engine.RecordKey{Store: shopID, ID: ada}
	query := &engine.QuoteQuery{Page: func(total int) (int, int) { return 0, total }, Room: func(int) error { return nil }}
	for i, member := range []string{"x", testID(1).String()} {
		f.redis.FlushAll(background)
		f.redis.Do(background, "ZADD", records.CustomerQuotesKey(customer), 1, member)
		f.redis.Set(background, records.Quotes.Key(engine.RecordKey{Store: shopID, ID: testID(1)}), "x", 0)
		if page, err := f.db.CustomerQuotes(customer, query, soonest()); err != engine.ErrUnavailable {
			t.Errorf("%s: %+v, %v", fmt.Sprint(i), page, err)
		}
	}
}

// A page of the merchant's list ends early where its quotes take much work to decode, and the pages together have all of them.
func TestPageOfLargeQuotesEndsEarly(t *testing.T) {
	s := redistest.Mini(t)
	f := newTill(t, s)
	const quotes = 80
	texts := make(commerce.Properties, 30)
	lines := make([]commerce.OrderLine, 250)
	for i := range lines {
		lines[i] = commerce.OrderLine{Line: commerce.Line{ID: testID(i), ProductID: testID(1), Name: "Hammer", Quantity: commerce.One, Properties: &texts}}
	}
	pipe := f.redis.Pipeline()
	for n := 1; n <= quotes; n++ {
		q := &commerce.Quote{ID: testID(n), Number: int64(n), Version: 1, CreatedAt: noon, ValidUntil: noon.Add(time.Hour), Goods: commerce.Goods{Lines: lines}}
		pipe.Set(background, records.Quotes.Key(engine.RecordKey{Store: shopID, ID: q.ID}),
			records.Quotes.Encode(nil, &engine.Record[*commerce.Quote]{Stamp: engine.Stamp{Counter: 1}, State: q}, nil), 0)
		pipe.RPush(background, records.QuoteListKey(shopID), q.ID.String())
	}
	if _, err := pipe.Exec(background); err != nil {
		t.Fatal(err)
	}
	query := engine.StoreQuoteQuery{List: engine.AllQuotes, Size: 100, Room: func(int) error { return nil }}
	var numbers []int64
	for pages := 1; ; pages++ {
		page, err := f.db.StoreQuotes(&commerce.Store{ID: shopID}, &query, noon, soonest())
		if err != nil || len(page.Quotes) == 0 || len(page.Quotes) == quotes {
			t.Fatalf("page %d has %d quotes, %v", pages, len(page.Quotes), err)
		}
		for _, row := range page.Quotes {
			numbers = append(numbers, row.Number)
		}
		if query.Before = page.NextBefore; query.Before == "" {
			break
		}
	}
	if slices.Reverse(numbers); len(numbers) != quotes || !slices.IsSorted(numbers) || numbers[0] != 1 {
		t.Errorf("the pages have %d quotes: %v", len(numbers), numbers)
	}
}
