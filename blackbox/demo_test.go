package blackbox_test

import (
	"testing"
	"time"

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
	shop.post(path+"/lines", addBody(roller, "1",
		configured(`{`+window+`,"choices":["blackout","blackout-night","wall-mount","chain","cassette"]}`))).wantConfigured(201,
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

// With --demo-sales the demo begins with orders on each of thirty days, one of them unpaid, and a quote to answer.
func TestTheDemoBeginsWithSales(t *testing.T) {
	t.Parallel()
	merchant := start(t, options{redis: "embedded", flags: []string{"--demo", "--demo-sales"}}).client(t).withKey("demo-desk-key")
	var summary struct {
		Sales []struct {
			Hour              time.Time
			Orders, Cancelled int
		}
		Orders   struct{ Unpaid, Overdue int }
		Quotes   struct{ Waiting int }
		Contacts struct{ Awaiting int }
	}
	merchant.get("summary?days=31").wantStatus(200).decode(&summary)
	days, orders, cancelled := map[string]bool{}, 0, 0
	for _, one := range summary.Sales {
		orders, cancelled = orders+one.Orders, cancelled+one.Cancelled
		if one.Orders > 0 {
			days[one.Hour.Local().Format(time.DateOnly)] = true
		}
	}
	// Just after midnight the last orders are of the day before.
	if len(days) < 29 || orders < 60 || cancelled != 1 || summary.Orders.Unpaid != 1 || summary.Orders.Overdue != 0 ||
		summary.Quotes.Waiting != 1 || summary.Contacts.Awaiting != 1 {
		t.Errorf("got orders on %d days, %d in all, %d cancelled, and %+v", len(days), orders, cancelled, summary)
	}
	merchant.withKey("demo-storefront-key").newCart() // the clock goes again
	runs(t, "serve", "--listen", "127.0.0.1:0", "--redis", "embedded", "--demo-sales").wantUsage(t, "--demo-sales belongs to --demo")
}
