package suite

import "cartd/bench"

// Case is one comparison: a yardstick, the side that is judged by it, and the measure.
type Case struct {
	Name, About      string
	Yardstick, Judge Side
	Measure          Measure
	// Min and Max are the bounds of the median of the pairs, 0 if there is none.
	Min, Max float64
	// Named is true for a case that takes long. It is run only if it is named.
	Named bool
	// Half is true if both sides run in an open loop, at half of the maximum rate of cartd's line
	// changes.
	Half bool
	// Like is another case. The median must be within the share Within of that case's median.
	Like   string
	Within float64
}

// Side is a system and its load.
type Side struct {
	System      System
	Scenario    string
	Connections int
	Carts       int
}

// System is a server of the standard set.
type System string

// The systems of the standard set, each with a Redis of its own.
const (
	floorSystem  System = "floor"
	cartdSystem  System = "cartd"
	alwaysSystem System = "cartd-always" // appendfsync always
)

// Measure computes the figure of a pair.
type Measure struct {
	Name string
	of   func(yardstick, judged *bench.Result) float64
}

var (
	byCPU  = Measure{"CPU a request, yardstick ÷ judged", func(y, j *bench.Result) float64 { return y.CPU.Total() / j.CPU.Total() }}
	byRate = Measure{"requests a second, judged ÷ yardstick", func(y, j *bench.Result) float64 { return j.Rate / y.Rate }}
	byP50  = Measure{"p50, judged ÷ yardstick", func(y, j *bench.Result) float64 { return j.Latency.P50 / y.Latency.P50 }}
	byP99  = Measure{"p99, judged ÷ yardstick", func(y, j *bench.Result) float64 { return j.Latency.P99 / y.Latency.P99 }}
)

const (
	connections = 32
	carts       = 256
	manyCarts   = 1_000_000
)

// toFloor is a case of cartd against the floor under the same scenario.
func toFloor(name, about, scenario string, connections, carts int, m Measure) Case {
	return Case{
		Name: name, About: about, Measure: m,
		Yardstick: Side{floorSystem, scenario, connections, carts}, Judge: Side{cartdSystem, scenario, connections, carts},
	}
}

// overFloor is a case of cartd against the floor's reads of carts.
func overFloor(name, about, scenario string) Case {
	return Case{
		Name: name, About: about + ", of the floor's reads", Measure: byRate,
		Yardstick: Side{floorSystem, "read", connections, carts}, Judge: Side{cartdSystem, scenario, connections, carts},
	}
}

func (c Case) min(bound float64) Case { c.Min = bound; return c }

func (c Case) max(bound float64) Case { c.Max = bound; return c }

// among is a case of cartd against itself under two scenarios.
func among(name, about string, yardstick, judged Side, m Measure) Case {
	return Case{Name: name, About: about, Measure: m, Yardstick: yardstick, Judge: judged}
}

// Cases is the standard set, in the order of its runs.
var Cases = []Case{
	toFloor("change", "a line of a cart of 3 changes", "change", connections, carts, byCPU).min(0.75),
	toFloor("read", "a cart of 3 lines is read", "read", connections, carts, byCPU).min(0.95),
	toFloor("change-1", "a line change at one connection", "change", 1, carts, byP50).max(1.3),
	toFloor("read-1", "a cart read at one connection", "read", 1, carts, byP50).max(1.1),
	among("hot", "32 writers on one cart, of the same load over 256 carts",
		Side{cartdSystem, "change", connections, carts}, Side{cartdSystem, "hot", connections, carts}, byCPU).min(1.2),
	among("hot-add", "the same with adds, whose sums must be exact",
		Side{cartdSystem, "add", connections, carts}, Side{cartdSystem, "hot-add", connections, carts}, byCPU),
	among("always", "appendfsync always, of everysec",
		Side{cartdSystem, "change", connections, carts}, Side{alwaysSystem, "change", connections, carts}, byRate).min(0.6),
	half(toFloor("half", "line changes at half the ceiling's rate, open loop", "change", connections, carts, byP99).max(2)),
	among("add-100", "an add to 100 lines at one connection, of one to 3",
		Side{cartdSystem, "add", 1, carts}, Side{cartdSystem, "add-100", 1, 32}, byP50).max(2),
	toFloor("add", "an add that merges into a line", "add", connections, carts, byCPU),
	toFloor("create", "an empty cart is made", "create", connections, carts, byCPU),
	toFloor("shopper", "carts are made, filled, and sold: requests a second", "shopper", connections, carts, byRate).min(0.35),
	toFloor("made", "configurations of a made-to-measure product", "made", connections, carts, byCPU),
	toFloor("once", "changes with idempotency keys, a tenth sent twice", "once", connections, carts, byCPU),
	overFloor("product", "a product is shown", "product").min(0.9),
	overFloor("browse", "pages of products and single ones", "browse"),
	toFloor("mixed", "a storefront's day", "mixed", connections, carts, byCPU),
	among("claim", "a guest cart is made, and claimed with another of 3 lines, of a line change",
		Side{cartdSystem, "change", connections, carts}, Side{cartdSystem, "claim", connections, carts}, byCPU),
	toFloor("addresses", "address books, read and written", "addresses", connections, carts, byCPU),
	named(among("sale", "orders are placed and paid, cancelled or left until they end, of the shopper's journey",
		Side{cartdSystem, "shopper", connections, carts}, Side{cartdSystem, "sale", connections, carts}, byCPU)),
	named(like(toFloor("million", "line changes over 1,000,000 carts, of the ratio at 256", "change", connections, manyCarts, byCPU), "change", 0.2)),
}

func half(c Case) Case { c.Half = true; return c }

func named(c Case) Case { c.Named = true; return c }

func like(c Case, other string, within float64) Case { c.Like, c.Within = other, within; return c }

// MemoryCase measures resident memory instead of pairs.
const MemoryCase = "memory"
