package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// FlashPlan has the settings of a flash sale: many shoppers want one of few units, and use a code of
// still fewer uses, all in the first seconds.
type FlashPlan struct {
	Case, System string
	// Target has the nodes, with commas. Half of the shoppers use each of two, unless Roam sends each
	// request to the next node.
	Target  string
	Roam    bool
	Adapter *Adapter
	// Key is the shop's API key, Admin the key of its own programs, which reads orders.
	Key, Admin            string
	Shoppers, Units, Uses int
	Connections           int
	// Within is the time in which all shoppers come, evenly, in an open loop. If it is 0, each
	// connection serves one shopper after the other: a closed loop.
	Within    time.Duration
	Longest   time.Duration // of the sale, from the last arrival in an open loop; later shoppers do not come
	Timeout   time.Duration // of a request
	Processes Processes
	Progress  func(Progress) // may be nil
}

// flash is a sale under way.
type flash struct {
	plan    FlashPlan
	begin   time.Time
	arrived atomic.Int64
	buyers  []*buyer
}

// Check refuses an invalid plan.
func (p *FlashPlan) Check() error {
	switch {
	case p.Adapter != nil && p.Adapter.Flash == nil:
		return fmt.Errorf("adapter %s has no flash sale", p.Adapter.Name)
	case p.Units < 1 || p.Uses < 0 || p.Uses > p.Units || p.Shoppers < 1:
		return errors.New("at least one unit, at most as many uses as units, and at least one shopper are needed")
	case p.Connections < 1 || p.Within < 0 || p.Longest <= 0:
		return errors.New("at least one connection, times of at least zero, and a longest time of a sale are needed")
	}
	return nil
}

// RunFlash sells the units of a plan and compares what shoppers were told with what the system
// counted. If ctx ends, the result has the measurements until then, and its counts do not match.
func RunFlash(ctx context.Context, plan FlashPlan) (*Result, error) {
	if err := plan.Check(); err != nil {
		return nil, err
	}
	s := &flash{plan: plan, begin: time.Now()}
	defer s.close()
	for k := range plan.Connections {
		b, err := newBuyer(s, k)
		if err != nil {
			return nil, err
		}
		s.buyers = append(s.buyers, b)
	}
	var recorders []*recorder
	load := Load{Duration: max(plan.Within, time.Second)}
	s.begin = time.Now()
	for _, b := range s.buyers {
		b.rec = newRecorder(s.begin, s.begin, binWidth(load))
		recorders = append(recorders, b.rec)
	}
	stop := report(ctx, plan.Progress, s.progress)
	before := plan.Processes.usage(0)
	s.sell(ctx)
	after := plan.Processes.usage(s.succeeded())
	stop()
	r := &Result{
		Case: plan.Case, System: plan.System, Started: s.begin, RateAsked: s.rate(),
		Spec: Spec{
			Target: plan.Target, Adapter: plan.Adapter.Name, Scenario: Scenario{Name: plan.Case, About: s.about()},
			Connections: plan.Connections, Carts: plan.Shoppers, Stores: 1, Duration: plan.Within, Roam: plan.Roam, Timeout: plan.Timeout,
		},
	}
	r.measured(merge(recorders), before, after)
	r.Memory = plan.Processes.memory()
	r.Flash = s.count(ctx, &r.Check)
	r.Flash.Processor = after.spent(before)
	return r, ctx.Err()
}

func (s *flash) about() string {
	return fmt.Sprintf("%d shoppers for %d units and a code of %d uses", s.plan.Shoppers, s.plan.Units, s.plan.Uses)
}

// rate is the number of shoppers a second of an open loop, 0 of a closed one.
func (s *flash) rate() float64 {
	if s.plan.Within == 0 {
		return 0
	}
	return float64(s.plan.Shoppers) / s.plan.Within.Seconds()
}

// sell lets all shoppers come.
func (s *flash) sell(ctx context.Context) {
	due := s.schedule()
	var busy sync.WaitGroup
	for _, b := range s.buyers {
		busy.Go(func() {
			for s.arrived.Add(1) <= int64(s.plan.Shoppers) {
				free := time.Now()
				arrival, ok := due.next(ctx, b.index)
				if !ok {
					return
				}
				b.visit(ctx, arrival, free)
			}
		})
	}
	busy.Wait()
}

// schedule is the schedule of arrivals. The run itself counts the shoppers.
func (s *flash) schedule() schedule {
	if s.plan.Within == 0 {
		return &closedLoop{clock: realClock{}, start: s.begin, until: s.begin.Add(s.plan.Longest), connections: len(s.buyers), begun: make([]bool, len(s.buyers))}
	}
	until := s.begin.Add(s.plan.Within + s.plan.Longest)
	return &openLoop{
		clock: realClock{}, pace: Pace{Rate: s.rate()}, start: s.begin, until: until, cut: until,
		unsent: func(k int, intended time.Time) { s.buyers[k].rec.unsent(intended) },
	}
}

func (s *flash) succeeded() (sum int64) {
	for _, b := range s.buyers {
		sum += b.rec.succeeded.Load()
	}
	return sum
}

func (s *flash) progress() Progress {
	p := Progress{Case: s.plan.Case, Phase: "selling", Elapsed: time.Since(s.begin), Whole: max(s.plan.Within, time.Since(s.begin))}
	for _, b := range s.buyers {
		failed := b.rec.failed.Load()
		p.Requests += b.rec.succeeded.Load() + failed
		p.Failed += failed
	}
	return p
}

func (s *flash) close() {
	for _, b := range s.buyers {
		b.Close()
	}
}

// receipts are what all shoppers were told, by time.
func (s *flash) receipts() (all []receipt) {
	for _, b := range s.buyers {
		all = append(all, b.receipts...)
	}
	slices.SortFunc(all, func(a, b receipt) int { return a.at.Compare(b.at) })
	return all
}

// Flash is the outcome of a flash sale.
type Flash struct {
	Shoppers int `json:"shoppers"`
	Units    int `json:"units"`
	Uses     int `json:"uses"`
	// Sold, SoldOut and Unsure are the shoppers by what they were told. An unsure one got no answer to
	// its last request, or a failure.
	Sold    int `json:"told_sold"`
	SoldOut int `json:"told_sold_out"`
	Unsure  int `json:"unsure"`
	// SoldAfter is the time from the first arrival until the shopper of the last order was told, or of the
	// order that should have been the last, in seconds. OrdersPerSecond is the rate of orders until then.
	// SoldOutAfter is SoldAfter if all units were sold and no more, else 0.
	SoldAfter       float64 `json:"sold_after_seconds"`
	SoldOutAfter    float64 `json:"sold_out_after_seconds"`
	OrdersPerSecond float64 `json:"orders_per_second"`
	// Processor has the processor time of the sale, in seconds; 0 where it was not measured.
	Processor Processor `json:"processor_seconds"`
	// Visit is the time from a shopper's arrival to its last answer.
	Visit Latency `json:"visit"`
	// Orders, UnitsSold, UsesCounted and UnitsGone are the system's own counts, read after the sale:
	// orders in its list, units and reduced totals of the orders that shoppers were given, and units
	// that its stock lacks.
	Orders      int `json:"orders"`
	UnitsSold   int `json:"units_sold"`
	UsesCounted int `json:"uses_counted"`
	UnitsGone   int `json:"units_gone"`
	// WithoutStock are the orders for which the stock has no unit.
	WithoutStock int `json:"orders_without_stock"`
	// Faults are the contradictions that were found.
	Faults []string `json:"faults"`
}

// Processor is the processor time of a sale, in seconds.
type Processor struct {
	Server   float64 `json:"server"`
	Database float64 `json:"database"`
	Client   float64 `json:"client"`
}

// RateText writes a rate without decimals, below ten with two digits.
func RateText(rate float64) string {
	switch {
	case rate >= 9.95:
		return fmt.Sprintf("%.0f", rate)
	case rate >= 1:
		return fmt.Sprintf("%.1f", rate)
	}
	return fmt.Sprintf("%.2g", rate)
}

// Text is the outcome in sentences.
func (f *Flash) Text() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d shoppers for %d units, a code of %d uses: %d were told sold, %d sold out, %d got no sure answer.\n", f.Shoppers, f.Units, f.Uses,
		f.Sold, f.SoldOut, f.Unsure)
	switch {
	case f.SoldOutAfter > 0:
		fmt.Fprintf(&text, "Sold out after %.2f s: %s orders a second.\n", f.SoldOutAfter, RateText(f.OrdersPerSecond))
	case f.Sold > 0:
		fmt.Fprintf(&text, "%d orders in %.2f s: %s orders a second.\n", min(f.Sold, f.Units), f.SoldAfter, RateText(f.OrdersPerSecond))
	}
	if p := f.Processor; p.Server > 0 {
		fmt.Fprintf(&text, "Processor time: %.2f s of the system, %.2f s of its database, %.2f s of the shoppers.\n", p.Server, p.Database, p.Client)
	}
	fmt.Fprintf(&text, "The system counts %d orders, %d units sold, %d units gone from stock, %d uses of the code.\n", f.Orders, f.UnitsSold,
		f.UnitsGone, f.UsesCounted)
	fmt.Fprintf(&text, "Orders without stock: %d.\n", f.WithoutStock)
	for _, fault := range f.Faults {
		fmt.Fprintf(&text, "WRONG: %s\n", fault)
	}
	if len(f.Faults) == 0 {
		text.WriteString("Every shopper who was told sold has an order, every order its unit, and no unit was sold twice.\n")
	}
	return text.String()
}
