package commerce

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"cartd/internal/dice"
)

// parts are the ids of so many products that only parts uses.
func parts(n int) (ids []uuid.UUID) {
	for i := range n {
		ids = append(ids, testID(0x8000+i))
	}
	return ids
}

// madeOf is a configuration of one piece of each product.
func madeOf(products []uuid.UUID) *Configuration {
	c := &Configuration{}
	for _, id := range products {
		c.Components = append(c.Components, ComponentUse{ProductID: id, Quantity: "1"})
	}
	return c
}

// stocked has these tracked products, too.
func stocked(products []uuid.UUID) *Store {
	s := stockedShop()
	for _, id := range products {
		s.Products = append(s.Products, &Product{ID: id, Active: true, TrackStock: true})
	}
	s.Index()
	return s
}

// large is a line of a product that is gone, with a name by which a cart of the other lines, too,
// has the maximum size.
func large(id int, others ...Line) Line {
	l := line(id, nowhere, One, 7)
	l.Name = ""
	c := Cart{Lines: append(others, l)}
	l.Name = strings.Repeat("x", maxCartBytes-c.Size())
	return l
}

// other is an active cart of ada's account, created so many minutes after noon.
func other(id, minutes int, lines ...Line) *Cart {
	c := NewCart(testID(id), noon.Add(time.Duration(minutes)*time.Minute))
	c.Customer, c.Lines = Binding{ID: ada.CustomerID}, lines
	return c
}

// line is a line with an id of its own; extra is its variant (a uuid.UUID) or configuration.
func line(id int, product uuid.UUID, quantity Quantity, unit Amount, extra ...any) Line {
	l := Line{ID: testID(id), ProductID: product, Quantity: quantity, UnitPrice: unit, Name: "as it was added", Born: 1, Made: noon}
	for _, e := range extra {
		switch e := e.(type) {
		case uuid.UUID:
			l.VariantID = e
		case *Configuration:
			l.Configuration = e
		}
	}
	return l
}

// docs/api/carts.md#claim, Lines; the prices are the customer's.
func TestClaimOfLines(t *testing.T) {
	silk, wool := &Configuration{Hash: [32]byte{1}}, &Configuration{Hash: [32]byte{1}, MatrixID: "newer"}
	type want struct {
		id       int
		quantity Quantity
		unit     Amount
	}
	drops := func(product uuid.UUID, q Quantity) []DroppedLine {
		return []DroppedLine{{Product: product, Quantity: q}}
	}
	for _, c := range []struct {
		rule   string
		who    Visitor
		own    []Line
		others []*Cart
		shop   *Store
		want   []want
		report []FoldReport
	}{
		{rule: "nothing to fold: plain lines are priced anew", who: trade, own: []Line{line(1, tile, One, 1)}, want: []want{{1, One, 950}}},
		{
			rule: "an equal line adds up and is priced at the sum", own: []Line{line(1, tile, 6*One, 1)}, others: []*Cart{other(0xa, 1, line(2, tile, 4*One, 1))},
			want: []want{{1, 10 * One, 900}}, report: []FoldReport{{Cart: testID(0xa), Summed: 1}},
		},
		{
			rule: "new lines follow, by their cart's creation, with their ids", own: []Line{line(1, cord, One, 1)},
			others: []*Cart{other(0xa, 1, line(2, drill, One, 1, white), line(3, tile, One, 1)), other(0xb, 2, line(4, drill, One, 1, grey), line(5, tile, One, 1))},
			want:   []want{{1, One, 250}, {2, One, 5500}, {3, 2 * One, 1000}, {4, One, 5000}},
			report: []FoldReport{{Cart: testID(0xa), Moved: 2}, {Cart: testID(0xb), Moved: 1, Summed: 1}},
		},
		{
			rule: "a sum is clamped", own: []Line{line(1, tile, 60*One, 1)}, others: []*Cart{other(0xa, 1, line(2, tile, 50*One, 1)),
				other(0xb, 2, line(3, tile, One, 1))},
			want: []want{{1, 100 * One, 900}},
			report: []FoldReport{
				{Cart: testID(0xa), Summed: 1, Clamped: []ClampedLine{{testID(1), 110 * One, 100 * One}}},
				{Cart: testID(0xb), Summed: 1, Clamped: []ClampedLine{{testID(1), 101 * One, 100 * One}}},
			},
		},
		{
			rule: "never below the line's own quantity", own: []Line{line(1, tile, 150*One, 1)}, others: []*Cart{other(0xa, 1, line(2, tile, One, 1))},
			want: []want{{1, 150 * One, 900}}, report: []FoldReport{{Cart: testID(0xa), Summed: 1, Clamped: []ClampedLine{{testID(1), 151 * One, 150 * One}}}},
		},
		{
			rule: "a new line moves whole, above a maximum lowered since", others: []*Cart{other(0xa, 1, line(2, tile, 150*One, 1))},
			want: []want{{2, 150 * One, 900}}, report: []FoldReport{{Cart: testID(0xa), Moved: 1}},
		},
		{
			rule: "no room under max_lines, but for a line that adds up", own: []Line{line(1, tile, One, 1), line(2, cord, One, 1), line(3, gift, One, 1)},
			others: []*Cart{other(0xa, 1, line(4, special, One, 1), line(5, bulk, 2*One, 1), line(6, cord, One, 1))},
			want:   []want{{1, One, 1000}, {2, 2 * One, 250}, {3, One, 0}, {4, One, 100}},
			report: []FoldReport{{Cart: testID(0xa), Moved: 1, Summed: 1, Dropped: drops(bulk, 2*One)}},
		},
		{
			rule:   "products that are gone or inactive and variants that are deactivated move with their price",
			others: []*Cart{other(0xa, 1, line(2, nowhere, One, 7), line(3, withdrawn, One, 8), line(4, drill, One, 9, red))},
			want:   []want{{2, One, 7}, {3, One, 8}, {4, One, 9}}, report: []FoldReport{{Cart: testID(0xa), Moved: 3}},
		},
		{
			rule: "a configured line keeps the claimed cart's price and snapshot", own: []Line{line(1, blind, One, 7, silk)},
			others: []*Cart{other(0xa, 1, line(2, blind, 2*One, 9, wool), line(3, blind, One, 11, &Configuration{}))},
			want:   []want{{1, 3 * One, 7}, {3, One, 11}}, report: []FoldReport{{Cart: testID(0xa), Moved: 1, Summed: 1}},
		},
		{
			rule: "the sum of the line totals has a limit", own: []Line{line(1, dear, 99*One, 1)},
			others: []*Cart{other(0xa, 1, line(2, dear, One, 1), line(3, tile, One, 1)), other(0xb, 2, line(4, special, One, 1))},
			want:   []want{{1, 99 * One, MaxAmount/100 + 1}, {3, One, 1000}, {4, One, 100}},
			report: []FoldReport{{Cart: testID(0xa), Moved: 1, Dropped: drops(dear, One)}, {Cart: testID(0xb), Moved: 1}},
		},
		{
			rule: "stock items have a limit", shop: stocked(parts(MaxCartItems - 1)), own: []Line{line(1, tile, One, 1),
				line(5, blind, One, 7, madeOf(parts(MaxCartItems-1)))},
			others: []*Cart{other(0xa, 1, line(2, cord, One, 1), line(3, gift, One, 1), line(4, tile, One, 1))},
			want:   []want{{1, 2 * One, 1000}, {5, One, 7}, {3, One, 0}}, report: []FoldReport{{Cart: testID(0xa), Moved: 1, Summed: 1, Dropped: drops(cord, One)}},
		},
		{
			rule: "bytes have a limit", own: []Line{line(1, tile, One, 1), large(5, line(1, tile, One, 1), line(2, cord, One, 1))},
			others: []*Cart{other(0xa, 1, line(2, cord, One, 1), line(3, gift, One, 1), line(4, tile, One, 1))},
			want:   []want{{1, 2 * One, 1000}, {5, One, 7}, {2, One, 250}}, report: []FoldReport{{Cart: testID(0xa), Moved: 1, Summed: 1, Dropped: drops(gift, One)}},
		},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			if c.shop != nil {
				s.shop, s.in.Store = c.shop, c.shop
			}
			s.in.Visitor = ada
			if c.who.Known {
				s.in.Visitor = c.who
			}
			s.cart.Lines, s.in.Others = c.own, c.others
			s.do(ClaimCart{})
			if len(s.cart.Lines) != len(c.want) {
				t.Fatalf("%d lines, want %d: %+v", len(s.cart.Lines), len(c.want), s.cart.Lines)
			}
			for i, w := range c.want {
				s.wantLine(i, w.quantity, w.unit)
				got := s.cart.Lines[i]
				own, name := len(c.own) > i, "as it was added"
				if own {
					name = c.own[i].Name
				}
				if got.ID != testID(w.id) || got.Name != name || (got.Born == 1) != own || got.Made.Equal(noon) != own {
					t.Errorf("line %d is %+v; want the id %s, and a moved line to count as made by the claim", i, got, testID(w.id))
				}
			}
			if len(c.own) > 0 && s.cart.Lines[0].Configuration != c.own[0].Configuration {
				t.Errorf("the claimed cart's snapshot became %+v", s.cart.Lines[0].Configuration)
			}
			if got := s.effects.Claim.Report; !reflect.DeepEqual(got, c.report) {
				t.Errorf("report %+v, want %+v", got, c.report)
			}
		})
	}
}

// docs/api/carts.md#claim, E-mail and metadata.
func TestClaimOfEmailAndMetadata(t *testing.T) {
	with := func(id, created, written int, email string, m Metadata) *Cart {
		c := other(id, created)
		c.Email, c.Metadata, c.UpdatedAt = email, m, noon.Add(time.Duration(written)*time.Minute)
		return c
	}
	a, b := Metadata{{"k", Scalar{Text: "1"}}}, Metadata{{"k", Scalar{Text: "2"}}}
	for _, c := range []struct {
		rule   string
		email  string
		own    Metadata
		taken  TakenOver
		others []*Cart
		left   int // bytes that the cart has room for; 0 for plenty
		want   string
		wantM  Metadata
	}{
		{rule: "its own", email: "own@a.co", own: Metadata{}, others: []*Cart{with(1, 1, 1, "x@a.co", a)}, want: "own@a.co", wantM: Metadata{}},
		{rule: "each on its own", others: []*Cart{with(1, 1, 9, "", a), with(2, 2, 1, "x@a.co", nil)}, want: "x@a.co", wantM: a},
		{rule: "the most recently active", others: []*Cart{with(1, 1, 9, "x@a.co", a), with(2, 2, 1, "y@a.co", b)}, want: "x@a.co", wantM: a},
		{rule: "equally active: the later created", others: []*Cart{with(2, 1, 9, "x@a.co", a), with(1, 2, 9, "y@a.co", b)}, want: "y@a.co", wantM: b},
		{rule: "created at once: the greater id", others: []*Cart{with(1, 1, 9, "x@a.co", a), with(2, 1, 9, "y@a.co", b)}, want: "y@a.co", wantM: b},
		{
			rule: "of earlier commits too", email: "x@a.co", own: a, taken: TakenOver{Email: with(1, 1, 5, "x@a.co", nil), Metadata: with(1, 1, 9, "", a)},
			others: []*Cart{with(2, 2, 7, "y@a.co", b)}, want: "y@a.co", wantM: a,
		},
		{
			rule: "changed since an earlier commit", email: "own@a.co", own: b, taken: TakenOver{Email: with(1, 1, 5, "x@a.co", nil), Metadata: with(1, 1, 1, "", a)},
			others: []*Cart{with(2, 2, 7, "y@a.co", a)}, want: "own@a.co", wantM: b,
		},
		{rule: "metadata that is too large", others: []*Cart{with(1, 1, 1, "x@a.co", a)}, left: 6 + sizeOfEntry + 1, want: "x@a.co"},
		{rule: "nothing to take", others: []*Cart{with(1, 1, 1, "", nil)}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s := newScene(t)
			if c.left > 0 {
				s.cart.Lines = []Line{large(1)}
				s.cart.Lines[0].Name = s.cart.Lines[0].Name[c.left:]
			}
			code := "mine"
			s.cart.Email, s.cart.Metadata, s.in.Others, s.in.Visitor = c.email, c.own, c.others, ada
			c.others[0].Codes = []AttachedCode{{Code: code}}
			s.do(ClaimCart{TakenOver: c.taken})
			if s.cart.Email != c.want || !reflect.DeepEqual(s.cart.Metadata, c.wantM) || s.cart.Codes != nil {
				t.Errorf("%q, %v, code %v; want %q, %v, none", s.cart.Email, s.cart.Metadata, s.cart.Codes, c.want, c.wantM)
			}
		})
	}
}

// docs/api/carts.md#claim: the folded carts are merged; the claimed cart is the account's.
func TestClaimedAndFoldedCarts(t *testing.T) {
	s := newScene(t)
	s.shop = stockedShop()
	s.in.Store, s.in.Visitor = s.shop, ada
	folded := other(0xa, 1, line(2, tile, One, 1))
	folded.Email, folded.Hold = "x@a.co", Hold{Asks: asks(tile, 1_000_000), Until: noon}
	before := frozen(t, folded)
	s.cart.Customer, s.in.Others = Binding{ID: testID(0x9), Guest: true}, []*Cart{folded}
	s.do(ClaimCart{})
	if after := frozen(t, folded); after != before {
		t.Errorf("the folded cart became\n%s, was\n%s", after, before)
	}
	if s.cart.Customer != (Binding{ID: ada.CustomerID}) || len(s.cart.Hold.Asks) != 1 || s.cart.UpdatedAt != s.in.Now {
		t.Errorf("the claimed cart is %+v", s.cart)
	}
	want := *folded
	want.Status, want.Hold, want.MergedInto, want.UpdatedAt, want.ExpiresAt = CartMerged, Hold{}, s.cart.ID, s.in.Now, s.in.Now.Add(CartLifetime)
	if got := s.effects.Claim.Folded; len(got) != 1 || !reflect.DeepEqual(*got[0], want) {
		t.Errorf("folded: %+v, want %+v", got, want)
	}
}

// Random carts, claims and adds: every unit is in the claimed cart, clamped or dropped, and the
// carts match a slow, obvious model.
func TestClaimMatchesTheModel(t *testing.T) {
	r := dice.New(t)
	for range 300 {
		s := newScene(t)
		s.in.Visitor = ada
		s.shop.Policy.MaxLines = 1 + r.IntN(6)
		cart, units := modelCart{}, modelCart{}
		for round := range 3 {
			for _, l := range someLines(r, round, 6) { // adds
				if next, _, refusal := s.try(AddLine{LineID: l.ID, ProductID: l.ProductID, VariantID: l.VariantID, Quantity: l.Quantity}); refusal == nil {
					s.cart = next
					cart.put(&l, l.Quantity.decimal())
					units.put(&l, l.Quantity.decimal())
				}
				s.in.Seen, s.in.Next = s.in.Next, s.in.Next+1
			}
			s.in.Others = nil
			for n := range r.IntN(5) {
				s.in.Others = append(s.in.Others, other(0x100+16*round+n, n, someLines(r, 10+10*round+n, 1+r.IntN(6))...))
			}
			lost := cart.fold(s, units)
			s.do(ClaimCart{})
			s.wantModel(cart)
			s.wantAccounted(units, lost)
			units = modelCart{}
			for c, q := range cart {
				units[c] = q
			}
		}
	}
}

// someLines are at most n lines of different combinations.
func someLines(r *rand.Rand, series, n int) (lines []Line) {
	c := &Cart{}
	for i := range n {
		pick := combinations[r.IntN(len(combinations))]
		l := line(0x1000+100*series+i, pick.product, Quantity(1+r.IntN(70))*One, 1, pick.variant)
		if pick.product == cord {
			l.Quantity = Quantity(1 + r.IntN(90_000))
		}
		if c.merging(&l) < 0 {
			c.Lines = append(c.Lines, l)
		}
	}
	return c.Lines
}

func (m modelCart) put(l *Line, q decimal.Decimal) {
	c := combination{l.ProductID, l.VariantID}
	m[c] = m[c].Add(q)
}

// fold folds the scene's other carts by the rules, adds their units to the given ones and returns
// the lost units.
func (m modelCart) fold(s *scene, units modelCart) (lost modelCart) {
	lost = modelCart{}
	maximum := s.shop.Policy.MaxQuantityPerLine.decimal()
	for _, o := range s.in.Others {
		for i := range o.Lines {
			l := &o.Lines[i]
			c, q := combination{l.ProductID, l.VariantID}, l.Quantity.decimal()
			units.put(l, q)
			own, there := m[c]
			sum := own.Add(q)
			switch {
			case there && sum.GreaterThan(maximum):
				m[c] = decimal.Max(own, maximum)
				lost.put(l, sum.Sub(m[c]))
			case there:
				m[c] = sum
			case len(m) < s.shop.Policy.MaxLines:
				m[c] = q
			default:
				lost.put(l, q)
			}
		}
	}
	return lost
}

// wantAccounted checks that units in = units in the claimed cart + clamped + dropped, and that the
// model loses the same units.
func (s *scene) wantAccounted(in, lost modelCart) {
	s.Helper()
	out, reported := modelCart{}, modelCart{}
	for i := range s.cart.Lines {
		out.put(&s.cart.Lines[i], s.cart.Lines[i].Quantity.decimal())
	}
	for _, f := range s.effects.Claim.Report {
		for _, c := range f.Clamped {
			reported.put(&s.cart.Lines[s.cart.line(c.Line)], c.Requested.decimal().Sub(c.Kept.decimal()))
		}
		for _, d := range f.Dropped {
			reported.put(&Line{ProductID: d.Product, VariantID: d.Variant}, d.Quantity.decimal())
		}
	}
	for _, c := range combinations {
		if !reported[c].Equal(lost[c]) || !in[c].Equal(out[c].Add(reported[c])) {
			s.Fatalf("of %v %s came in, %s are in the cart and %s reported lost; the model loses %s", c, in[c], out[c], reported[c], lost[c])
		}
	}
}
