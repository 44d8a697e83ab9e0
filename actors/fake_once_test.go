package actors

import (
	"cartd/engine"
)

// remembered returns what is remembered under a key; nil: nothing, or no key.
func (s *fakeStore) remembered(once *engine.IdempotencyKey) *engine.IdempotencyEntry {
	if once == nil {
		return nil
	}
	return s.entries[once.Name]
}

// entriesOf returns what is remembered under the keys of a commit's effects.
func (s *fakeStore) entriesOf(effects []engine.Effects) (entries []*engine.IdempotencyEntry) {
	for i := range effects {
		if key := effects[i].Idempotency; key != nil {
			entries = append(entries, s.remembered(key))
		}
	}
	return entries
}

// replace puts a record in the place of another and remembers the keys of its commit. The lock is held.
func (s *fakeStore) replace(key engine.RecordKey, before, after engine.CartRecord, effects []engine.Effects) {
	done := applied{key: key, before: before, after: after}
	for i := range effects {
		if e := &effects[i]; e.Idempotency != nil {
			s.entries[e.Idempotency.Name] = &engine.IdempotencyEntry{
				Request: e.Idempotency.Request, Status: e.Idempotency.Status, Stamp: after.Stamp, Made: e.Made,
			}
			done.once = append(done.once, e.Idempotency.Name)
		}
	}
	s.records[key] = after
	s.history = append(s.history, done)
}
