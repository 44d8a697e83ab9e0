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

// Config is the plan of one run. Seed decides all random choices.
type Config struct {
	Seed   uint64
	Binary string // see cluster.Build
	Nodes  int
	// Workers is the number of clients at a time, Records the number of records that they share.
	Workers, Records int
	Kinds            []*model.Kind
	// Accounts is the number of customers at a time whose carts are filled and claimed.
	Accounts int
	// Table has the faults of the run. Calm is the pause between two of them.
	Table []Fault
	Calm  time.Duration
	// The run ends after this number of requests and of faults, or after Time.
	Requests, Faults int
	Time             time.Duration
	// Growth: the run also checks memory, open files and goroutines of nodes.
	Growth bool
}

// nodeFlags shorten the time-outs of nodes, so that a short run reaches all of them, and let nodes
// drop idle carts within it.
var nodeFlags = []string{"--request-timeout", "1500ms", "--redis-timeout", "500ms", "--idle", "25ms"}

// Storm is a running run.
type Storm struct {
	Config
	cluster *cluster.Cluster
	lines   []*line
	slots   []*slot
	began   time.Time
	dice    *rand.Rand // for the faults
	tally   tally
	limit   limitProbe
	end     chan struct{} // closed when clients must stop
	givenUp chan struct{} // closed when clients must give up their repetitions

	happened []happening
	restores []history.Restore

	fresh          *cluster.Node
	freshFootprint cluster.Footprint
	footprints     []cluster.Footprint

	sets int // in the history of the document

	mu         sync.Mutex
	records    []*record
	accounts   []*account
	resendings []resending
	violations []history.Violation
}

// Run runs clients and faults against a cluster of its own and checks the answers. It ends the test
// only if the suite itself fails.
func Run(t testing.TB, c Config) *Report {
	t.Helper()
	s := &Storm{
		Config: c, began: time.Now(), dice: rand.New(rand.NewPCG(c.Seed, 0)),
		slots: newSlots(c.Kinds, c.Records), tally: tally{statuses: map[int]int{}},
		end: make(chan struct{}), givenUp: make(chan struct{}),
	}
	s.cluster = cluster.Start(t, cluster.Config{
		Binary: c.Binary, Nodes: c.Nodes, Flags: nodeFlags, Documents: model.Documents(), Seed: c.Seed,
	})
	for _, n := range s.cluster.Nodes {
		s.lines = append(s.lines, &line{where: n.Addr})
	}
	s.play()
	s.checkAll()
	return s.report()
}

// play runs clients and, on the test's own goroutine, one fault after another.
func (s *Storm) play() {
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
			s.cause(f)
			n++
		}
	}
	close(s.end)
	timer := time.AfterFunc(answerWithin, func() { close(s.givenUp) })
	clients.Wait()
	timer.Stop()
}

// answerWithin is the maximum time in which clients get definite answers once the faults are over.
const answerWithin = 15 * time.Second

// finished reports whether the run has had enough requests and faults.
func (s *Storm) finished(faults int) bool {
	return s.tally.total() >= s.Requests && faults >= s.Faults || time.Since(s.began) >= s.Time
}

// now is the time since the start of the run.
func (s *Storm) now() time.Duration { return time.Since(s.began) }

// over reports whether clients must begin no further command.
func (s *Storm) over() bool { return closed(s.end) }

// late reports whether clients should have all definite answers by now.
func (s *Storm) late() bool { return closed(s.givenUp) }

func closed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// pause lets time pass in the run.
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
