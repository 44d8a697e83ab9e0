package actors

import (
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
)

// The fake has to keep the promises of the commit script, or the other tests
// prove nothing.
func TestTheFakeStoreSetsOnlyWhatItsWriterSaw(t *testing.T) {
	for _, c := range []struct {
		fate   fate
		first  engine.OutcomeKind
		stands bool               // the commit is in the record after the first sending
		second engine.OutcomeKind // of the same commit, without a fault
	}{
		{fate{}, engine.Committed, true, engine.Committed},
		{fate{fault: conflict, foreign: add(1)}, engine.Conflicted, false, engine.Conflicted},
		{fate{fault: replyLostAfterCommit}, engine.Unknown, true, engine.Committed},
		{fate{fault: replyLostBeforeCommit}, engine.Unknown, false, engine.Committed},
		{fate{fault: lateSuccess, after: 1}, engine.Unknown, false, engine.Committed},
		{fate{fault: refusal}, engine.Refused, false, engine.Committed},
		{fate{fault: outage}, engine.Refused, false, engine.Refused},
		{fate{fault: restoredBackup}, engine.Conflicted, false, engine.Conflicted},
	} {
		t.Run(c.fate.fault.String(), func(t *testing.T) {
			store, key := newFakeStore(testShop(2)), engine.RecordKey{ID: cartID}
			var got []engine.OutcomeKind
			commit := &engine.Commit[*commerce.Cart]{
				Key:   key,
				Next:  engine.CartRecord{Stamp: engine.Stamp{Counter: 1, Writer: 1, Sequence: 1}, State: commerce.NewCart(cartID, noon)},
				Claim: func() bool { return true },
				Done:  func(o engine.Outcome[*commerce.Cart]) { got = append(got, o.Kind) },
			}
			store.Send(commit)
			before := commit.Next
			commit.Expect, commit.Next.Stamp = before.Stamp, engine.Stamp{Counter: 2, Writer: 1, Sequence: 2}
			store.will(c.fate)
			store.Send(commit)
			if stands := store.record(key).Stamp == commit.Next.Stamp; stands != c.stands {
				t.Errorf("after the first sending the commit stands: %v; want %v", stands, c.stands)
			}
			store.Send(commit)
			if got[1] != c.first || got[2] != c.second {
				t.Errorf("outcomes %v; want %v, %v", got[1:], c.first, c.second)
			}
		})
	}
}

func TestTheFakeStoreAppliesALateSendingOnce(t *testing.T) {
	s := newScene(t)
	s.store.will(fate{fault: lateSuccess, after: 3})
	s.do(add(1)) // sent again, and that is two operations before the late one arrives
	s.do(add(2))
	s.do(add(3))
	s.want(1, 1)
	if got := s.store.commits(nodeWriter); got != 4 {
		t.Errorf("%d commits; want 4, the creation among them", got)
	}
}

func TestTheForeignWriterRemembersTheNode(t *testing.T) {
	s := newScene(t)
	mine := s.store.record(s.key).Stamp
	s.store.write(s.key, add(1), nobody)
	s.store.write(s.key, add(2), nobody)
	record := s.store.record(s.key)
	if !record.Applied(mine) {
		t.Errorf("writers %v do not tell that %v was applied", record.Writers, mine)
	}
	mine.Sequence++
	if record.Applied(mine) {
		t.Errorf("writers %v tell of %v, which was never sent", record.Writers, mine)
	}
	if at := record.Writers[0].At; at.Before(noon) || at.After(noon.Add(time.Second)) {
		t.Errorf("the entry is of %v; want the store's time", at)
	}
}
