package engine

import (
	"net/netip"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// fakeStore has the facts of one request as the node knows them, and as Redis holds them.
type fakeStore struct {
	order *Record[*commerce.Order]
	Storage
	node, redis Facts
	knows       bool
	admits      int
	refreshes   int
	err         error // of every trip to Redis
	codes       Budget
	began, back int // tries of unknown codes, and tries taken back
	members     []uuid.UUID
	lists       int // reads of the index of an account's carts
	samples     int // of hashes
	loaded      []RecordKey
	accounts    []Account
	external    []Account
	seen        []string // entries of addresses that registrations were judged by
	outcomes    []error  // of registrations and adjustments
}

func (s *fakeStore) Admit(r *Request) error {
	s.admits++
	r.Facts = s.redis
	r.Counted = true
	return s.err
}

func (s *fakeStore) Recall(r *Request) (bool, error) {
	r.Facts = s.node
	return s.knows, nil
}

func (s *fakeStore) Refresh(_ uuid.UUID, r *Request) error {
	s.refreshes++
	if s.err == nil {
		s.node = s.redis
		s.node.Budget = Budget{Granted: true}
		r.Facts = s.node
	}
	return s.err
}

func (s *fakeStore) AwaitReplicas(uuid.UUID, time.Time) error { return s.err }

func (s *fakeStore) CodeBudget(RecordKey, netip.Addr, time.Time) (Budget, error) {
	return s.codes, s.err
}
func (s *fakeStore) BeginCode(RecordKey, netip.Addr, time.Time) (Budget, func(), error) {
	s.began++
	return s.codes, s.takeBack, s.err
}

func (s *fakeStore) takeBack() { s.back++ }

// fakeCarts answers with its visits in turn, the last one again and again.
type fakeCarts struct {
	Carts
	visits []func(*Request) (Reply, error)
	served int
	known  map[uuid.UUID]*CartRecord
}

func (c *fakeCarts) Change(r *Request) (Reply, error) {
	visit := c.visits[min(c.served, len(c.visits)-1)]
	c.served++
	return visit(r)
}

// outdated is a visit that finds other facts; it counts the request or not. done is a visit that
// finds the same facts.
func outdated(counts bool) func(*Request) (Reply, error) {
	return func(r *Request) (Reply, error) {
		if counts {
			r.Counted, r.Budget = true, Budget{Granted: true, Limit: 120, Remaining: 5}
		}
		return Reply{Facts: &r.Facts}, ErrOutdated
	}
}

func done(r *Request) (Reply, error) {
	if !r.Counted {
		r.Counted, r.Budget = true, Budget{Granted: true, Limit: 120, Remaining: 4}
	}
	return Reply{Facts: &r.Facts}, nil
}

// newWrite is a write on a cart whose facts the node knows.
func newWrite(visits ...func(*Request) (Reply, error)) (*Engine, *fakeStore, *fakeCarts, *Request) {
	r := cartScene().r
	r.Write, r.Deadline = true, time.Now().Add(time.Hour)
	s := &fakeStore{node: r.Facts, redis: r.Facts, knows: true, codes: Budget{Granted: true, Limit: 20, Remaining: 7}}
	s.redis.Budget = Budget{Granted: true, Limit: 120, Remaining: 9}
	carts := &fakeCarts{visits: visits}
	return New(s, carts, nil, nil, nil, nil, nil), s, carts, r
}

// Admit counts a write that the node refuses or cannot judge; its visit counts any other.
func TestAdmitOfAWrite(t *testing.T) {
	for _, c := range []struct {
		rule   string
		raise  func(*fakeStore)
		want   error
		admits int
	}{
		{"the node knows the facts", func(*fakeStore) {}, nil, 0},
		{"the node does not know them", func(s *fakeStore) { s.knows = false }, nil, 1},
		{"the node refuses, Redis does not", func(s *fakeStore) { s.node.Key = nil }, nil, 1},
		{"both refuse", func(s *fakeStore) { s.node.Key, s.redis.Key = nil, nil }, commerce.Unauthenticated, 1},
		{"both refuse, for different reasons", func(s *fakeStore) { s.node.Key, s.redis.Budget.Granted = nil, false }, commerce.TooManyAttempts, 1},
		{"only Redis would refuse", func(s *fakeStore) { s.redis.Key = nil }, nil, 0},
		{"Redis is away", func(s *fakeStore) { s.knows, s.err = false, ErrUnavailable }, ErrUnavailable, 1},
	} {
		e, s, _, r := newWrite(done)
		c.raise(s)
		if err := e.Admit(r); err != c.want || s.admits != c.admits || r.Counted != (c.admits > 0) {
			t.Errorf("%s: %v after %d admissions, counted %v; want %v after %d", c.rule, err, s.admits, r.Counted, c.want, c.admits)
		}
	}
}

// docs/design.md#one-visit-one-loop: a write with outdated facts is judged again.
func TestWriteIsServedAgainWithFreshFacts(t *testing.T) {
	suspend := func(s *fakeStore, _ *Request) {
		shop := *s.redis.Store
		shop.Suspended = true
		s.redis.Store = &shop
	}
	nothing := func(*fakeStore, *Request) {}
	for _, c := range []struct {
		rule                      string
		visits                    []func(*Request) (Reply, error)
		raise                     func(*fakeStore, *Request)
		want                      error
		served, refreshes, admits int
		left                      int // of the request limit
	}{
		{"at once", []func(*Request) (Reply, error){done}, nothing, nil, 1, 0, 0, 4},
		{"after another", []func(*Request) (Reply, error){outdated(false), outdated(false), done}, nothing, nil, 3, 2, 0, 4},
		{"a counted one stays counted", []func(*Request) (Reply, error){outdated(true), outdated(false), done}, nothing, nil, 3, 2, 0, 5},
		{"a guard refuses", []func(*Request) (Reply, error){outdated(false)}, suspend, commerce.TenantSuspended, 1, 1, 1, 9},
		{"a guard refuses a counted one", []func(*Request) (Reply, error){outdated(true)}, suspend, commerce.TenantSuspended, 1, 1, 0, 5},
		{"the deadline has passed", []func(*Request) (Reply, error){outdated(false)},
			func(_ *fakeStore, r *Request) { r.Deadline = time.Now() }, ErrUnavailable, 1, 0, 0, 0},
		{"the deadline passes", []func(*Request) (Reply, error){outdated(false), outdated(false), func(r *Request) (Reply, error) {
			r.Deadline = time.Now()
			return Reply{}, ErrOutdated
		}}, nothing, ErrUnavailable, 3, 2, 0, 0},
		{"Redis is away", []func(*Request) (Reply, error){outdated(true)}, func(s *fakeStore, _ *Request) { s.err = ErrUnavailable }, ErrUnavailable, 1, 1, 0, 5},
		{"any other error", []func(*Request) (Reply, error){func(r *Request) (Reply, error) { return Reply{Facts: &r.Facts}, ErrUnknownOutcome }}, nothing,
			ErrUnknownOutcome, 1, 0, 0, 0},
		{"a replay waits for the replicas", []func(*Request) (Reply, error){func(r *Request) (Reply, error) { return Reply{Facts: &r.Facts, Replayed: true}, nil }},
			func(s *fakeStore, _ *Request) { s.err = ErrUnknownOutcome }, ErrUnknownOutcome, 1, 0, 0, 0},
	} {
		e, s, carts, r := newWrite(c.visits...)
		c.raise(s, r)
		reply, err := e.ChangeCart(r)
		if err != c.want || carts.served != c.served || s.refreshes != c.refreshes || s.admits != c.admits || reply.Facts.Budget.Remaining != c.left {
			t.Errorf("%s: %v after %d visits, %d refreshes, %d admissions, %d left; want %v after %d, %d, %d, %d left", c.rule,
				err, carts.served, s.refreshes, s.admits, reply.Facts.Budget.Remaining, c.want, c.served, c.refreshes, c.admits, c.left)
		}
	}
}
