package commerce

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/internal/dice"
)

// quoted is a scene with an offered quote for one tile, which is delivered and tracked.
func quoted(t *testing.T, edits ...func(*Store)) (*scene, *Quote) {
	s := checkoutScene(t)
	s.shop.Product(tile).TrackStock, s.shop.Product(tile).RequiresShipping = true, true
	s.shop.Quotes.AcceptanceMode, s.shop.Quotes.ValidDays = SignatureMode, 1
	for _, edit := range edits {
		edit(s.shop)
	}
	s.shop.Index()
	s.do(s.ask(func(c *RequestQuote) {
		c.QuoteDetails = QuoteDetails{Name: "Buyer", Message: "Soon", Reference: "RFQ 7"}
	}))
	quote := *s.effects.Sale.Quote
	quote.Number = 3
	s.in.Now = s.in.Now.Add(time.Hour)
	return s, &quote
}

// accept is an accept with all possible fields.
func accept(edits ...func(*AcceptQuote)) *AcceptQuote {
	a := &AcceptQuote{OrderID: orderID, AcceptForm: AcceptForm{
		Signature: AskedSignature{Sent: true, PNG: "picture"}, SignerName: "Buyer",
		AskedDelivery: AskedDelivery{Method: AskedID{Sent: true, ID: parcel}, Shipping: AskedAddress{Sent: true, Address: Address{Name: "Buyer"}}},
	}}
	for _, edit := range edits {
		edit(a)
	}
	return a
}

// answer applies a command to a quote, which must stay as it was.
func (s *scene) answer(q *Quote, command Command[*Quote]) (*Quote, Effects, *Refusal) {
	s.Helper()
	before := fmt.Sprintf("%+v", *q)
	next, effects, r := ChangeQuote(q, command, &s.in)
	if after := fmt.Sprintf("%+v", *q); after != before {
		s.Fatalf("the quote changed from\n%s to\n%s", before, after)
	}
	return next, effects, r
}

// acceptFaults has every rule of an accept, in the order of judgement.
var acceptFaults = []struct {
	name, want string
	apart      string // names a rule that cannot be broken together with this one
	raise      func(*scene, *AcceptQuote)
}{
	{"no text", "signature: The signature field must be a string.", "", func(_ *scene, a *AcceptQuote) { a.Signature = AskedSignature{Sent: true, NoText: true} }},
	{"signer", "signer_name: Wrong.", "no text", func(_ *scene, a *AcceptQuote) { a.Faults.Add("signer_name", saying("Wrong.")[0]) }},
	{"method", "shipping_method_id: The shipping method id field is required.", "no text, signer", func(_ *scene, a *AcceptQuote) { a.Method = AskedID{} }},
	{"no signature", "SIGNATURE_REQUIRED", "no text", func(_ *scene, a *AcceptQuote) { a.Signature = AskedSignature{} }},
	{"signature", "SIGNATURE_INVALID", "no text, no signature", func(_ *scene, a *AcceptQuote) { a.Signature.PNG = "" }},
	{"stock", "OUT_OF_STOCK", "", func(s *scene, _ *AcceptQuote) {
		s.in.Shortage = &Shortage{Stock: []StockAsk{{Item: tile, Quantity: One.Micros(), Granted: 250_000}}}
	}},
}

func TestTheFirstRuleOfAnAcceptAnswers(t *testing.T) {
	for i, first := range acceptFaults {
		for _, second := range acceptFaults[i:] {
			if strings.Contains(second.apart, first.name) && first.name != second.name {
				continue
			}
			s, quote := quoted(t)
			command := accept()
			second.raise(s, command)
			if first.name != second.name {
				first.raise(s, command)
			}
			for range 2 {
				if _, _, r := s.answer(quote, command); shortly(r) != first.want {
					t.Errorf("%s and %s: got %s; want %s", first.name, second.name, shortly(r), first.want)
				}
			}
		}
	}
}

// In mode click every signature is ignored. The quote decides whether a delivery is required.
func TestFieldsOfAnAccept(t *testing.T) {
	click := func(s *Store) { s.Quotes.AcceptanceMode = "click" }
	for _, c := range []struct {
		name  string
		given func(*Store)
		today func(*Store)
		edit  func(*AcceptQuote)
		want  string
	}{
		{"a signature", nil, nil, func(*AcceptQuote) {}, "sold"},
		{"a click", click, nil, func(a *AcceptQuote) { a.Signature = AskedSignature{} }, "sold"},
		{"a click with a number", click, nil, func(a *AcceptQuote) { a.Signature = AskedSignature{Sent: true, NoText: true} }, "sold"},
		{"the mode of the request", click, func(s *Store) { s.Quotes.AcceptanceMode = SignatureMode },
			func(a *AcceptQuote) { a.Signature = AskedSignature{} }, "sold"},
		{"no name", nil, nil, func(a *AcceptQuote) { a.SignerName = "" }, "sold"},
		{"nothing delivered that day", func(s *Store) { s.Product(tile).RequiresShipping = false }, func(s *Store) { s.Product(tile).RequiresShipping = true },
			func(a *AcceptQuote) { a.AskedDelivery = AskedDelivery{} }, "sold"},
		{"nothing delivered today", nil, func(s *Store) { s.Product(tile).RequiresShipping = false }, func(a *AcceptQuote) { a.AskedDelivery = AskedDelivery{} },
			"shipping_method_id: The shipping method id field is required.; shipping_address: The shipping address field is required."},
		{"nothing of it", nil, nil, func(a *AcceptQuote) { a.AskedDelivery = AskedDelivery{} }, "shipping_method_id: The shipping method id field is required.; " +
			"shipping_address: The shipping address field is required."},
		{"a method of another day", nil, func(s *Store) { s.ShippingMethods = nil }, func(*AcceptQuote) {},
			"shipping_method_id: The selected shipping method id is invalid."},
		{"a product that is gone", nil, func(s *Store) { s.Products = nil; s.Index() }, func(*AcceptQuote) {}, "sold"},
		{"a product that is not sold", nil, func(s *Store) { s.Product(tile).Active = false }, func(*AcceptQuote) {}, "sold"},
		{"a store that takes no requests", nil, func(s *Store) { s.Quotes.Enabled = false }, func(*AcceptQuote) {}, "sold"},
		{"a minimum of today", nil, func(s *Store) { s.Policy.MinOrderValue = price(1 << 40) }, func(*AcceptQuote) {}, "sold"},
	} {
		s, quote := quoted(t, func(s *Store) {
			if c.given != nil {
				c.given(s)
			}
		})
		if c.today != nil {
			c.today(s.shop)
		}
		if _, _, r := s.answer(quote, accept(c.edit)); shortly(r) != c.want {
			t.Errorf("%s: got %s; want %s", c.name, shortly(r), c.want)
		}
	}
}

// The order has the promised goods, and today's delivery minus the promised discount.
func TestAnAcceptSellsTheQuote(t *testing.T) {
	limit := int64(1)
	s, quote := quoted(t, func(s *Store) {
		s.Discounts = []Discount{
			{ID: testID(0xd1), Name: "Half", Kind: DiscountOrder, Active: true, Value: DiscountValue{Percent: 50e9}, UsageLimit: &limit},
			{ID: testID(0xd3), Name: "Carriage", Kind: DiscountShipping, Active: true, Value: DiscountValue{Percent: 10e9}, UsageLimit: &limit},
		}
	})
	quote.Customer, quote.Metadata = Binding{ID: ada.CustomerID}, Metadata{{"gift", Scalar{Text: "true"}}}
	s.shop.Product(tile).Prices, s.shop.Product(tile).Name, s.shop.Product(tile).Tax = Prices{}, "Dear tile", taxed(0)
	s.shop.Discounts, s.shop.ShippingMethods[0].Price, s.shop.ShippingMethods[0].Tax = nil, 1000, taxed(9e9)
	s.shop.Index()
	next, effects, r := s.answer(quote, accept())
	if r != nil {
		t.Fatal(r)
	}
	want := &Order{
		ID: orderID, CartID: cartID, QuoteID: quoteID, Email: "buyer@example.com", Customer: quote.Customer, Reference: "RFQ 7", PlacedAt: s.in.Now,
		Metadata:        quote.Metadata,
		Tax:             Taxation{Included: true},
		Lines:           quote.Goods.Lines,
		Discounts:       []OrderDiscount{{ID: testID(0xd1), Name: "Half", Amount: 500}, {ID: testID(0xd3), Name: "Carriage", Kind: DiscountShipping, Amount: 100}},
		Shipping:        &OrderShipping{ID: parcel, Name: "Parcel", Price: 900, PriceWithTax: 900},
		ShippingAddress: &Address{Name: "Buyer"},
		Takes:           []StockAsk{{tile, 1_000_000, 1_000_000}},
		Totals: OrderTotals{Subtotal: 413, ShippingTotal: 826, TaxTotal: 161, Total: 1400, DiscountTotal: 500,
			Breakdown: []TaxRow{{21e9, 413, 87}, {9e9, 826, 74}}},
	}
	sale := effects.Sale
	if !reflect.DeepEqual(sale.Order, want) {
		t.Errorf("the order is\n%+v; want\n%+v", sale.Order, want)
	}
	if takes := []StockAsk{{tile, 1_000_000, 1_000_000}}; !slices.Equal(sale.Takes, takes) || sale.Uses != nil || sale.Signature != "picture" ||
		sale.CartEvent() != nil {
		t.Errorf("the sale is %+v; want it to take %v", sale, takes)
	}
	if next.OrderID != orderID || next.SignerName != "Buyer" || next.AcceptedAt != s.in.Now || effects.News.Quote != next ||
		effects.News.Event != EventQuoteAccepted {
		t.Errorf("the quote is %+v, its effects %+v", next, effects)
	}
}

// Today's document decides which stock an accept takes. An item that it does not have is not taken.
func TestStockOfAnAccept(t *testing.T) {
	for _, c := range []struct {
		name  string
		today func(*Store)
		takes int
	}{
		{"tracked", func(*Store) {}, 1},
		{"inactive", func(s *Store) { s.Product(tile).Active = false }, 1},
		{"tracked no more", func(s *Store) { s.Product(tile).TrackStock = false }, 0},
		{"gone", func(s *Store) { s.Products = s.Products[1:]; s.Product(cord).TrackStock = true }, 0},
		{"without the module", func(s *Store) { s.Modules &^= 1 << ModuleStock }, 0},
	} {
		s, quote := quoted(t)
		c.today(s.shop)
		s.shop.Index()
		s.in.Shortage = &Shortage{Stock: []StockAsk{{Item: tile, Quantity: 1_000_000, Granted: 0}}}
		_, _, r := s.answer(quote, accept())
		if short := r == nil; short != (c.takes == 0) || c.takes > 0 && !reflect.DeepEqual(r, OutOfStock.Of([]StockShort{{tile, uuid.Nil, 1_000_000, 0}})) {
			t.Errorf("%s: short: %v", c.name, r)
		}
		s.in.Shortage = nil
		if _, effects, r := s.answer(quote, accept()); r != nil || len(effects.Sale.Takes) != c.takes {
			t.Errorf("%s: %v, takes %v", c.name, r, effects.Sale)
		}
	}
}

// An accepted quote gives the same order as a checkout of its cart on the day of the request, also
// after an import that changed goods and discounts. If the price basis changed, the delivery is
// converted to the quote's basis.
func TestAnAcceptedQuoteGivesTheOrderOfItsCart(t *testing.T) {
	r := dice.New(t)
	bases := map[bool]int{}
	for range 10_000 {
		s, c := someDiscounts(r)
		s.Modules = 1<<moduleCount - 1
		s.Index()
		method := someMethod(r)
		if method != nil {
			s.ShippingMethods = []ShippingMethod{*method}
		}
		var e Evaluation
		e.Evaluate(c, s, guest, noon)
		promised := e.goods(s)
		for i := range promised.Lines {
			promised.Lines[i].Freight = Freight{} // a delivery is not needed
		}
		quote := &Quote{CartID: c.ID, Version: 1, Goods: promised, Tax: e.Tax}
		var want Order
		want.fill(&promised, quote.consignment(s).by(method), e.Tax)

		today := *s
		today.Products, today.Discounts = nil, nil
		flipped := r.IntN(3) == 0
		if flipped {
			today.PricesIncludeTax = !s.PricesIncludeTax
		}
		today.Index()
		bases[flipped]++
		a := &AcceptQuote{}
		if method != nil {
			a.Method = AskedID{Sent: true, ID: method.ID}
		}
		_, effects, refusal := ChangeQuote(quote, a, &Input{Store: &today, Now: noon})
		if refusal != nil {
			t.Fatal(refusal)
		}
		got := effects.Sale.Order
		if sum := got.Totals.Subtotal + got.Totals.ShippingTotal + got.Totals.TaxTotal; sum != got.Totals.Total || got.Totals.ShippingTotal < 0 {
			t.Fatalf("%+v does not add up", got.Totals)
		}
		switch {
		case !flipped && orderFigures(got) != orderFigures(&want):
			t.Fatalf("got %s\nwant %s", orderFigures(got), orderFigures(&want))
		case got.Totals.Subtotal != want.Totals.Subtotal || got.Totals.DiscountTotal != want.Totals.DiscountTotal:
			t.Fatalf("goods of %+v; want %+v", got.Totals, want.Totals)
		}
		if flipped && method != nil && len(promised.Shipping) == 0 {
			base, tax := splitTax(method.Price, method.Tax.Rate, today.PricesIncludeTax)
			if paid := got.Totals.Total - quote.Totals().Total; paid < base+tax-2 || paid > base+tax+2 { // the rounding of a rate's sum
				t.Fatalf("a delivery of %d at %v costs %d; want %d", method.Price, method.Tax, paid, base+tax)
			}
		}
	}
	if bases[true] < 100 || bases[false] < 100 {
		t.Errorf("bases met: %v", bases)
	}
}

// The states of a quote and their refusals.
func TestStatesOfAQuote(t *testing.T) {
	s, offered := quoted(t)
	accepted, _, r := s.answer(offered, accept())
	if r != nil {
		t.Fatal(r)
	}
	declined, effects, r := s.answer(offered, DeclineQuote{Reason: "Too dear"})
	if r != nil || declined.DeclineReason != "Too dear" || effects.Sale != nil || effects.News.Event != EventQuoteDeclined || effects.Made != uuid.Nil {
		t.Fatalf("declined: %+v, %+v, %v", declined, effects, r)
	}
	end := offered.CreatedAt.Add(24 * time.Hour)
	for _, c := range []struct {
		quote   *Quote
		at      time.Time
		status  string
		closed  *Refusal
		written time.Time
	}{
		{offered, end.Add(-time.Millisecond), "offered", nil, offered.CreatedAt},
		{offered, end, "expired", QuoteExpired, offered.CreatedAt},
		{accepted, end, "accepted", AlreadyConverted.asOrder(orderID), s.in.Now},
		{declined, end, "declined", QuoteNotOffered, s.in.Now},
	} {
		if c.quote.Status(c.at) != c.status || !reflect.DeepEqual(c.quote.Closed(nil, c.at), c.closed) || c.quote.WrittenAt() != c.written {
			t.Errorf("%s at %v: %s, %v, written %v", c.status, c.at, c.quote.Status(c.at), c.quote.Closed(nil, c.at), c.quote.WrittenAt())
		}
	}
}

// Tokens have one length and one alphabet, differ by quote and by store, and have a hash that finds
// the quote.
func TestQuoteTokens(t *testing.T) {
	shop, other := testShop(), testShop()
	other.Secret[0]++
	token := shop.QuoteToken(quoteID)
	if token != shop.QuoteToken(quoteID) || token == shop.QuoteToken(orderID) || token == other.QuoteToken(quoteID) || len(token) != 43 {
		t.Errorf("the token is %q", token)
	}
	if hash, ok := HashQuoteToken(token); !ok || hash != HashSecret([]byte(token)) {
		t.Errorf("its hash is %x, %v", hash, ok)
	}
	for _, text := range []string{"", token[1:], token + "A", token[:42] + "=", token[:42] + "+", token[:42] + "\n", "\r" + token[:42], token[:42] + "é"} {
		if _, ok := HashQuoteToken(text); ok {
			t.Errorf("%q is taken for a token", text)
		}
	}
}

// picture is a PNG of one pixel, padded to the given length.
func picture(t testing.TB, length int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	if length == 0 {
		return b.Bytes()
	}
	return append(b.Bytes(), make([]byte, length-b.Len())...)
}

func dataURL(b []byte) string { return signaturePrefix + base64.StdEncoding.EncodeToString(b) }

// docs/api/quotes.md#by-token, SIGNATURE_INVALID.
func TestParseSignature(t *testing.T) {
	one := picture(t, 0)
	text := dataURL(one)
	encoded := strings.TrimPrefix(text, signaturePrefix)
	chunk := func(at int, b byte) string { p := bytes.Clone(one); p[at] = b; return dataURL(p) }
	for _, c := range []struct {
		name, text string
		ok         bool
	}{
		{"a picture", text, true},
		{"the largest", dataURL(picture(t, maxSignature)), true},
		{"one byte more", dataURL(picture(t, maxSignature+1)), false},
		{"three bytes more", dataURL(picture(t, maxSignature+3)), false},
		{"the head and IHDR", dataURL(one[:minSignature]), true},
		{"a part of IHDR", dataURL(one[:minSignature-1]), false},
		{"the eight bytes", dataURL(one[:8]), false},
		{"nothing", signaturePrefix, false},
		{"no data URL", encoded, false},
		{"empty", "", false},
		{"another type", "data:image/jpeg;base64," + encoded, false},
		{"another type of the same length", "data:image/pmg;base64," + encoded, false},
		{"capitals", "data:image/PNG;base64," + encoded, false},
		{"a parameter", "data:image/png;charset=utf-8;base64," + encoded, false},
		{"not base64", "data:image/png," + encoded, false},
		{"a space", signaturePrefix + encoded[:8] + " " + encoded[8:], false},
		{"a space in front", signaturePrefix + " " + encoded, false},
		{"a line break", signaturePrefix + encoded[:8] + "\n" + encoded[8:], false},
		{"a carriage return at the end", text + "\r", false},
		{"percent escapes", signaturePrefix + strings.ReplaceAll(encoded, "A", "%41"), false},
		{"the URL alphabet", signaturePrefix + strings.ReplaceAll(encoded, "/", "_"), strings.Count(encoded, "/") == 0},
		{"no padding", signaturePrefix + base64.RawStdEncoding.EncodeToString(one[:34]), false},
		{"padding too much", text + "=", false},
		{"bits after the end", signaturePrefix + base64.StdEncoding.EncodeToString(one[:34])[:45] + "Z==", false},
		{"a byte of the head", chunk(0, 0x88), false},
		{"a line break of the head", chunk(5, '\r'), false},
		{"IHDR of another length", chunk(11, 14), false},
		{"another first chunk", chunk(15, 'r'), false},
		{"a JPEG", dataURL(append([]byte("\xff\xd8\xff\xe0"), one...)), false},
		{"an SVG", dataURL([]byte("<svg xmlns='http://www.w3.org/2000/svg'>" + strings.Repeat(" ", 99))), false},
	} {
		got := ParseSignature(c.text)
		if (got != "") != c.ok || c.ok && dataURL([]byte(got)) != c.text {
			t.Errorf("%s: %d bytes; want a picture: %v", c.name, len(got), c.ok)
		}
	}
}

// FuzzParseSignature checks that an accepted picture is a PNG and encodes to the same data URL.
func FuzzParseSignature(f *testing.F) {
	f.Add(dataURL(picture(f, 0)))
	f.Add(signaturePrefix + "iVBORw0KGgo=")
	f.Add("data:image/png;base64,iVBORw0KGgoAAAANSUhEUg\n==")
	f.Fuzz(func(t *testing.T, text string) {
		got := ParseSignature(text)
		if got == "" {
			return
		}
		if dataURL([]byte(got)) != text || len(got) > maxSignature || got[12:16] != "IHDR" {
			t.Errorf("%q is taken for %q", text, got)
		}
	})
}
