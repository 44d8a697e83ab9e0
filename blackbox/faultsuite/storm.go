package faultsuite

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"cartd/blackbox/faultsuite/cluster"
	"cartd/blackbox/faultsuite/history"
	"cartd/blackbox/faultsuite/model"
)

// Config is the plan of one run. Everything random in it comes from Seed.
type Config struct {
	Seed   uint64
	Binary string // see cluster.Build
	Nodes  int
	// Workers are clients at a time, Records the records that they share.
	Workers, Records int
	Kinds            []*model.Kind
	// Accounts are customers at a time whose carts are filled and claimed.
	Accounts int
	// Table are the faults that happen; between two of them all is well for Calm.
	Table []Fault
	Calm  time.Duration
	// The run ends when so many requests were sent and so many faults have
	// happened, or after Time.
	Requests, Faults int
	Time             time.Duration
	// Growth: look for what nodes did not give back.
	Growth bool
}

// nodeFlags make nodes give up sooner than they would, so that a short run sees
// every kind of giving up, and forget idle carts within it.
var nodeFlags = []string{"--request-timeout", "1500ms", "--redis-timeout", "500ms", "--idle", "25ms"}

// Storm is a run under way.
type Storm struct {
	Config
	cluster *cluster.Cluster
	lines   []*line
	slots   []*slot
	began   time.Time
	dice    *rand.Rand // the faults'
	tally   tally
	limit   limitProbe
	end     chan struct{} // closed when clients shall stop
	patient chan struct{} // closed when they have had time enough to settle what they began

	happened []happening
	restores []history.Restore

	fresh          *cluster.Node
	freshFootprint cluster.Footprint
	footprints     []cluster.Footprint

	mu         sync.Mutex
	records    []*record
	accounts   []*account
	agains     []again
	violations []history.Violation
}

// Run runs clients and faults against a cluster of its own and checks what was
// answered. It ends the test only where the suite itself does not work.
func Run(t testing.TB, c Config) *Report {
	t.Helper()
	s := &Storm{
		Config: c, began: time.Now(), dice: rand.New(rand.NewPCG(c.Seed, 0)),
		slots: newSlots(c.Kinds, c.Records), tally: tally{statuses: map[int]int{}},
		end: make(chan struct{}), patient: make(chan struct{}),
	}
	s.cluster = cluster.Start(t, cluster.Config{
		Binary: c.Binary, Nodes: c.Nodes, Flags: nodeFlags, Documents: model.Documents(), Seed: c.Seed,
	})
	for _, n := range s.cluster.Nodes {
		s.lines = append(s.lines, &line{where: n.Addr})
	}
	s.rage()
	s.settleDown()
	return s.report()
}

// rage runs clients and, on the test's own goroutine, one fault after another.
func (s *Storm) rage() {
	var clients sync.WaitGroup
	for i := range s.Workers {
		w := &worker{storm: s, dice: rand.New(rand.NewPCG(s.Seed, uint64(i)+1))}
		clients.Go(w.work)
	}
	for i := range s.Accounts {
		d := &desk{}
		for n := range accountClients {
			w := &worker{storm: s, dice: rand.New(rand.NewPCG(s.Seed, uint64(3000+i*accountClients+n)))}
			clients.Go(func() { w.shop(d) })
		}
	}
	for i := range probes {
		clients.Go(func() { s.limit.run(s, rand.New(rand.NewPCG(s.Seed, uint64(1000+i)))) })
	}
	cards := &deck{table: s.Table}
	for n := 0; !s.finished(n); {
		s.pause(s.Calm)
		if n < s.Faults {
			f := cards.deal(s.dice, n < max(s.Faults/2, len(s.Table)))
			s.suffer(f)
			n++
		}
	}
	close(s.end)
	patience := time.AfterFunc(settleWithin, func() { close(s.patient) })
	clients.Wait()
	patience.Stop()
}

// settleWithin is how long clients may need, once all is well, to settle what they
// have begun.
const settleWithin = 15 * time.Second

// finished reports whether the run has sent and broken enough.
func (s *Storm) finished(faults int) bool {
	return s.tally.total() >= s.Requests && faults >= s.Faults || time.Since(s.began) >= s.Time
}

// now is the time since the start of the run.
func (s *Storm) now() time.Duration { return time.Since(s.began) }

// over reports whether clients shall begin nothing more.
func (s *Storm) over() bool { return closed(s.end) }

// lost reports whether a client should have settled everything by now.
func (s *Storm) lost() bool { return closed(s.patient) }

func closed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// pause lets time pass: what happens meanwhile is the run itself.
func (s *Storm) pause(d time.Duration) { <-time.After(d) }

// keep adds a record to the run.
func (s *Storm) keep(r *record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.records = append(s.records, r)
}

func (s *Storm) violate(v ...history.Violation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.violations = append(s.violations, v...)
}
