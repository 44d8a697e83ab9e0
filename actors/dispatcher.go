package actors

import "runtime"

// dispatcher runs actors on goroutines that live on, so that their stacks have grown
// already: a fresh goroutine for each message would copy its stack again and again.
type dispatcher struct {
	work chan func()
	stop chan struct{}
}

const (
	// throughput is after how many messages an actor lets others run.
	throughput = 300
	// scheduled bounds the actors that wait for a goroutine of the dispatcher; further
	// ones get one of their own.
	scheduled = 4096
)

// newDispatcher starts the goroutines. Actors never wait, so that a few are enough.
func newDispatcher() *dispatcher {
	d := &dispatcher{work: make(chan func(), scheduled), stop: make(chan struct{})}
	for range 2 * runtime.GOMAXPROCS(0) {
		go d.run()
	}
	return d
}

func (d *dispatcher) run() {
	for {
		select {
		case fn := <-d.work:
			fn()
		case <-d.stop:
			return
		}
	}
}

// Schedule runs fn soon; it never waits.
func (d *dispatcher) Schedule(fn func()) {
	select {
	case d.work <- fn:
	default:
		go fn()
	}
}

// Throughput is how many messages an actor handles in a row.
func (d *dispatcher) Throughput() int { return throughput }
