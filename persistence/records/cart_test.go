package records

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

// dice makes random values of every shape that a record can have.
type dice struct{ *rand.Rand }

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// seeded logs its seed, so that a failure can be repeated.
func seeded(t *testing.T) dice {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return dice{rand.New(rand.NewPCG(seed, 1))}
}

func (d dice) id() (id uuid.UUID) {
	for i := range id {
		id[i] = byte(d.IntN(256))
	}
	return id
}

func (d dice) time() time.Time { return time.UnixMilli(d.Int64N(1 << 45)).UTC() }

// text has any bytes, sometimes too many for a length of one byte.
func (d dice) text() string {
	var b strings.Builder
	for range d.IntN(12) * (1 + 30*d.IntN(2)) {
		b.WriteRune([]rune("aZ0 é€\u0000\n𝄞\ufeff")[d.IntN(10)])
	}
	return b.String()
}

func (d dice) stamp() engine.Stamp {
	return engine.Stamp{Counter: d.Uint64(), Writer: d.Uint64(), Sequence: d.Uint64()}
}

func (d dice) writers() (writers []engine.Writer) {
	for range d.IntN(4) {
		writers = append(writers, engine.Writer{ID: d.Uint64(), Sequence: d.Uint64(), At: d.time()})
	}
	return writers
}

func (d dice) metadata() commerce.Metadata {
	if d.IntN(3) == 0 {
		return nil
	}
	m := commerce.Metadata{}
	for range d.IntN(17) {
		value := commerce.Scalar{IsString: true, Text: d.text()}
		if d.IntN(2) == 0 {
			value = commerce.Scalar{Text: []string{"null", "true", "-0.100e+07", "12345678901234567890.000"}[d.IntN(4)]}
		}
		m = append(m, commerce.MetadataEntry{Key: d.text(), Value: value})
	}
	return m
}

func (d dice) configuration() *commerce.Configuration {
	c := &commerce.Configuration{MatrixID: d.text(), MatrixName: d.text()}
	copy(c.Hash[:], d.text())
	for range d.IntN(3) {
		c.Dimensions = append(c.Dimensions, commerce.DimensionValue{Key: d.text(), Value: int64(d.Uint64())})
		c.Choices = append(c.Choices, d.text())
		c.Breakdown = append(c.Breakdown, commerce.PricePart{Label: d.text(), Amount: commerce.Amount(d.Uint64())})
	}
	for range d.IntN(3) {
		c.Components = append(c.Components, commerce.ComponentUse{ProductID: d.id(), Quantity: d.text()})
	}
	return c
}

func (d dice) line() commerce.Line {
	l := commerce.Line{
		ID: d.id(), ProductID: d.id(), Name: d.text(), SKU: d.text(),
		Quantity: commerce.Quantity(d.Uint64()), UnitPrice: commerce.Amount(d.Uint64()),
		Tax: commerce.Percent(d.Int64()), Unit: commerce.Unit(d.IntN(8)), Born: d.Uint64(), Made: d.time(),
	}
	if d.IntN(2) == 0 {
		l.VariantID = d.id()
	}
	if d.IntN(3) == 0 {
		l.Configuration = d.configuration()
	}
	if d.IntN(6) == 0 {
		l.Properties = d.properties()
	}
	return l
}

func (d dice) properties() *commerce.Properties {
	all := make(commerce.Properties, 1+d.IntN(3))
	for i := range all {
		all[i] = commerce.Property{Key: d.text(), Value: d.text(), Label: d.text()}
	}
	return &all
}

func (d dice) cart(lines int) *engine.CartRecord {
	c := &commerce.Cart{
		ID: d.id(), Status: commerce.CartStatus(d.IntN(3)), Email: d.text(), Metadata: d.metadata(),
		CreatedAt: d.time(), UpdatedAt: d.time(), ExpiresAt: d.time(),
	}
	for range d.IntN(2) + d.IntN(2)*d.IntN(2)*2 {
		code := commerce.AttachedCode{Code: d.text()}
		if d.IntN(4) == 0 {
			code.Counted = commerce.CountedUses{Account: d.id(), Uses: d.Int64N(1 << 40)}
		}
		if d.IntN(4) == 0 {
			code.Used = 1 + d.Int64N(1<<20)
		}
		c.Codes = append(c.Codes, code)
	}
	if d.IntN(2) == 0 {
		c.Customer = commerce.Binding{ID: d.id(), Guest: d.IntN(2) == 0}
	}
	if d.IntN(2) == 0 {
		c.OrderID = d.id()
	}
	if d.IntN(2) == 0 {
		c.MergedInto = d.id()
	}
	if d.IntN(4) == 0 {
		c.Checkout = &commerce.KeptCheckout{At: d.time(), CustomerNote: d.text(), Reference: d.text()}
		if d.IntN(2) == 0 {
			c.Checkout.Method, c.Checkout.Shipping = d.id(), d.address()
		}
		if d.IntN(2) == 0 {
			c.Checkout.Billing = d.address()
		}
		if d.IntN(2) == 0 {
			c.Checkout.Country = d.country()
		}
	}
	for range lines {
		c.Lines = append(c.Lines, d.line())
	}
	if d.IntN(2) == 0 {
		c.Hold.Until = d.time()
		for range 1 + d.IntN(3) {
			quantity := commerce.Micros(d.Int64N(int64(commerce.MaxStock)))
			c.Hold.Asks = append(c.Hold.Asks, commerce.StockAsk{Item: d.id(), Quantity: quantity, Granted: quantity})
		}
	}
	return &engine.CartRecord{Stamp: d.stamp(), Writers: d.writers(), State: c}
}

// kept returns a cart's record as Redis has it after the script granted all its asks.
func kept(r *engine.CartRecord) string {
	planned := make([]commerce.ItemChange, len(r.State.Hold.Asks))
	var made []string
	for i, a := range r.State.Hold.Asks {
		planned[i].Item = a.Item
		made = append(made, fmt.Sprint(int64(a.Granted)))
	}
	slices.SortFunc(planned, func(a, b commerce.ItemChange) int { return bytes.Compare(a.Item[:], b.Item[:]) })
	text := string(appendCart(nil, r, planned))
	if made != nil {
		lines := strings.Join(made, "\n")
		text += lines + fmt.Sprintf("%08d", len(lines))
	}
	return text
}

func TestDecodedCartEqualsTheEncodedOne(t *testing.T) {
	d := seeded(t)
	for i := range 500 {
		lines := d.IntN(6)
		if i == 0 {
			lines = 1000 // the max of max_lines
		}
		want := d.cart(lines)
		text := kept(want)
		want.Size = len(text)
		got, err := decodeCart(text)
		if err != nil || !reflect.DeepEqual(&got, want) {
			t.Fatalf("cart %d\n got %+v, %v\n%+v\nwant %+v\n%+v", i, got, err, got.State, want, want.State)
		}
	}
}

func TestNilAndEmptyMetadataStayDifferent(t *testing.T) {
	for _, want := range []commerce.Metadata{nil, {}} {
		record := &engine.CartRecord{Stamp: engine.Stamp{Counter: 1}, State: &commerce.Cart{Metadata: want}}
		got, err := decodeCart(string(appendCart(nil, record, nil)))
		if err != nil || !reflect.DeepEqual(got.State.Metadata, want) {
			t.Errorf("metadata %#v is decoded as %#v, %v", want, got.State, err)
		}
	}
}

func TestCutCartRecordIsCorrupt(t *testing.T) {
	whole := kept(seeded(t).cart(3))
	for n := range whole {
		if got, err := decodeCart(whole[:n]); err != redisdb.ErrCorrupt || got.State != nil {
			t.Fatalf("the first %d of %d bytes decode to %+v, %v", n, len(whole), got, err)
		}
	}
}

func TestDamagedCartRecordNeverPanics(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short")
	}
	d := seeded(t)
	whole := []byte(kept(d.cart(3)))
	for range 5_000 {
		damaged := append([]byte(nil), whole...)
		for range 1 + d.IntN(3) {
			damaged[d.IntN(len(damaged))] = byte(d.IntN(256))
		}
		checkCartDecoding(t, string(damaged))
	}
}

// checkCartDecoding fails if a record decodes to a state that cannot be encoded again.
func checkCartDecoding(t *testing.T, b string) {
	t.Helper()
	first, err := decodeCart(b)
	if err != nil {
		return
	}
	once := kept(&first)
	second, err := decodeCart(once)
	if err != nil {
		t.Fatalf("%x: a decoded record cannot be decoded again: %v", b, err)
	}
	if twice := kept(&second); twice != once {
		t.Fatalf("%x\nencodes to %x\n and then %x", b, once, twice)
	}
}

func TestUnknownStatusIsCorrupt(t *testing.T) {
	record := &engine.CartRecord{Stamp: engine.Stamp{Counter: 1}, State: &commerce.Cart{Status: commerce.CartMerged + 1}}
	if got, err := decodeCart(string(appendCart(nil, record, nil))); err != redisdb.ErrCorrupt {
		t.Errorf("decodeCart = %+v, %v; want redisdb.ErrCorrupt", got, err)
	}
}

// The release has one format.
func TestNodeReadsFormat1Only(t *testing.T) {
	d := seeded(t)
	cart, contact := []byte(kept(d.cart(1))), appendContact(nil, d.contact())
	for format := range 256 {
		cart[0], contact[0] = byte(format), byte(format)
		if _, err := decodeCart(string(cart)); (err == nil) != (format == 1) {
			t.Errorf("cart of format %d: %v", format, err)
		}
		if _, err := decodeContact(engine.RecordKey{}, string(contact)); (err == nil) != (format == 1) {
			t.Errorf("contact of format %d: %v", format, err)
		}
	}
}

func TestLengthOfABlockHasAsFewBytesAsPossible(t *testing.T) {
	for _, n := range []int{0, 1, 127, 128, 16383, 16384, 1 << 21} {
		want := strings.Repeat("x", n)
		out := writing([]byte("before"))
		out.block(func() { out.out = append(out.out, want...) })
		b := out.out
		in := reading(string(append(b, "after"...)))
		in.in.next(len("before"))
		var block string
		in.block(func() { block = in.in.b })
		if block != want || in.in.b != "after" || in.in.bad {
			t.Errorf("a block of %d bytes is read as %d, followed by %.10q, bad %v", n, len(block), in.in.b, in.in.bad)
		}
		if size, bits := len(b)-len("before")-n, len(fmt.Sprintf("%b", max(n, 1))); size != (bits+6)/7 {
			t.Errorf("the length of %d bytes takes %d bytes", n, size)
		}
	}
}

func FuzzDecodeCart(f *testing.F) {
	d := dice{rand.New(rand.NewPCG(1, 2))}
	f.Add([]byte(nil))
	for lines := range 4 {
		f.Add([]byte(kept(d.cart(lines))))
		later := next{coder: writing(nil)}
		later.format = nextFormat
		later.cart(d.cart(lines))
		f.Add(later.out)
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkCartDecoding(t, string(b)) })
}

// BenchmarkCartRecord encodes and decodes the record of a cart of three lines.
func BenchmarkCartRecord(b *testing.B) {
	cart := commerce.NewCart(uuid.New(), time.UnixMilli(1_795_000_000_000))
	for range 3 {
		cart.Lines = append(cart.Lines, commerce.Line{
			ID: uuid.New(), ProductID: uuid.New(), Name: "Roller blind", SKU: "RB-1", Quantity: commerce.One, UnitPrice: 1999, Born: 2,
		})
	}
	record := engine.CartRecord{Stamp: engine.Stamp{Counter: 7, Writer: 8, Sequence: 9}, State: cart}
	packed := appendCart(nil, &record, nil)
	b.Run("pack", func(b *testing.B) {
		b.ReportAllocs()
		buffer := make([]byte, 0, 1<<10)
		for b.Loop() {
			buffer = appendCart(buffer[:0], &record, nil)
		}
		b.ReportMetric(float64(len(packed)), "bytes/record")
	})
	b.Run("unpack", func(b *testing.B) {
		b.ReportAllocs()
		text := string(packed)
		for b.Loop() {
			if _, err := decodeCart(text); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// largest makes a cart with the longest numbers, and texts of this length.
func largest(parts, text int) *commerce.Cart {
	long := strings.Repeat("x", text)
	until := time.UnixMilli(math.MaxInt64 / int64(time.Millisecond))
	code := commerce.AttachedCode{Code: long, Counted: commerce.CountedUses{Uses: math.MinInt64}, Used: math.MinInt64}
	c := &commerce.Cart{Email: long, Codes: []commerce.AttachedCode{code, code}, CreatedAt: until, UpdatedAt: until, ExpiresAt: until}
	l := commerce.Line{
		Name: long, SKU: long, Quantity: math.MinInt64, UnitPrice: math.MinInt64, Tax: math.MinInt64, Born: math.MaxUint64,
		Configuration: &commerce.Configuration{MatrixID: long, MatrixName: long},
	}
	l.VariantID[0] = 1
	for range parts {
		c.Metadata = append(c.Metadata, commerce.MetadataEntry{Key: long, Value: commerce.Scalar{Text: long}})
		c.Hold.Asks = append(c.Hold.Asks, commerce.StockAsk{Quantity: -1})
		made := l.Configuration
		made.Dimensions = append(made.Dimensions, commerce.DimensionValue{Key: long, Value: math.MinInt64})
		made.Choices = append(made.Choices, long)
		made.Breakdown = append(made.Breakdown, commerce.PricePart{Label: long, Amount: math.MinInt64})
		made.Components = append(made.Components, commerce.ComponentUse{Quantity: long})
	}
	for range parts {
		c.Lines = append(c.Lines, l)
	}
	c.Hold.Until = until
	return c
}

func TestNoRecordIsLargerThanItsCartsSize(t *testing.T) {
	d := seeded(t)
	carts := []*commerce.Cart{{}, largest(0, 300), largest(1, 1<<14), largest(100, 0)}
	for range 500 {
		carts = append(carts, d.cart(d.IntN(6)).State)
	}
	for i, c := range carts {
		record := Carts.Encode(nil, &engine.CartRecord{State: c}, nil)
		if size, bound := len(record), c.Size(); size > bound {
			t.Errorf("cart %d: %d bytes, more than the bound of %d", i, size, bound)
		}
	}
}
