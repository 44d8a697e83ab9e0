package actors

import (
	"testing"

	"cartd/commerce"
	"cartd/engine"
)

// The fake must keep the promises of write.lua, or the other tests prove nothing.
func TestTheFakeStoreWritesOnlyOverTheStampThatWasSeen(t *testing.T) {
	for _, c := range []struct {
		fate   fate
		first  engine.OutcomeKind
		stands bool               // the visit is in the record after the first sending
		second engine.OutcomeKind // of the same visit, without a fault
	}{
		{fate{}, engine.Done, true, engine.Done},
		{fate{fault: conflict, foreign: add(1)}, engine.OtherRecord, false, engine.OtherRecord},
		{fate{fault: replyLost}, engine.Unknown, true, engine.Done},
		{fate{fault: requestLost}, engine.Unknown, false, engine.Done},
		{fate{fault: delayed, after: 1}, engine.Unknown, false, engine.Done},
		{fate{fault: refusal}, engine.Refused, false, engine.Done},
		{fate{fault: unreachable}, engine.Refused, false, engine.Refused},
		{fate{fault: restoredBackup}, engine.OtherRecord, false, engine.OtherRecord},
		{fate{fault: newHead}, engine.OtherHead, false, engine.OtherHead},
		{fate{fault: clockJump}, engine.TooLate, false, engine.TooLate},
		{fate{fault: broken}, engine.Broken, false, engine.Done},
	} {
		t.Run(c.fate.fault.String(), func(t *testing.T) {
			s := newScene(t)
			var got []engine.OutcomeKind
			r := s.withKey(add(1), key)
			seen := s.storage.record(s.key)
			v := &engine.Visit[*commerce.Cart]{
				Key: s.key, Version: r.Version, Seen: seen.Stamp, Writes: true, Requests: []*engine.Request{r},
				Next:      engine.CartRecord{Stamp: engine.Stamp{Counter: 2, Writer: 1, Sequence: 2}, State: seen.State},
				Effects:   []engine.Effects{{Idempotency: key}},
				Judged:    r.Now,
				Tolerance: engine.Drift,
				MaySend:   func() bool { return true },
				Done:      func(o engine.Outcome[*commerce.Cart]) { got = append(got, o.Kind) },
			}
			s.storage.will(c.fate)
			s.storage.Send(v)
			if stands := s.storage.record(s.key).Stamp == v.Next.Stamp; stands != c.stands {
				t.Errorf("after the first sending the visit stands: %v; want %v", stands, c.stands)
			}
			s.storage.Send(v)
			if got[0] != c.first || got[1] != c.second {
				t.Errorf("outcomes %v; want %v, %v", got, c.first, c.second)
			}
			if want := 1 + len(s.storage.entries); s.storage.counted != want {
				t.Errorf("%d requests are counted; want %d", s.storage.counted, want)
			}
		})
	}
}
