package answers

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func hookedStore(events ...string) *commerce.Store {
	return &commerce.Store{ID: uuid.UUID{1}, Webhooks: []commerce.Webhook{{Events: events}}}
}

// Events have the merchant's form of an order: with lines when it is placed, without them afterwards.
func TestEventsOfOrders(t *testing.T) {
	store := hookedStore(commerce.EventOrderPlaced, commerce.EventOrderPaid)
	order := &commerce.Order{ID: uuid.UUID{2}, Number: 7, PlacedAt: noon, CustomerNote: "<b>", Lines: []commerce.OrderLine{{Line: commerce.Line{Name: "Tile"}}}}
	paid := OrderChanged(&commerce.OrderNews{Event: commerce.EventOrderPaid, Store: store, Order: order, At: noon})
	const begin = `{"event":"order.paid","store_id":"01000000-0000-0000-0000-000000000000","order":{"id":"02000000-0000-0000-0000-000000000000","number":7,`
	if paid.Name != commerce.EventOrderPaid || paid.MadeAt != nil || !strings.HasPrefix(string(paid.Body), begin) ||
		!strings.HasSuffix(string(paid.Body), `},"occurred_at":"2026-11-20T12:00:00Z"}`) || strings.Contains(string(paid.Body), `"lines"`) ||
		!strings.Contains(string(paid.Body), `"customer_note":"\u003cb\u003e"`) || !strings.Contains(string(paid.Body), `"restocked":false`) {
		t.Errorf("paid: %+v %s", paid, paid.Body)
	}
	placed := OrderPlaced(&commerce.Sale{Store: store, Order: order})
	head, tail := string(placed.Body[:placed.MadeAt[0]]), string(placed.Body[placed.MadeAt[0]:])
	if !strings.HasSuffix(head, `"number":`) || !strings.HasPrefix(tail, `,"cart_id"`) || !strings.Contains(tail, `"lines":[{"id":`) ||
		!strings.Contains(tail, `"token":"`+store.OrderToken(order.ID)+`","occurred_at":`) || order.Number != 7 {
		t.Errorf("placed: %s", placed.Body)
	}
	if e := OrderChanged(&commerce.OrderNews{Event: commerce.EventOrderShipped, Store: store, Order: order}); e != nil {
		t.Errorf("an event that no webhook wants: %s", e.Body)
	}
	if e := OrderPlaced(&commerce.Sale{Store: hookedStore(), Order: order}); e != nil {
		t.Errorf("an event that no webhook wants: %s", e.Body)
	}
}

// The commit makes what each take of an item with a limit leaves: lines wait if one of theirs left less than nothing.
func TestPlacedOrderSaysWhatWaits(t *testing.T) {
	store, may, june := hookedStore(commerce.EventOrderPlaced), commerce.Date(740_113), commerce.Date(740_144)
	items := []uuid.UUID{{1}, {2}, {3}, {4}}
	order := &commerce.Order{ID: uuid.UUID{2}, PlacedAt: noon}
	for _, item := range items {
		order.Takes = append(order.Takes, commerce.StockAsk{Item: item})
		order.Lines = append(order.Lines, commerce.OrderLine{Line: commerce.Line{ProductID: item, Name: "<"}})
	}
	both := commerce.Line{Configuration: &commerce.Configuration{Components: []commerce.ComponentUse{
		{ProductID: items[0], Quantity: "1"}, {ProductID: items[1], Quantity: "1"}, {ProductID: items[3], Quantity: "1"}}}, Quantity: commerce.One}
	order.Lines = append(order.Lines, commerce.OrderLine{Line: both})
	for i := range order.Lines {
		order.Lines[i].Quantity = commerce.One
	}
	order.Ahead = []commerce.AheadTake{{Take: 0, From: may}, {Take: 1, From: june}, {Take: 2, From: june}}
	for _, c := range []struct {
		left [3]string
		want []string // of each line
	}{
		{[3]string{"-1", "-2000000", "0"}, []string{`true,"available_from":"2027-05-12"`, `true,"available_from":"2027-06-12"`, `false,"available_from":null`,
			`false,"available_from":null`, `true,"available_from":"2027-06-12"`}},
		{[3]string{"-1", "0", "5"}, []string{`true,"available_from":"2027-05-12"`, `false,"available_from":null`, `false,"available_from":null`,
			`false,"available_from":null`, `true,"available_from":"2027-05-12"`}},
	} {
		e := OrderPlaced(&commerce.Sale{Store: store, Order: order})
		if len(e.MadeAt) != 4 {
			t.Fatalf("the commit makes %d numbers", len(e.MadeAt))
		}
		body, from := "", 0
		for i, at := range e.MadeAt {
			body, from = body+string(e.Body[from:at])+append([]string{"7"}, c.left[:]...)[i], at
		}
		body += string(e.Body[from:])
		var want []byte
		made := *order
		made.Number, made.Ahead = 7, slices.Clone(order.Ahead)
		for i := range made.Ahead {
			n, _ := strconv.Atoi(c.left[i])
			made.Ahead[i].Left = commerce.Micros(n)
		}
		got := string(Delivered(e.Name, []byte(body)))
		want = append(append(append(want, got[:strings.Index(got, `"order":`)+len(`"order":`)]...), StoreOrder.Append(nil, &made)...),
			`,"token":"`+store.OrderToken(order.ID)+`","occurred_at":"2026-11-20T12:00:00Z"}`...)
		if want := strings.ReplaceAll(string(want), "<", `\u003c`); got != want {
			t.Errorf("left %v: delivered is\n%s\nwant\n%s", c.left, got, want)
		}
		for i, rest := 0, got; i < len(c.want); i++ {
			_, rest, _ = strings.Cut(rest, `"backordered":`)
			if !strings.HasPrefix(rest, c.want[i]) {
				t.Errorf("left %v: line %d is %.40s, want %s", c.left, i, rest, c.want[i])
			}
		}
	}
}

// The request of a quote has its token, and a number that the commit makes.
func TestEventsOfQuotes(t *testing.T) {
	store := hookedStore(commerce.EventQuoteRequested, commerce.EventQuoteDeclined)
	quote := &commerce.Quote{ID: uuid.UUID{3}, Version: 1, CreatedAt: noon, ValidUntil: noon}
	requested := QuoteChanged(&commerce.QuoteNews{Event: commerce.EventQuoteRequested, Store: store, Quote: quote, At: noon})
	head, tail := string(requested.Body[:requested.MadeAt[0]]), string(requested.Body[requested.MadeAt[0]:])
	if !strings.HasSuffix(head, `"number":`) || !strings.HasPrefix(tail, `,"status":`) ||
		!strings.HasSuffix(tail, `},"token":"`+store.QuoteToken(quote.ID)+`","occurred_at":"2026-11-20T12:00:00Z"}`) {
		t.Errorf("requested: %s", requested.Body)
	}
	quote.Number = 5
	declined := QuoteChanged(&commerce.QuoteNews{Event: commerce.EventQuoteDeclined, Store: store, Quote: quote, At: noon})
	if declined.MadeAt != nil || !strings.Contains(string(declined.Body), `"number":5,`) || strings.Contains(string(declined.Body), `"token"`) {
		t.Errorf("declined: %s", declined.Body)
	}
	if e := QuoteChanged(&commerce.QuoteNews{Event: commerce.EventQuoteAccepted, Store: store, Quote: quote}); e != nil {
		t.Errorf("an event that no webhook wants: %s", e.Body)
	}
}

// The stock on hand is stored in millionths, which the commit makes, and delivered as the shortest number. Metadata keeps its digits.
func TestEventsOfStock(t *testing.T) {
	reason := `<broken> "in" transit, "on_hand":1e-6`
	news := &commerce.StockNews{Store: hookedStore(), At: noon.Add(999 * time.Millisecond), Change: commerce.StockAdjustment{
		ProductID: uuid.UUID{5}, VariantID: uuid.UUID{6}, Quantity: -1_500_000, Reason: &reason}}
	if e := StockAdjusted(news); e != nil {
		t.Errorf("an event that no webhook wants: %s", e.Body)
	}
	news.Store = hookedStore("else", commerce.EventStockAdjusted)
	e := StockAdjusted(news)
	const want = `{"event":"stock.adjusted","store_id":"01000000-0000-0000-0000-000000000000","product_id":"05000000-0000-0000-0000-000000000000",` +
		`"variant_id":"06000000-0000-0000-0000-000000000000","quantity":-1.5,"on_hand":0.25,` +
		`"reason":"\u003cbroken\u003e \"in\" transit, \"on_hand\":1e-6","occurred_at":"2026-11-20T12:00:00Z"}`
	stored := string(e.Body[:e.MadeAt[0]]) + "250000" + string(e.Body[e.MadeAt[0]:])
	if stored != strings.Replace(want, "0.25", "250000e-6", 1) {
		t.Errorf("stored is %s", stored)
	}
	for _, body := range []string{stored, want} { // also one with a number of another form
		if got := string(Delivered(e.Name, []byte(body))); got != want {
			t.Errorf("delivered is %s\nwant %s", got, want)
		}
	}
	const other = `{"event":"order.paid","on_hand":250000e-6}`
	if got := string(Delivered(commerce.EventOrderPaid, []byte(other))); got != other {
		t.Errorf("an event of an order is delivered as %s", got)
	}
}

func TestEventsOfContacts(t *testing.T) {
	store := hookedStore(commerce.EventContactApproved)
	contact := &commerce.Contact{ID: uuid.UUID{4}, Email: "a@b.co", CreatedAt: noon}
	e := ContactChanged(commerce.EventContactApproved, store, contact, noon)
	const begin = `{"event":"contact.approved","store_id":"01000000-0000-0000-0000-000000000000","contact":{"id":"04000000-0000-0000-0000-000000000000",`
	if !strings.HasPrefix(string(e.Body), begin) || !strings.HasSuffix(string(e.Body), `},"occurred_at":"2026-11-20T12:00:00Z"}`) {
		t.Errorf("approved: %s", e.Body)
	}
	if e := ContactChanged(commerce.EventContactRegistered, store, contact, noon); e != nil {
		t.Errorf("an event that no webhook wants: %s", e.Body)
	}
}
