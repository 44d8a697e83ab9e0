package front

import (
	"log/slog"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
)

func used(b *Budget) int64 {
	bytes, _ := b.Figures()
	return bytes
}

// A store has an eighth of the memory of bodies. Another store's bodies have theirs.
func TestAStoreHasAShareOfTheBodies(t *testing.T) {
	b := newBudget("bodies", 800, 8, slog.New(slog.DiscardHandler))
	one, other := uuid.UUID{1}, uuid.UUID{2}
	if !b.Reserve(one, 60) || !b.Reserve(one, 40) || b.Reserve(one, 1) || !b.Reserve(other, 100) {
		t.Errorf("one store: %v", b.stores)
	}
	b.Release(one, 60)
	if !b.Reserve(one, 60) || used(b) != 200 {
		t.Errorf("after a release: %v", b.stores)
	}
	for i := range 6 {
		b.Reserve(uuid.UUID{3, byte(i)}, 100)
	}
	if b.Reserve(uuid.UUID{4}, 1) || used(b) != 800 {
		t.Errorf("beyond the limit of all: %v", b.stores)
	}
	b.Release(one, 100)
	if _, kept := b.stores[one]; kept {
		t.Error("a store without bytes is remembered")
	}
}

// A full budget is logged once a minute.
func TestAFullBudgetIsLogged(t *testing.T) {
	var log strings.Builder
	b := newBudget("bodies", 0, 1, slog.New(slog.NewTextHandler(&log, nil)))
	for range 5 {
		b.Reserve(uuid.UUID{1}, 1)
	}
	b.logged = time.Now().Add(-logEvery)
	b.Reserve(uuid.UUID{1}, 1)
	if strings.Count(log.String(), "the memory for bodies is used up") != 2 {
		t.Errorf("logged\n%s", log.String())
	}
}

// While more than half of the budget is in use, a write ends after three seconds, also one that
// began with more time.
func TestWritesAreShorterInACrowd(t *testing.T) {
	b := newAnswers(1<<20, 1, slog.New(slog.DiscardHandler))
	late := time.Now().Add(writeTimeout)
	if got := b.writeDeadline(late); got != late {
		t.Errorf("without a crowd the deadline is %v", got)
	}
	begun := &spy{}
	c := &Conn{Conn: begun, from: &listener{answers: b}}
	first := Charge{}
	b.Charge(&first, uuid.Nil, 300<<10, false)
	b.sends(c, first)
	if len(begun.writing) > 0 {
		t.Error("a deadline is set without a crowd")
	}
	second := Charge{}
	b.Charge(&second, uuid.Nil, 400<<10, false)
	if len(begun.writing) != 1 || time.Until(begun.writing[0]) > crowdedWrite {
		t.Errorf("the deadlines of the answer that is being sent are %v", begun.writing)
	}
	if wait := time.Until(b.writeDeadline(late)); wait > crowdedWrite {
		t.Errorf("the next one may take %v", wait)
	}
	b.sent(c)
	b.sent(c)
	if used(b.Budget) != int64(second.bytes) || b.writeDeadline(late) != late {
		t.Errorf("after the first was sent: %d bytes", used(b.Budget))
	}
}

var oneClient, otherClient = netip.MustParsePrefix("192.0.2.1/32"), netip.MustParsePrefix("2001:db8::/64")

// A client has its bytes, and waits for them in the order of arrival. Others do not wait for it. One body may
// be larger than the share, alone.
func TestClientPlaces(t *testing.T) {
	p := clientPlaces{share: 800}
	past, later := time.Now().Add(-time.Second), time.Now().Add(time.Minute)
	for range 8 {
		if !p.enter(oneClient, 100, past) {
			t.Fatal("free bytes were refused")
		}
	}
	if p.enter(oneClient, 1, past) {
		t.Error("more than the share was given")
	}
	if !p.enter(otherClient, 3000, past) || p.enter(otherClient, 1, past) {
		t.Error("a large body is not let in alone")
	}
	large, small := make(chan bool, 1), make(chan bool, 1)
	go func() { large <- p.enter(oneClient, 3000, later) }()
	p.awaitWaiting(oneClient, 1)
	go func() { small <- p.enter(oneClient, 100, later) }()
	p.awaitWaiting(oneClient, 2)
	for range 8 {
		if len(large)+len(small) > 0 {
			t.Fatal("a body was let in beside others, or ahead of an earlier one")
		}
		p.leave(oneClient, 100)
	}
	if !<-large || len(small) > 0 {
		t.Error("the large body was not let in alone")
	}
	p.leave(oneClient, 3000)
	if !<-small {
		t.Error("bytes that became free were not given")
	}
	p.leave(oneClient, 100)
	p.leave(otherClient, 3000)
	if len(p.of) != 0 {
		t.Errorf("%d clients are kept", len(p.of))
	}
}

// A body that gives up lets those behind it go on.
func TestABodyThatGivesUpIsNotInTheWay(t *testing.T) {
	p := clientPlaces{share: 800}
	p.enter(oneClient, 100, time.Now())
	gone, behind := make(chan bool, 1), make(chan bool, 1)
	go func() { gone <- p.enter(oneClient, 800, time.Now().Add(50*time.Millisecond)) }()
	p.awaitWaiting(oneClient, 1)
	go func() { behind <- p.enter(oneClient, 100, time.Now().Add(time.Minute)) }()
	if <-gone || !<-behind {
		t.Error("the first body was let in, or the one behind it was not")
	}
	p.leave(oneClient, 100)
	p.leave(oneClient, 100)
	if len(p.of) != 0 {
		t.Errorf("%d clients are kept", len(p.of))
	}
}

func (p *clientPlaces) awaitWaiting(client netip.Prefix, n int) {
	for {
		p.mu.Lock()
		waiting := 0
		if own := p.of[client]; own != nil {
			waiting = len(own.waiting)
		}
		p.mu.Unlock()
		if waiting == n {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// Many bodies of a client at once never have more bytes than it may.
func TestClientPlacesAtOnce(t *testing.T) {
	p := clientPlaces{share: 300}
	var wg sync.WaitGroup
	var inside, most atomic.Int64
	for i := range 64 {
		client, bytes := oneClient, 1+i*4
		if i%4 == 0 {
			client = otherClient
		}
		wg.Go(func() {
			for range 20 {
				if !p.enter(client, bytes, time.Now().Add(time.Minute)) {
					t.Error("not let in within a minute")
					return
				}
				if client == oneClient {
					for n := inside.Add(int64(bytes)); ; {
						if old := most.Load(); n <= old || most.CompareAndSwap(old, n) {
							break
						}
					}
					inside.Add(-int64(bytes))
				}
				p.leave(client, bytes)
			}
		})
	}
	wg.Wait()
	if most.Load() > 300 || len(p.of) != 0 {
		t.Errorf("%d bytes at once, %d clients kept; want at most 300, none", most.Load(), len(p.of))
	}
}
