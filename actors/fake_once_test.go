package actors

import "cartd/commerce"

// remembered returns what is remembered under a key; nil: nothing, or no key.
func (s *fakeStore) remembered(once *commerce.IdempotencyKey) *commerce.IdempotencyEntry {
	if once == nil {
		return nil
	}
	return s.entries[once.Name]
}

// entriesOf returns what is remembered under the keys of a commit's effects.
func (s *fakeStore) entriesOf(effects []commerce.Effects) (entries []*commerce.IdempotencyEntry) {
	for i := range effects {
		if key := effects[i].Key; key != nil {
			entries = append(entries, s.remembered(key))
		}
	}
	return entries
}

// replace puts a record in the place of another and remembers the keys of its commit. The lock is held.
func (s *fakeStore) replace(key commerce.RecordKey, before, after commerce.CartRecord, effects []commerce.Effects) {
	done := applied{key: key, before: before, after: after}
	for i := range effects {
		if e := &effects[i]; e.Key != nil {
			s.entries[e.Key.Name] = &commerce.IdempotencyEntry{
				Request: e.Key.Request, Status: e.Key.Status, Stamp: after.Stamp, Made: e.Made,
			}
			done.once = append(done.once, e.Key.Name)
		}
	}
	s.records[key] = after
	s.history = append(s.history, done)
}
