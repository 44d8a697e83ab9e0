package engine

import (
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// Bounds of one commit of a claim. Design: A visit.
const (
	// MaxFolded is how many other carts it folds, MaxFoldedItems how many stock items they ask for
	// together (one cart may ask for as many).
	MaxFolded      = 31
	MaxFoldedItems = 1000
	// MaxMembers is how many members of the index of an account's carts are looked at.
	MaxMembers = MaxFolded + 1
)

// AccountCarts are the active carts of an account: what a claim is judged by beside its own cart.
type AccountCarts struct {
	Customer uuid.UUID
	// Members are the first of the index, at most MaxMembers, by creation, then id. Whole: there
	// are no others.
	Members []uuid.UUID
	Whole   bool
	// Records are the members'; zero if the record is gone. That of the claimed cart does not count.
	Records []CartRecord
	// Writer is fresh: the folded carts are written under it. Design: Who writes.
	Writer uint64
	// Conflicts counts the visits of the claim that found other carts than they were judged by.
	Conflicts int
}

// Fold is a commit's part of a claim: what it does to the other carts of the account.
type Fold struct {
	Customer uuid.UUID
	// Carts leave the index.
	Carts []FoldedCart
	// Members is how many members the index has.
	Members int
	// Last: no other cart stays active. Then Members is compared, and the claim is done.
	Last bool
	// Claim has the folded carts' states and their report.
	Claim *commerce.Claim
}

// FoldedCart is a member of the index that a claim takes out of it.
type FoldedCart struct {
	ID uuid.UUID
	// Before is its record, Next what takes the place of that; Next has no state if the cart was
	// not active any more.
	Before, Next CartRecord
}

// maxFolded is how many carts the next commit folds: fewer after every second conflict.
func (a *AccountCarts) maxFolded() int { return max(1, MaxFolded>>max(0, a.Conflicts-1)) }

// fold chooses the carts of the next commit into a claimed cart: the oldest ones.
func (a *AccountCarts) fold(claimed uuid.UUID, now time.Time) (f *Fold, others []*commerce.Cart) {
	f = &Fold{Customer: a.Customer, Members: len(a.Members)}
	items := 0
	for i, id := range a.Members {
		if id == claimed {
			continue
		}
		part := FoldedCart{ID: id, Before: a.Records[i]}
		if c := part.Before.State; c != nil && c.Status == commerce.CartActive && !c.Expired(now) && c.Customer == (commerce.Binding{ID: a.Customer}) {
			if items += len(c.Hold.Asks); len(others) == a.maxFolded() || len(others) > 0 && items > MaxFoldedItems {
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

// complete takes over what the claim has made of the chosen carts.
func (f *Fold) complete(claim *commerce.Claim) {
	f.Claim = claim
	folded := claim.Folded
	for i := range f.Carts {
		if next := &f.Carts[i].Next; !next.Stamp.Zero() {
			next.State, folded = folded[0], folded[1:]
		}
	}
}

// NewAccountCarts are the carts of an account whose index has these members at least; no record is
// known yet. more: there are others.
func NewAccountCarts(customer uuid.UUID, members []uuid.UUID, more bool, conflicts int) *AccountCarts {
	whole := !more && len(members) <= MaxMembers
	members = members[:min(len(members), MaxMembers)]
	return &AccountCarts{
		Customer: customer, Members: members, Whole: whole, Records: make([]CartRecord, len(members)),
		Writer: rand.Uint64(), Conflicts: conflicts,
	}
}

// ClaimCart binds the cart to the visitor's account and folds the account's other active carts into
// it, in several commits if they are many. Once it has committed it ends with success or
// ErrUnknownOutcome; repeating it completes it. Lifecycle: Claim.
func (e *Engine) ClaimCart(r *Request) (Reply, error) {
	command := commerce.ClaimCart{Room: e.store.CartRoom()}
	var report []commerce.Folded
	for first := true; ; first = false {
		r.CartCommand = command
		reply, err := e.claim(r)
		if err != nil && !first {
			return reply, ErrUnknownOutcome
		}
		if err == nil && reply.Fold != nil {
			report = append(report, reply.Fold.Claim.Report...)
			command.Lent = reply.Fold.Claim.Lent
		}
		reply.Report = report
		if err != nil || reply.Fold == nil || reply.Fold.Last {
			return reply, err
		}
		r.Counted, r.Budget, r.Match, r.Carts = true, reply.Facts.Budget, nil, nil
	}
}

// claim makes one commit.
func (e *Engine) claim(r *Request) (Reply, error) {
	conflicts := 0
	return e.write(r, func(r *Request) (Reply, error) {
		if r.Carts == nil && r.Visitor.Known {
			if err := e.readAccountCarts(r, conflicts); err != nil {
				return Reply{}, err
			}
		}
		reply, err := e.carts.Change(r)
		if reply.Facts != nil && reply.Facts.Carts != nil {
			conflicts = reply.Facts.Carts.Conflicts
		}
		return reply, err
	})
}

// readAccountCarts reads the index, and the carts that the node does not hold.
func (e *Engine) readAccountCarts(r *Request, conflicts int) error {
	customer := r.Visitor.CustomerID
	members, err := e.store.AccountCarts(r.Store.ID, customer, r.Deadline)
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
		if held := e.carts.Known(key); held != nil {
			carts.Records[i] = *held
			continue
		}
		missing, indexes = append(missing, key), append(indexes, i)
	}
	read, err := e.store.LoadCarts(missing, r.Deadline)
	if err != nil {
		return err
	}
	for i, at := range indexes {
		carts.Records[at] = read[i]
	}
	r.Carts = carts
	return nil
}
