package records

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

// fullQuote uses every field; without an answer if none is given.
func fullQuote(answer func(*commerce.Quote)) *commerce.Quote {
	days := 3
	at := time.UnixMilli(1_795_000_000_123).UTC()
	discount := commerce.OrderDiscount{ID: uuid.New(), Name: "Ten", Code: "TEN", Kind: commerce.DiscountOrder, Amount: 7}
	shipping := commerce.OrderDiscount{ID: uuid.New(), Name: "Post", Kind: commerce.DiscountShipping}
	q := &commerce.Quote{
		ID: uuid.New(), Number: 41, Version: 2, CartID: uuid.New(), Customer: commerce.Binding{ID: uuid.New(), Guest: true}, Email: "a@b.co",
		QuoteDetails: commerce.QuoteDetails{Name: "A", CompanyName: "B", Phone: "C", Message: "D\nE",
			Reference: "F"}, Metadata: commerce.Metadata{{Key: "a", Value: commerce.Scalar{Text: "true"}}},
		Signed: true, Reasons: []string{commerce.QuoteCartThreshold, commerce.QuoteCustomerGroup}, Tax: commerce.Taxation{
			Country: commerce.Country{'D', 'E'}, Exemption: commerce.ReverseCharge, Included: true}, VATID: "DE123",
		Goods: commerce.Goods{
			Lines: []commerce.OrderLine{
				{Line: commerce.Line{ID: uuid.New(), ProductID: uuid.New(), Name: "Nail", Quantity: 1500, UnitPrice: 10, Made: at}, Total: 8, TaxRate: 21e9,
					Returnable: true, LeadTimeDays: &days, VariantName: "Red", Freight: commerce.Freight{RequiresShipping: true, UnitWeight: 1500}},
				{Line: commerce.Line{ID: uuid.New(), ProductID: uuid.New(), VariantID: uuid.New(), SKU: "S", Made: at,
					Configuration: &commerce.Configuration{MatrixName: "M"}}},
			},
			Discounts: []commerce.OrderDiscount{discount},
			Shipping: []commerce.ShippingDiscount{
				{OrderDiscount: shipping, Value: commerce.DiscountValue{Fixed: true, Amount: 300}},
				{OrderDiscount: shipping, Value: commerce.DiscountValue{Percent: 50e9}},
			},
		},
		CreatedAt: at, ValidUntil: at.Add(time.Hour),
	}
	if answer != nil {
		answer(q)
	}
	return q
}

// written gives a quote all that the merchant writes.
func written(q *commerce.Quote, at time.Time) {
	held := []commerce.StockAsk{{Item: uuid.New(), Quantity: 5, Granted: 5}}
	draft := &commerce.QuoteDraft{
		At: at, Country: commerce.Country{'B', 'E'}, Included: true, LinesName: "Off", Rows: q.Goods.Discounts, Shipping: q.Goods.Shipping,
		Discount: &commerce.WholeDiscount{Name: "Project", ByPercent: true, Percent: 5e9, Amount: 3}, ValidUntil: at.Add(time.Hour), Mode: "click",
		Delivery:  &commerce.FixedDelivery{MethodID: uuid.New(), Name: "Van", Price: 4900, TaxCode: "standard", Home: 21e9, Rate: 19e9},
		HoldStock: true, OfferMessage: "Dear A",
		Lines: []commerce.DraftLine{{OrderLine: q.Goods.Lines[0], Own: true, Discount: 7, TaxCode: "reduced"}, {OrderLine: q.Goods.Lines[1]}},
	}
	source := *draft
	source.Rows = nil
	q.Number, q.Version, q.ValidUntil, q.Draft, q.Source, q.Delivery, q.Held, q.HoldUntil = 0, 0, time.Time{}, draft, &source, draft.Delivery, held, at
	q.OfferMessage, q.InternalNote, q.ChangeMessage, q.ChangeAt, q.WithdrawnAt, q.WithdrawReason = "Offer", "Note", "Change", at, at, "Reason"
	q.History = []commerce.QuoteAct{{At: at, Event: "offered", By: "desk", Version: 1, Total: 9, Text: "Text"}}
}

// A first offer has its number at its end, where the script appends it as the last of the made texts.
func TestNumberOfAFirstOffer(t *testing.T) {
	q := fullQuote(func(q *commerce.Quote) { q.Number = 0 })
	text := string(appendQuote(nil, &engine.Record[*commerce.Quote]{State: q}))
	got, err := Quotes.Decode(engine.RecordKey{ID: q.ID}, text+"8\n8\n41"+"00000006")
	if err != nil || got.State.Number != 41 {
		t.Errorf("%+v, %v", got.State, err)
	}
	for _, made := range []string{"", "41", "8\n000000002", "000000000"} {
		if _, err := Quotes.Decode(engine.RecordKey{ID: q.ID}, text+made); !errors.Is(err, redisdb.ErrCorrupt) {
			t.Errorf("with %q made: %v", made, err)
		}
	}
}

// Quotes are decoded as they were encoded, also if the script appended a text after the number.
// A cut record is corrupt.
func TestDecodedQuoteEqualsTheEncodedOne(t *testing.T) {
	at := time.UnixMilli(1_795_000_009_999).UTC()
	for name, q := range map[string]*commerce.Quote{
		"offered":  fullQuote(nil),
		"accepted": fullQuote(func(q *commerce.Quote) { q.OrderID, q.AcceptedAt, q.SignerName = uuid.New(), at, "Signer" }),
		"declined": fullQuote(func(q *commerce.Quote) { q.DeclinedAt, q.DeclineReason = at, "No" }),
		"bare":     {ID: uuid.New(), Number: 1, Version: 1, CreatedAt: at, ValidUntil: at},
		"draft":    fullQuote(func(q *commerce.Quote) { written(q, at) }),
	} {
		key := engine.RecordKey{Store: uuid.New(), ID: q.ID}
		want := engine.Record[*commerce.Quote]{
			Stamp: engine.Stamp{Counter: 2, Writer: 3, Sequence: 4}, Writers: []engine.Writer{{ID: 5, Sequence: 6, At: at}}, State: q,
		}
		text := string(appendQuote(nil, &want))
		for _, made := range []string{"", "5\n700000007"} {
			want.Size = len(text + made)
			if got, err := Quotes.Decode(key, text+made); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, with %q made: %v\n got %+v\nwant %+v", name, made, err, got.State, q)
			}
		}
		for n := range len(text) {
			if _, err := Quotes.Decode(key, text[:n]); !errors.Is(err, redisdb.ErrCorrupt) {
				t.Fatalf("%s: %d of %d bytes are decoded as a quote", name, n, len(text))
			}
		}
		body := string(AppendQuoteBody(nil, &want))
		for _, number := range []string{"0", "-1", "x", ""} {
			if number == "0" && q.Version == 0 {
				continue // it is not offered yet
			}
			if _, err := Quotes.Decode(key, body+number+EndOfNumber); !errors.Is(err, redisdb.ErrCorrupt) {
				t.Errorf("%s: the number %q is accepted", name, number)
			}
		}
		if text != body+strings.TrimPrefix(text, body) || !strings.HasSuffix(text, EndOfNumber) {
			t.Errorf("%s: the script cannot complete it", name)
		}
	}
}

// FuzzDecodeQuote: no text makes the decoder panic, and every decoded quote encodes to the same
// text.
func FuzzDecodeQuote(f *testing.F) {
	at := time.UnixMilli(1_795_000_009_999).UTC()
	for _, answer := range []func(*commerce.Quote){
		nil,
		func(q *commerce.Quote) { q.OrderID, q.AcceptedAt, q.SignerName = uuid.New(), at, "Signer" },
		func(q *commerce.Quote) { q.DeclinedAt, q.DeclineReason = at, "No" },
		func(q *commerce.Quote) { written(q, at) },
	} {
		f.Add(string(appendQuote(nil, &engine.Record[*commerce.Quote]{State: fullQuote(answer)})) + "7")
	}
	key := engine.RecordKey{Store: uuid.UUID{5}, ID: uuid.UUID{1}}
	f.Fuzz(func(t *testing.T, text string) {
		first, err := Quotes.Decode(key, text)
		if err != nil {
			return
		}
		once := string(appendQuote(nil, &first))
		second, err := Quotes.Decode(key, once)
		if err != nil || string(appendQuote(nil, &second)) != once {
			t.Fatalf("%q decodes to %+v and then to %+v, %v", text, first.State, second.State, err)
		}
	})
}
