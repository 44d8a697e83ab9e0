package engine

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

func (s *fakeStore) AccountCarts(_, _ uuid.UUID, _ time.Time) ([]uuid.UUID, error) {
	s.lists++
	return s.members, s.err
}

func (s *fakeStore) LoadCarts(keys []RecordKey, _ time.Time) ([]CartRecord, error) {
	s.loaded = append(s.loaded, keys...)
	return make([]CartRecord, len(keys)), nil
}

func (c *fakeCarts) Known(key RecordKey) *CartRecord { return c.known[key.ID] }

func cartNumber(n int) uuid.UUID { return uuid.UUID{14: byte(n >> 8), 15: byte(n)} }

// accountCarts are n active carts of ada, numbered from 1, with so many stock items each.
func accountCarts(n, items int) *AccountCarts {
	var members []uuid.UUID
	for i := range n {
		members = append(members, cartNumber(i+1))
	}
	carts := NewAccountCarts(ada.CustomerID, members, false, 0)
	for i, id := range carts.Members {
		c := commerce.NewCart(id, noon)
		c.Customer, c.Hold.Asks = commerce.Binding{ID: ada.CustomerID}, make([]commerce.StockAsk, items)
		carts.Records[i] = CartRecord{Stamp: Stamp{Counter: 4, Writer: 9, Sequence: 7}, State: c}
	}
	return carts
}

// docs/api/carts.md#claim, Many carts; docs/design.md#commands-over-several-records.
func TestCartsOfACommit(t *testing.T) {
	claimed := uuid.UUID{15: 0xff}
	for _, c := range []struct {
		rule    string
		carts   *AccountCarts
		claimed uuid.UUID
		change  func(*AccountCarts)
		folded  int
		leave   int // the number of carts that leave the index
		last    bool
	}{
		{rule: "none", carts: accountCarts(0, 0), last: true},
		{rule: "the claimed one only", carts: accountCarts(1, 0), claimed: cartNumber(1), last: true},
		{rule: "31", carts: accountCarts(31, 0), folded: 31, leave: 31, last: true},
		{rule: "31 and the claimed one", carts: accountCarts(32, 0), claimed: cartNumber(2), folded: 31, leave: 31, last: true},
		{rule: "32", carts: accountCarts(32, 0), folded: 31, leave: 31},
		{rule: "more than MaxMembers", carts: accountCarts(33, 0), claimed: cartNumber(2), folded: 31, leave: 31},
		{rule: "1,000 stock items", carts: accountCarts(10, 300), folded: 3, leave: 3},
		{rule: "one cart with more", carts: accountCarts(2, 1200), folded: 1, leave: 1},
		{rule: "after one conflict", carts: accountCarts(31, 0), change: func(a *AccountCarts) { a.Conflicts = 1 }, folded: 31, leave: 31, last: true},
		{rule: "after two", carts: accountCarts(31, 0), change: func(a *AccountCarts) { a.Conflicts = 2 }, folded: 15, leave: 15},
		{rule: "after many", carts: accountCarts(31, 0), change: func(a *AccountCarts) { a.Conflicts = 99 }, folded: 1, leave: 1},
		{rule: "carts that are gone leave the index", carts: accountCarts(3, 0), change: func(a *AccountCarts) { a.Records[1] = CartRecord{} },
			folded: 2, leave: 3, last: true},
		{rule: "expired ones too", carts: accountCarts(3, 0), change: func(a *AccountCarts) { a.Records[1].State.ExpiresAt = noon }, folded: 2, leave: 3, last: true},
		{rule: "converted ones too", carts: accountCarts(3, 0), change: func(a *AccountCarts) { a.Records[1].State.Status = commerce.CartConverted },
			folded: 2, leave: 3, last: true},
		{rule: "another customer's too", carts: accountCarts(3, 0), change: func(a *AccountCarts) { a.Records[1].State.Customer.ID[0]++ },
			folded: 2, leave: 3, last: true},
	} {
		if c.change != nil {
			c.change(c.carts)
		}
		if c.claimed == uuid.Nil {
			c.claimed = claimed
		}
		f, others := c.carts.fold(c.claimed, noon)
		if len(others) != c.folded || len(f.Carts) != c.leave || f.Last != c.last || f.Members != len(c.carts.Members) {
			t.Errorf("%s: folds %d of %d, last %v of %d; want %d of %d, last %v", c.rule, len(others), len(f.Carts), f.Last, f.Members, c.folded, c.leave, c.last)
		}
	}
}

// docs/design.md#who-writes. A folded cart is written under a fresh writer id and remembers its last
// writer.
func TestFoldedCartsAreWrittenUnderAFreshWriter(t *testing.T) {
	s := cartScene()
	s.r.Command = commerce.ClaimCart{}
	s.r.Carts = accountCarts(2, 0)
	change, refusal := Judge(s.kind, s.r, s.v)
	if refusal != nil || change.Effects.Fold == nil || change.Effects.Idempotency == nil {
		t.Fatalf("%+v, %v", change, refusal)
	}
	writer := s.r.Carts.Writer
	for i, c := range change.Effects.Fold.Carts {
		if c.Next.Stamp != (Stamp{Counter: 5, Writer: writer, Sequence: 1}) || c.Next.State != change.Effects.Claim.Folded[i] || c.Next.State.ID != c.ID ||
			len(c.Next.Writers) != 1 || c.Next.Writers[0].ID != 9 || c.Next.Writers[0].Sequence != 7 {
			t.Errorf("cart %d: %+v", i, c)
		}
	}
	if other := accountCarts(2, 0).Writer; writer == other || writer == 9 {
		t.Errorf("writers %x and %x, want fresh ones", writer, other)
	}
	s.r.Carts = accountCarts(32, 0)
	if change, _ = Judge(s.kind, s.r, s.v); change.Effects.Idempotency != nil {
		t.Error("the claim has an idempotency entry without its last commit")
	}
}

// docs/api/carts.md#claim. A claim interrupted after one of several commits answers 504; without a
// commit it answers 503.
func TestClaimOfSeveralCommits(t *testing.T) {
	entry := func(n int) []commerce.FoldReport { return []commerce.FoldReport{{Cart: cartNumber(n)}} }
	commit := func(n int, last bool) func(*Request) (Reply, error) {
		return func(r *Request) (Reply, error) {
			reply, _ := done(r)
			reply.Fold = &Fold{Last: last, Claim: &commerce.Claim{Report: entry(n), TakenOver: commerce.TakenOver{Email: commerce.NewCart(cartNumber(n), noon)}}}
			return reply, nil
		}
	}
	met := func(visit func(*Request) (Reply, error)) func(*Request) (Reply, error) { // after a conflict that returned all carts
		return func(r *Request) (Reply, error) {
			r.Carts.Conflicts++
			return visit(r)
		}
	}
	fails := func(err error) func(*Request) (Reply, error) {
		return func(*Request) (Reply, error) { return Reply{}, err }
	}
	key := func(n int) RecordKey { return RecordKey{Store: cartScene().r.Store.ID, ID: cartNumber(n)} }
	missing, both := []RecordKey{key(2)}, []RecordKey{key(1), key(2)}
	replays := func(r *Request) (Reply, error) { return Reply{Facts: &r.Facts, Replayed: true}, nil }
	for _, c := range []struct {
		rule   string
		visits []func(*Request) (Reply, error)
		want   error
		report []commerce.FoldReport
		lists  int // reads of the index
		// loaded are the carts read from the store: those that are not in the node's memory, all after a conflict.
		loaded []RecordKey
		// commits counts the tried commits.
		commits int
	}{
		{"one", []func(*Request) (Reply, error){commit(1, true)}, nil, entry(1), 1, missing, 1},
		{"two", []func(*Request) (Reply, error){commit(1, false), commit(2, true)}, nil, slices.Concat(entry(1), entry(2)), 2, slices.Concat(missing, missing), 2},
		{"a replay", []func(*Request) (Reply, error){replays}, nil, nil, 1, missing, 1},
		{"other facts", []func(*Request) (Reply, error){outdated(false), commit(1, true)}, nil, entry(1), 2, slices.Concat(missing, both), 1},
		{"two after other facts", []func(*Request) (Reply, error){outdated(false), commit(1, false), commit(2, true)}, nil, slices.Concat(entry(1), entry(2)), 3,
			slices.Concat(missing, both, both), 2},
		{"two after other carts", []func(*Request) (Reply, error){met(commit(1, false)), commit(2, true)}, nil, slices.Concat(entry(1), entry(2)), 2,
			slices.Concat(missing, both), 2},
		{"finished by a repetition", []func(*Request) (Reply, error){commit(1, false), replays}, nil, entry(1), 2, slices.Concat(missing, missing), 2},
		{"nothing was committed", []func(*Request) (Reply, error){fails(ErrUnavailable)}, ErrUnavailable, nil, 1, missing, 1},
		{"unavailable after a commit", []func(*Request) (Reply, error){commit(1, false), fails(ErrUnavailable)}, ErrUnknownOutcome, nil, 2,
			slices.Concat(missing, missing), 2},
		{"refused after a commit", []func(*Request) (Reply, error){commit(1, false), fails(commerce.CartOwned)}, ErrUnknownOutcome, nil, 2,
			slices.Concat(missing, missing), 2},
		{"refused", []func(*Request) (Reply, error){fails(commerce.CartOwned)}, commerce.CartOwned, nil, 1, missing, 1},
	} {
		e, s, carts, r := newWrite(c.visits...)
		r.Match, s.members = &Match{Any: true}, []uuid.UUID{cartNumber(1), r.CartID, cartNumber(2)}
		carts.known = map[uuid.UUID]*CartRecord{cartNumber(1): {Stamp: Stamp{Counter: 1}}}
		reply, err := e.ClaimCart(r)
		if !errors.Is(err, c.want) || !reflect.DeepEqual(reply.Report, c.report) || s.lists != c.lists || carts.served != len(c.visits) {
			t.Errorf("%s: %v, %+v after %d lists and %d visits; want %v, %+v after %d and %d", c.rule, err, reply.Report, s.lists, carts.served, c.want,
				c.report, c.lists, len(c.visits))
		}
		if !slices.Equal(s.loaded, c.loaded) {
			t.Errorf("%s: loaded %v, want %v", c.rule, s.loaded, c.loaded)
		}
		later := r.Command.(commerce.ClaimCart).TakenOver.Email != nil
		if later != (c.commits > 1) || later != (r.Match == nil) {
			t.Errorf("%s: the last commit was asked with %+v, If-Match %v", c.rule, r.Command, r.Match)
		}
	}
}
