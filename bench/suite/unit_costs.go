package suite

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cartd/bench"
	"cartd/internal/process"
	"cartd/internal/unitcosts"
)

// UnitConfig has the settings of the measurement of unit costs.
type UnitConfig struct {
	Cartd    string // the program
	Duration time.Duration
	Rounds   int
	Stores   int // of the condition many
	// Kinds are the kinds of requests to measure; all if empty. The others keep the figures of Before.
	Kinds    []string
	Before   *unitcosts.Costs
	Measured string
	Later    string
	Progress func(bench.Progress)
	// Done is called after each kind and condition. It may be nil.
	Done func(kind, condition string, l unitcosts.Load)
}

// unitKind is a kind of request with a scenario that has it.
type unitKind struct {
	kind, about string
	scenario    bench.Scenario
	// without is the same journey without the request. It runs in turn with the scenario, and its cost
	// is taken off. Without one, the costs of the scenario's other requests are taken off.
	without *bench.Scenario
	// keys are the API keys of some stores. Without it they are the harness's own stores.
	keys       func(stores int) []string
	conditions []string
}

var (
	everywhere = []string{unitcosts.Busy, unitcosts.Alone, unitcosts.Cold, unitcosts.Roam, unitcosts.Many}
	warm       = []string{unitcosts.Busy, unitcosts.Alone, unitcosts.Many}
	anywhere   = []string{unitcosts.Busy, unitcosts.Alone, unitcosts.Roam, unitcosts.Many}
)

const (
	lines     = 3
	coldCarts = 5_000
)

// documents are the stores of a Redis by name: the harness's own, as many whose orders can be paid, and
// as many with tracked stock.
func documents(stores int) map[string][]byte {
	all := map[string][]byte{}
	for i := range stores {
		all[fmt.Sprint("own-", i)] = bench.StoreDocument(i)
		all[fmt.Sprint("sale-", i)] = bench.SaleDocument(i, 0, false)
		all[fmt.Sprint("tracked-", i)] = bench.SaleDocument(stores+i, 0, true)
	}
	return all
}

func saleKeys(n int) (keys []string) {
	for i := range n {
		keys = append(keys, bench.SaleKey(i))
	}
	return keys
}

func trackedKeys(stores int) []string { return saleKeys(2 * stores)[stores:] }

func mix(op string, lines int) bench.Scenario {
	return bench.Scenario{Name: op, Lines: lines, Mix: []bench.Share{{Op: op, Weight: 1}}}
}

func journey(ops ...string) bench.Scenario {
	return bench.Scenario{Name: "journey", Journey: ops}
}

// unitKinds are the kinds of requests.
func unitKinds() []unitKind {
	once, one, two, bought := mix("change", lines), journey("create", "add"), journey("create", "add", "add"), journey("create", "add", "add", "checkout")
	pay := bought
	once.Once, pay.After = true, []bench.Share{{Op: "pay", Weight: 100}}
	return []unitKind{
		{"read", "cart read", mix("read", lines), nil, nil, everywhere},
		{"product", "one product", mix("product", 0), nil, nil, warm},
		{"product_list", "page of 25 products", mix("product_list", 0), nil, nil, warm},
		{"create", "empty cart made", mix("create", 0), nil, nil, anywhere},
		{"add", "add to a line", mix("add", lines), nil, nil, everywhere},
		{"change", "line changed", mix("change", lines), nil, nil, everywhere},
		{"change_once", "line changed, with an Idempotency-Key", once, nil, nil, anywhere},
		{"add_tracked", "add to a line that holds stock", mix("add", lines), nil, trackedKeys, warm},
		{"code", "code attached", journey("create", "add", "code"), &one, nil, anywhere},
		{"checkout", "checkout of two lines", bought, &two, nil, anywhere},
		{"checkout_tracked", "checkout of two lines that hold stock", bought, &two, trackedKeys, warm},
		{"pay", "payment recorded", pay, &bought, saleKeys, warm},
		{"claim", "cart claimed, with another of 3 lines", mix("claim", lines), nil, nil, anywhere},
		{"address_list", "address book read", mix("address_list", 0), nil, nil, anywhere},
		{"address_change", "address changed", mix("address_change", 0), nil, nil, anywhere},
	}
}

// UnitCosts measures what requests and stored items cost.
func UnitCosts(ctx context.Context, c UnitConfig) (*unitcosts.Costs, error) {
	s, err := newStand(c.Cartd, "")
	if err != nil {
		return nil, err
	}
	defer s.end()
	u := &unitRunner{UnitConfig: c, stand: s, costs: &unitcosts.Costs{Measured: c.Measured, Later: c.Later}}
	if err := u.start(ctx); err != nil {
		return nil, err
	}
	if err := u.items(ctx); err != nil {
		return nil, err
	}
	rows := u.rows()
	for round := range c.Rounds {
		for _, r := range rows {
			if err := u.measure(ctx, r); err != nil {
				return nil, fmt.Errorf("%s, %s: %w", r.kind.kind, r.condition, err)
			}
			if round == c.Rounds-1 && c.Done != nil {
				c.Done(r.kind.kind, r.condition, *r.load)
			}
		}
	}
	u.costs.Round()
	return u.costs, nil
}

// unitRunner has the systems of the conditions.
type unitRunner struct {
	UnitConfig
	stand            *stand
	costs            *unitcosts.Costs
	one, second, off *system // nodes of one Redis: two usual ones, and one that keeps no record
	many             *system
}

// start imports the stores and starts the nodes.
func (u *unitRunner) start(ctx context.Context) error {
	redis, err := u.stand.newRedis(everysec...)
	if err != nil {
		return err
	}
	if err := u.load(ctx, redis, documents(1)); err != nil {
		return err
	}
	for _, node := range []struct {
		at    **system
		flags []string
	}{{&u.one, nil}, {&u.second, nil}, {&u.off, []string{"--resident", "1", "--idle", "1ms"}}} {
		if *node.at, err = u.stand.serve(redis, u.Cartd, append([]string{"serve"}, node.flags...)...); err != nil {
			return err
		}
	}
	if redis, err = u.stand.newRedis(everysec...); err != nil {
		return err
	}
	if err := u.load(ctx, redis, documents(u.Stores)); err != nil {
		return err
	}
	u.many, err = u.stand.serve(redis, u.Cartd, "serve")
	return err
}

// load imports documents.
func (u *unitRunner) load(ctx context.Context, redis *process.Redis, documents map[string][]byte) error {
	args := []string{"import", "--redis", redis.URL()}
	for name, text := range documents {
		file := filepath.Join(u.stand.dir, name+".json")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return err
		}
		args = append(args, file)
	}
	if output, err := exec.CommandContext(ctx, u.Cartd, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("import: %w: %.500s", err, output)
	}
	return nil
}

// plan is the load of a kind under a condition.
func (u *unitRunner) plan(k unitKind, condition string) (bench.Plan, *system) {
	on := u.one
	p := bench.Plan{
		Case: k.kind + ", " + condition, System: "cartd", Adapter: u.stand.adapter, Scenario: k.scenario, Connections: connections, Carts: carts,
		Stores: 1, Seed: 1, Timeout: requestTimeout, Progress: u.Progress, Target: on.target, Processes: on.processes,
	}
	switch condition {
	case unitcosts.Alone:
		p.Connections = 1
	case unitcosts.Cold:
		on = u.off
		p.Carts, p.Target, p.Processes = coldCarts, on.target, on.processes
	case unitcosts.Roam:
		p.Target, p.Roam = on.target+","+u.second.target, true
		p.Processes.Server = append(slices.Clone(on.processes.Server), u.second.processes.Server...)
	case unitcosts.Many:
		on = u.many
		p.Carts, p.Stores, p.Target, p.Processes = 2*u.Stores, u.Stores, on.target, on.processes
	}
	if k.keys != nil {
		p.Keys = k.keys(p.Stores)
	}
	return p, on
}

// unitRow is a kind under a condition. Its runs are spread over the whole measurement, because the
// speed of a machine changes.
type unitRow struct {
	kind      unitKind
	condition string
	runs      [4][]float64
	load      *unitcosts.Load // the median so far
}

// rows adds an empty load for each kind and condition to the costs, and returns their rows.
func (u *unitRunner) rows() (rows []*unitRow) {
	for _, k := range unitKinds() {
		if len(u.Kinds) > 0 && !slices.Contains(u.Kinds, k.kind) {
			for _, before := range u.Before.Requests {
				if before.Kind == k.kind {
					u.costs.Requests = append(u.costs.Requests, before)
				}
			}
			continue
		}
		loads := make([]unitcosts.Load, len(k.conditions))
		u.costs.Requests = append(u.costs.Requests, unitcosts.Request{Kind: k.kind, About: k.about, Loads: loads})
		for i, condition := range k.conditions {
			loads[i].Name = condition
			rows = append(rows, &unitRow{kind: k, condition: condition, load: &loads[i]})
		}
	}
	return rows
}

// measure runs a row once more, on new carts and connections.
func (u *unitRunner) measure(ctx context.Context, r *unitRow) (err error) {
	plan, on := u.plan(r.kind, r.condition)
	var worlds [2]*bench.World // with and, if the kind has such a journey, without the request
	for i, scenario := range []*bench.Scenario{&r.kind.scenario, r.kind.without} {
		if scenario == nil {
			continue
		}
		plan.Scenario = *scenario
		if worlds[i], err = bench.NewWorld(ctx, plan); err != nil {
			return err
		}
		defer worlds[i].Close()
		if _, err := worlds[i].Run(ctx, bench.Load{Duration: u.Duration / 4}); err != nil { // warms up
			return err
		}
	}
	load, err := u.once(ctx, r, on, worlds)
	if err != nil {
		return err
	}
	m := r.load
	figures := [...]float64{load.Node, load.Redis, load.Memory, load.File}
	for i, median := range []*float64{&m.Node, &m.Redis, &m.Memory, &m.File} {
		r.runs[i] = append(r.runs[i], figures[i])
		*median = bench.Median(r.runs[i])
	}
	return nil
}

// turns is the number of times that a round changes between a journey with a request and the one
// without it: the difference is small beside what a machine's speed changes meanwhile.
const turns = 5

// once runs a scenario one time, and subtracts the cost of the requests of other kinds in it.
func (u *unitRunner) once(ctx context.Context, r *unitRow, on *system, worlds [2]*bench.World) (unitcosts.Load, error) {
	own := ownOp(r.kind.kind)
	if worlds[1] != nil {
		return u.difference(ctx, on, worlds, own)
	}
	sum, counts, err := u.run(ctx, worlds[0], on)
	if err != nil {
		return sum, err
	}
	for op, n := range counts {
		if op != own {
			sum = sum.Less(u.costs.Load(op, r.condition), n)
		}
	}
	return sum.Per(counts[own]), nil
}

// difference is what a journey with a request costs more than the one without it.
func (u *unitRunner) difference(ctx context.Context, on *system, worlds [2]*bench.World, own string) (unitcosts.Load, error) {
	var sums [2]unitcosts.Load
	var requests, journeys [2]float64
	for range turns {
		for i, w := range worlds {
			sum, counts, err := u.run(ctx, w, on)
			if err != nil {
				return sum, err
			}
			sums[i] = sums[i].Less(sum, -1)
			requests[i] += counts[own]
			journeys[i] += counts["create"]
		}
	}
	return sums[0].Less(sums[1], requests[0]/journeys[1]).Per(requests[0]), nil
}

// ownOp is the operation of a kind.
func ownOp(kind string) string {
	kind, _ = strings.CutSuffix(kind, "_once")
	kind, _ = strings.CutSuffix(kind, "_tracked")
	return kind
}

// run loads a world and returns what all its requests cost together, and their numbers.
func (u *unitRunner) run(ctx context.Context, w *bench.World, on *system) (sum unitcosts.Load, counts map[string]float64, err error) {
	memory, file, err := redisBytes(on.redis)
	if err != nil {
		return sum, nil, err
	}
	r, err := w.Run(ctx, bench.Load{Duration: u.Duration})
	if err != nil {
		return sum, nil, err
	}
	if r.Failed > 0 {
		return sum, nil, fmt.Errorf("%d requests failed: %+v", r.Failed, r.Errors)
	}
	memoryAfter, fileAfter, err := redisBytes(on.redis)
	counts = map[string]float64{}
	for op, l := range r.ByOp {
		counts[op] = float64(l.Count)
	}
	sent := float64(r.Requests)
	return unitcosts.Load{Node: r.CPU.Server * sent, Redis: r.CPU.Redis * sent, Memory: memoryAfter - memory, File: fileAfter - file}, counts, err
}
