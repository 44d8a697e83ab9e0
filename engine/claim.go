package engine

import (
	"errors"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// Bounds of one commit of a claim: docs/design.md#a-visit.
const (
	// MaxFolded is the maximum number of carts folded by one commit. Together they have at most
	// commerce.MaxCartItems stock items.
	MaxFolded = 31
	// MaxMembers is the maximum number of members read from the index of an account's carts.
	MaxMembers = MaxFolded + 1
)

// AccountCarts are the active carts of an account, the facts of a claim.
type AccountCarts struct {
	Customer uuid.UUID
	// Members are the first MaxMembers of the index, by creation, then id. Whole is true if there are
	// no others.
	Members []uuid.UUID
	Whole   bool
	// Records are the members' records; zero if a record is gone. The claimed cart's own is not used.
	Records []CartRecord
	// Writer is a fresh writer id for the folded carts: docs/design.md#who-writes.
	Writer uint64
	// Conflicts counts the visits of the claim that found other carts in Redis.
	Conflicts int
}

// Fold is one commit's change of the account's other carts.
type Fold struct {
	Customer uuid.UUID
	// Carts are the ones that leave the index.
	Carts []LeavingCart
	// Members is the number of members in the index.
	Members int
	// Last is true if no other cart stays active. The visit then compares Members, and the claim is
	// done.
	Last bool
	// Claim has the new states of the folded carts and their report.
	Claim *commerce.Claim
}

// LeavingCart is a cart that a claim takes out of the index.
type LeavingCart struct {
	ID uuid.UUID
	// Next replaces the record Before. Next has no state if the cart was not active any more.
	Before, Next CartRecord
}

// maxFolded is the number of carts in the next commit. It halves with each conflict after the
// first.
func (a *AccountCarts) maxFolded() int { return max(1, MaxFolded>>max(0, a.Conflicts-1)) }

// fold chooses the carts of the next commit, the oldest first.
func (a *AccountCarts) fold(claimed uuid.UUID, now time.Time) (f *Fold, others []*commerce.Cart) {
	f = &Fold{Customer: a.Customer, Members: len(a.Members)}
	items := 0
	for i, id := range a.Members {
		if id == claimed {
			continue
		}
		part := LeavingCart{ID: id, Before: a.Records[i]}
		if c := part.Before.State; c != nil && c.Status == commerce.CartActive && !c.Expired(now) && c.Customer == (commerce.Binding{ID: a.Customer}) {
			if items += len(c.Hold.Asks); len(others) == a.maxFolded() || len(others) > 0 && items > commerce.MaxCartItems {
				return f, others
			}
			others = append(others, c)
			part.Next.Stamp = Stamp{Counter: part.Before.Stamp.Counter + 1, Writer: a.Writer, Sequence: 1}
			part.Next.Writers = part.Before.Remember(a.Writer, now)
		}
		f.Carts = append(f.Carts, part)
	}
	f.Last = a.Whole
	return f, others
}

// complete adds the new states of the chosen carts.
func (f *Fold) complete(claim *commerce.Claim) {
	f.Claim = claim
	folded := claim.Folded
	for i := range f.Carts {
		if next := &f.Carts[i].Next; !next.Stamp.Zero() {
			next.State, folded = folded[0], folded[1:]
		}
	}
}

// NewAccountCarts makes the facts from the members of the index, without records. more means that
// the index has further members.
func NewAccountCarts(customer uuid.UUID, members []uuid.UUID, more bool, conflicts int) *AccountCarts {
	whole := !more && len(members) <= MaxMembers
	members = members[:min(len(members), MaxMembers)]
	return &AccountCarts{
		Customer: customer, Members: members, Whole: whole, Records: make([]CartRecord, len(members)),
		Writer: rand.Uint64(), Conflicts: conflicts,
	}
}

// ClaimCart binds the cart to the visitor's account and folds the account's other active carts into it.
// Many carts take several commits. After the first commit it returns success or ErrUnknownOutcome; a
// repeated claim folds the rest. docs/api/carts.md#claim.
func (e *Engine) ClaimCart(r *Request) (Reply, error) {
	var command commerce.ClaimCart
	var report []commerce.FoldReport
	lost := false
	for first := true; ; first = false {
		r.Command = command
		reply, err := e.claim(r, &lost)
		if err != nil && !first {
			return reply, ErrUnknownOutcome
		}
		if err == nil && reply.Fold != nil {
			report = append(report, reply.Fold.Claim.Report...)
			command.TakenOver = reply.Fold.Claim.TakenOver
		}
		reply.Report = report
		if err != nil || reply.Fold == nil || reply.Fold.Last {
			return reply, err
		}
		r.Counted, r.Budget, r.Match, r.Carts = true, reply.Facts.Budget, nil, nil
	}
}

// claim makes one commit. A conflict counts also if its visit did not return all carts. lost is set
// with the first conflict of the claim: the node's memory was out of date.
func (e *Engine) claim(r *Request, lost *bool) (Reply, error) {
	conflicts := 0
	return e.write(r, func(r *Request) (Reply, error) {
		if r.Carts == nil && r.Visitor.Known {
			if err := e.readAccountCarts(r, conflicts, *lost); err != nil {
				return Reply{}, err
			}
		}
		reply, err := e.changeCart(r)
		if reply.Facts != nil && reply.Facts.Carts != nil {
			conflicts = reply.Facts.Carts.Conflicts
		}
		if errors.Is(err, ErrOutdated) {
			conflicts++
		}
		*lost = *lost || conflicts > 0
		return reply, err
	})
}

// readAccountCarts reads the index, and the carts that are not in this node's memory. If the memory
// has lost, it reads all carts.
func (e *Engine) readAccountCarts(r *Request, conflicts int, lost bool) error {
	customer := r.Visitor.CustomerID
	members, err := e.storage.AccountCarts(r.Store.ID, customer, r.Deadline)
	if err != nil {
		return err
	}
	carts := NewAccountCarts(customer, members, false, conflicts)
	var missing []RecordKey
	var indexes []int
	for i, id := range carts.Members {
		if id == r.CartID {
			continue
		}
		key := RecordKey{Store: r.Store.ID, ID: id}
		if known := e.carts.Known(key); known != nil && !lost {
			carts.Records[i] = *known
			continue
		}
		missing, indexes = append(missing, key), append(indexes, i)
	}
	read, err := e.storage.LoadCarts(missing, r.Deadline)
	if err != nil {
		return err
	}
	for i, at := range indexes {
		carts.Records[at] = read[i]
	}
	r.Carts = carts
	return nil
}
