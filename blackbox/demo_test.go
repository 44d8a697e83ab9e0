package blackbox_test

import (
	"testing"

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
