package unitcosts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The page has the figures of the table that cartd size computes with.
func TestPageHasTheFiguresOfTheTable(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "scaling.md"))
	if err != nil {
		t.Fatal(err)
	}
	if want, err := Table().Insert(string(text)); err != nil || want != string(text) {
		t.Errorf("docs/scaling.md has other figures than table.json, or no place for them (%v); make unit-costs writes both", err)
	}
	if text, err := Table().JSON(); err != nil || string(text) != string(table) {
		t.Errorf("table.json is not what make unit-costs would write: %v\n%s", err, text)
	}
}

// Every kind of the mix was measured, the shares are 100 per cent, and the items have a size.
func TestTableHasWhatTheArithmeticNeeds(t *testing.T) {
	shares := 0.0
	for _, m := range Mix {
		shares += m.Share
		if l := Table().Load(m.Kind, Many); l.Node <= 0 || l.Redis <= 0 {
			t.Errorf("%s has no cost: %+v", m.Kind, l)
		}
		if l := Table().Load(m.Kind, Alone); l.File <= 0 {
			t.Errorf("%s appends nothing to the file: the limiter alone does", m.Kind)
		}
	}
	if shares != 100 {
		t.Errorf("the mix is %v %%, want 100", shares)
	}
	for _, name := range []string{Cart, TrackedCart, Product, TrackedProduct} {
		if item := Table().item(name); item.Redis <= 0 || item.Node <= 0 {
			t.Errorf("%s has no size: %+v", name, item)
		}
	}
}

// figures are round, so that results can be computed by hand.
var figures = Costs{
	Measured: "Today.",
	Requests: []Request{
		{Kind: "read", About: "read", Loads: []Load{{Busy, 10, 2, 0, 10}, {Alone, 100, 20, 100, 1000}, {Many, 20, 4, 0, 10}}},
		{Kind: "product", Loads: []Load{{Busy, 10, 2, 0, 10}}}, {Kind: "product_list", Loads: []Load{{Busy, 10, 2, 0, 10}}},
		{Kind: "add", Loads: []Load{{Busy, 10, 2, 0, 10}}}, {Kind: "add_tracked", Loads: []Load{{Busy, 20, 12, 0, 10}}}, {Kind: "change",
			Loads: []Load{{Busy, 10, 2, 0, 10}}},
		{Kind: "create", Loads: []Load{{Busy, 10, 2, 0, 10}}}, {Kind: "checkout", Loads: []Load{{Busy, 10, 2, 1000, 10}}},
		{Kind: "checkout_tracked", Loads: []Load{{Busy, 10, 12, 1000, 10}}},
		{Kind: "pay", Loads: []Load{{Busy, 10, 2, 0, 10}}},
	},
	Items: []Item{{LogEntry, 100, 0}, {Cart, 500, 2400}, {TrackedCart, 900, 2400}, {Product, 100, 1000}, {TrackedProduct, 200, 1000},
		{Account, 700, 0}, {Quote, 1500, 0}, {SalesDay, 2000, 0}},
}

func TestSizeOfOneStore(t *testing.T) {
	s := figures.Of(Plan{Stores: 1, Products: 1000, Carts: 1000, Requests: 100_000})
	// 100,000 requests of 10 + 2 µs; 35 % of them append 1,000 bytes when alone, the others 10.
	if s.NodeCores != 1 || s.RedisCores != 0.2 || s.Nodes != 2 || s.Masters != 1 || s.Cells != 1 {
		t.Errorf("%+v; want 1 and 0.2 cores, 2 nodes, 1 master, 1 cell", s)
	}
	if want := float64(100_000*0.35*1000*3600) + 100_000*0.65*10*3600; s.FileHour != want {
		t.Errorf("the file grows by %v, want %v", s.FileHour, want)
	}
	if want := 1000.0*500 + 1000*100 + 100_000*60*100; s.RedisMemory != want {
		t.Errorf("Redis has %v bytes, want %v: carts, products, a minute of the limiter", s.RedisMemory, want)
	}
	if s.NodeMemory != 2<<30 {
		t.Errorf("a node has %v bytes, want 2 GiB: twice --resident", s.NodeMemory)
	}
	if want := 100_000 * 0.03 * 1000 * 3600; s.MemoryHour != want {
		t.Errorf("a busy hour adds %v bytes, want %v: its orders", s.MemoryHour, want)
	}
}

// Masters vote, so there is one or at least three. A master bears a bounded load and a bounded size,
// and a store has one master.
func TestMasters(t *testing.T) {
	for _, c := range []struct {
		plan    Plan
		masters int
		split   bool
	}{
		{Plan{Stores: 10, Requests: 100_000}, 1, false}, // 0.27 cores
		{Plan{Stores: 10, Requests: 300_000}, 3, false}, // 0.81 cores are two halves
		{Plan{Stores: 2, Requests: 300_000}, 3, true},
		{Plan{Stores: 10, Carts: 160 << 20}, 5, false}, // 80 GiB
		{Plan{Stores: 10, Requests: 100_000, Stock: true}, 1, false},
		{Plan{Stores: 10, Requests: 150_000, Stock: true}, 3, false}, // 10 µs more for 15 %
	} {
		s := figures.Of(c.plan)
		if s.Masters != c.masters || strings.Contains(s.Text(), "split the stores into "+number(int64(c.masters))) != c.split {
			t.Errorf("%+v: want %d masters, split %t\n%s", c.plan, c.masters, c.split, s.Text())
		}
	}
}

// Orders stay for months; with tracked stock carts, products and checkouts are those that hold some.
func TestSizeOfOrdersAndHeldStock(t *testing.T) {
	s := figures.Of(Plan{Stores: 1, Orders: 1000, Months: 12})
	if want := 1000.0 * 365 * 1000; s.OrderMemory != want || s.RedisMemory != want+40*2000 {
		t.Errorf("orders take %v of %v bytes, want %v, and the sales of 40 days", s.OrderMemory, s.RedisMemory, want)
	}
	if text := s.Text(); !strings.Contains(text, "of orders: 1,000 a day, kept for 12 months") {
		t.Errorf("the text does not name the orders:\n%s", text)
	}
	held := figures.Of(Plan{Stores: 1, Products: 10, Stock: true, Carts: 1000, Requests: 1000})
	if want := 1000*900 + 10*200 + 1000*60*100.0; held.RedisMemory != want {
		t.Errorf("Redis has %v bytes, want %v: carts that hold stock", held.RedisMemory, want)
	}
	free := figures.Of(Plan{Stores: 1, Products: 10, Carts: 1000, Requests: 1000})
	if more := held.RedisCores - free.RedisCores; more < 0.00179 || more > 0.00181 { // 10 µs of 150 adds, 10 µs of 30 checkouts
		t.Errorf("Redis needs %v cores more, want 0.0018", more)
	}
}

// Accounts and quotes weigh what they weigh; a store of few orders keeps few hours of its sales.
func TestSizeOfTheMerchantsSide(t *testing.T) {
	s := figures.Of(Plan{Stores: 100, Accounts: 1000, Quotes: 10, Orders: 240})
	if want := 1000*700 + 10*1500 + 40*2000*10.0; s.MerchantMemory != want || s.RedisMemory != want+s.OrderMemory {
		t.Errorf("the merchant's side takes %v of %v bytes, want %v", s.MerchantMemory, s.RedisMemory, want)
	}
	if text := s.Text(); !strings.Contains(text, "of accounts (1,000), quotes (10) and the sales of 40 days") {
		t.Errorf("the text does not name them:\n%s", text)
	}
	for _, name := range []string{Account, Quote, SalesDay} {
		if Table().item(name).Redis <= 0 {
			t.Errorf("%s has no size", name)
		}
	}
}

func TestSizeOfManyStores(t *testing.T) {
	s := figures.Of(Plan{Stores: 100_000, Products: 200, Stock: true, Carts: 0, Requests: 1_000_000})
	// Reads cost 20 + 4 µs over many stores, adds 20 + 12: 15 and 4.2 cores. Ten cells by the number of
	// stores.
	if s.NodeCores < 14.9 || s.NodeCores > 15.1 || s.Cells != 10 || s.Masters != 10 || s.Nodes != 15+10 {
		t.Errorf("%+v; want 15 cores, 10 cells of one master, 25 nodes", s)
	}
	if want := 100_000*200*200.0 + 1_000_000*60*100; s.RedisMemory != want {
		t.Errorf("Redis has %v bytes, want %v: tracked products and the limiter", s.RedisMemory, want)
	}
	text := s.Text()
	for _, want := range []string{"100,000 stores of 200 products each, their stock tracked", "15.0 cores busy", "10 masters in 10 cells", "25 of 2 cores"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
}

// A store more, a request more, a cart more never make a plan smaller.
func TestSizeGrowsWithThePlan(t *testing.T) {
	last := Size{}
	for n := int64(1); n <= 1_000_000; n *= 10 {
		s := Table().Of(Plan{Stores: n, Products: 200, Carts: 100 * n, Requests: 10 * n})
		if s.Nodes < last.Nodes || s.Masters < last.Masters || s.Cells < last.Cells || s.RedisMemory <= last.RedisMemory || s.FileHour <= last.FileHour {
			t.Errorf("%d stores: %+v is smaller than %+v", n, s, last)
		}
		last = s
	}
}

func TestInsertNeedsItsLines(t *testing.T) {
	if _, err := figures.Insert("# Scaling\n"); err == nil {
		t.Error("a page without a place for the figures is accepted")
	}
	page, err := figures.Insert("before\n" + Begin + "STALE\n" + End + "after\n")
	if err != nil || !strings.HasPrefix(page, "before\n"+Begin) || !strings.HasSuffix(page, End+"after\n") || strings.Contains(page, "STALE") ||
		!strings.Contains(page, "| read | 10 + 2 |") {
		t.Errorf("%v:\n%s", err, page)
	}
}

func TestLoadsAreTakenApart(t *testing.T) {
	whole := Load{Node: 100, Redis: 50, Memory: 1000, File: 10}
	if got, want := whole.Less(Load{Node: 10, Redis: 60, Memory: 100}, 2).Per(4), (Load{Node: 20, Redis: -17.5, Memory: 200, File: 2.5}); got != want {
		t.Errorf("two requests taken off, for each of four: %+v, want %+v", got, want)
	}
}
