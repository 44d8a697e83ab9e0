package answers

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// news is what an event says about a value, for instance about an order.
type news[T any] struct {
	name  string
	store *commerce.Store
	about T
	token string
	// part is the part of the order that the news is about; nil if there is none.
	part *commerce.Part
	at   time.Time
	// unmade is true if the commit makes the number of the value. The encoder then leaves it out, and adds its offset to madeAt.
	unmade bool
	madeAt []int
}

// eventOf is the kind of events with these fields. Spec: Events.
func eventOf[T any](fields ...Field[*news[T]]) Kind[*news[T]] {
	return field.Object("",
		field.Member("event", Text, "", func(n *news[T]) *string { return &n.name }),
		field.Member("store_id", UUID, "", func(n *news[T]) *uuid.UUID { return &n.store.ID }),
		field.Group(fields...),
		field.IfSet("token", Text, "", func(n *news[T]) *string { return &n.token }),
		field.Member("occurred_at", Time, "", func(n *news[T]) *time.Time { return &n.at }))
}

// aboutOf are the fields of the value of the news.
func aboutOf[T any](fields []Field[T]) Field[*news[T]] {
	return field.Of(fields, func(n *news[T]) T { return n.about })
}

// numbered is aboutOf with a "number" that is left out if the commit makes it.
func numbered[T any](fields []Field[T]) []Field[*news[T]] {
	i := slices.IndexFunc(fields, func(f Field[T]) bool { return f.Described[0].Name == "number" })
	number := fields[i]
	return field.Rows(
		aboutOf(fields[:i]),
		field.Self("number", Kind[*news[T]]{Schema: number.Described[0].Schema, Append: func(dst []byte, n *news[T]) []byte {
			if n.unmade {
				return n.leaveOut(dst)
			}
			return field.AppendValue(dst, number, n.about)
		}}, ""),
		aboutOf(fields[i+1:]))
}

// leaveOut leaves out a number that the commit makes, at the end of the text.
func (n *news[T]) leaveOut(dst []byte) []byte {
	n.madeAt = append(n.madeAt, len(dst))
	return dst
}

// event is the event in the form in which it is stored: like encoding/json, it escapes what has a meaning in HTML.
func (n *news[T]) event(kind Kind[*news[T]]) *commerce.Event {
	text := kind.Append(nil, n)
	var body bytes.Buffer
	from := 0
	for i, at := range n.madeAt {
		json.HTMLEscape(&body, text[from:at])
		n.madeAt[i], from = body.Len(), at
	}
	json.HTMLEscape(&body, text[from:])
	return &commerce.Event{Name: n.name, Body: body.Bytes(), MadeAt: n.madeAt}
}

var (
	orderPlaced = eventOf(
		field.Self("order", field.Object("", numbered(slices.Concat(storeHead, placedLines, orderRest))...), ""),
		field.If(func(n *orderNews) bool { return n.about.Ahead != nil },
			field.Self(unmadeTakes, Kind[*orderNews]{Schema: openapi.List(openapi.Anything), Append: appendUnmadeTakes}, "")))
	orderChanged = eventOf(
		field.Member("order", OrderNews, "", func(n *orderNews) **commerce.Order { return &n.about }),
		field.If(func(n *orderNews) bool { return n.part != nil }, field.Value("part", StorePart, "",
			func(n *orderNews) PartView { return PartView{n.part, n.about} })))
	quoteChanged = eventOf(field.Self("quote", field.Object("", numbered(quote)...), ""))
	contactEvent = eventOf(field.Member("contact", Profile, "", func(n *news[ProfileView]) *ProfileView { return &n.about }))
	stockChanged = eventOf(aboutOf(stockHead), field.Self("on_hand", unmadeStock, ""), aboutOf(stockRest))
)

type orderNews = news[*commerce.Order]

// placedLines are the lines of an order of which the commit makes whether they wait for goods: each lists its takes of items that could be
// sold ahead of their stock.
var placedLines = field.Rows(field.Value("lines", soldLines(OrderLine), "", func(o *commerce.Order) SoldLines {
	shares, _ := o.Shares()
	return SoldLines{Lines: o.Lines, Tax: &o.Tax, counts: o.Counts(), shares: shares, unmade: o}
}))

// unmadeTakes is the member of a stored event with those takes: what the commit left on hand, in millionths, and the expected day.
const unmadeTakes = "takes"

func appendUnmadeTakes(dst []byte, n *orderNews) []byte {
	dst = append(dst, '[')
	for i, take := range n.about.Ahead {
		dst = n.leaveOut(append(field.Comma(dst, i), '['))
		dst = append(DateOrNull.Append(append(dst, ','), take.From), ']')
	}
	return append(dst, ']')
}

// OrderPlaced is the event of a sale, with the order and its token; nil if no webhook receives it. The commit makes the order's number, and
// what the order's takes of items with a limit leave on hand.
func OrderPlaced(s *commerce.Sale) *commerce.Event {
	const name = commerce.EventOrderPlaced
	if !s.Store.Wants(name) {
		return nil
	}
	n := orderNews{name: name, store: s.Store, about: s.Order, token: s.Store.OrderToken(s.Order.ID), at: s.Order.PlacedAt, unmade: true}
	return n.event(orderPlaced)
}

// OrderChanged is an event about an order, without its lines; nil if no webhook receives it.
func OrderChanged(n *commerce.OrderNews) *commerce.Event {
	if !n.Store.Wants(n.Event) {
		return nil
	}
	return (&news[*commerce.Order]{name: n.Event, store: n.Store, about: n.Order, part: n.Part, at: n.At}).event(orderChanged)
}

// QuoteChanged is an event about a quote; nil if no webhook receives it. The commit makes the number of a new quote.
func QuoteChanged(n *commerce.QuoteNews) *commerce.Event {
	if !n.Store.Wants(n.Event) {
		return nil
	}
	token := ""
	if n.Quote.Version > 0 && (n.Event == commerce.EventQuoteRequested || n.Event == commerce.EventQuoteOffered) { // for the mail with the link
		token = n.Store.QuoteToken(n.Quote.ID)
	}
	about := news[QuoteView]{name: n.Event, store: n.Store, about: QuoteAt(n.Quote, n.At), token: token, at: n.At,
		unmade: n.Quote.Version > 0 && n.Quote.Number == 0}
	return about.event(quoteChanged)
}

// ContactChanged is an event about a contact; nil if no webhook receives it.
func ContactChanged(name string, s *commerce.Store, c *commerce.Contact, at time.Time) *commerce.Event {
	if !s.Wants(name) {
		return nil
	}
	return (&news[ProfileView]{name: name, store: s, about: ProfileView{c, s}, at: at}).event(contactEvent)
}

// inMillionths is the end of the stock on hand in a stored event: a JSON number of millionths.
const inMillionths = "e-6"

type stockNews = news[*commerce.StockAdjustment]

var unmadeStock = Kind[*stockNews]{Schema: openapi.Number, Append: func(dst []byte, n *stockNews) []byte { return append(n.leaveOut(dst), inMillionths...) }}

var stockHead = field.Rows(
	field.Member("product_id", UUID, "", func(a *commerce.StockAdjustment) *uuid.UUID { return &a.ProductID }),
	field.Member("variant_id", UUIDOrNull, "", func(a *commerce.StockAdjustment) *uuid.UUID { return &a.VariantID }),
	field.Member("quantity", number[commerce.StockDelta](), "", func(a *commerce.StockAdjustment) *commerce.StockDelta { return &a.Quantity }),
)

var stockRest = field.Rows(field.Member("reason", field.Pointer(Text), "", func(a *commerce.StockAdjustment) **string { return &a.Reason }))

// StockAdjusted is the event of a change of stock; nil if no webhook receives it. The commit makes the stock on hand.
func StockAdjusted(n *commerce.StockNews) *commerce.Event {
	const name = commerce.EventStockAdjusted
	if !n.Store.Wants(name) {
		return nil
	}
	return (&stockNews{name: name, store: n.Store, about: &n.Change, at: n.At, unmade: true}).event(stockChanged)
}

// Delivered is the body of a stored event as its webhooks receive it: the stock on hand is the shortest JSON number, and lines of an order
// say whether they wait.
func Delivered(name string, body []byte) []byte {
	root, err := strictjson.Parse(body)
	switch {
	case err != nil:
		return body
	case name == commerce.EventStockAdjusted:
		return withOnHand(root)
	case name == commerce.EventOrderPlaced:
		return withWaiting(root)
	}
	return body
}

// withWaiting replaces, in each line that lists takes, the list by whether one of them left less than nothing, and null by the day.
func withWaiting(root strictjson.Value) []byte {
	stored, found := root.Get(unmadeTakes)
	if !found {
		return root
	}
	var takes []commerce.AheadTake
	for _, take := range stored.Items() {
		var of commerce.AheadTake
		for i, part := range take.Items() {
			if i == 0 {
				left, _ := strconv.ParseInt(string(part), 10, 64)
				of.Left = commerce.Micros(left)
			} else {
				of.From, _ = commerce.ParseDate(part.Text())
			}
		}
		takes = append(takes, of)
	}
	var body []byte
	from := 0
	replace := func(value strictjson.Value, with []byte) {
		at := value.Offset(root)
		body = append(append(body, root[from:at]...), with...)
		from = at + len(value)
	}
	order, _ := root.Get("order")
	lines, _ := order.Get("lines")
	for _, line := range lines.Items() {
		list, _ := line.Get("backordered")
		day, _ := line.Get("available_from")
		if list.Kind() != strictjson.Array {
			continue
		}
		var waiting commerce.Waiting
		for _, number := range list.Items() {
			if n, err := strconv.Atoi(string(number)); err == nil && n < len(takes) {
				waiting.Add(takes[n].Left, takes[n].From)
			}
		}
		replace(list, strconv.AppendBool(nil, waiting.Backordered))
		replace(day, DateOrNull.Append(nil, waiting.From))
	}
	member := stored.Offset(root) - len(`,"`+unmadeTakes+`":`)
	body = append(body, root[from:member]...)
	return append(body, root[stored.Offset(root)+len(stored):]...)
}

func withOnHand(root strictjson.Value) []byte {
	stored, _ := root.Get("on_hand")
	digits, found := bytes.CutSuffix(stored, []byte(inMillionths))
	n, err := strconv.ParseInt(string(digits), 10, 64)
	if !found || err != nil {
		return root
	}
	at := stored.Offset(root)
	return slices.Concat(root[:at], commerce.Micros(n).AppendJSON(nil), root[at+len(stored):])
}
