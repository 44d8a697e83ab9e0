package stores

import (
	"cmp"
	"runtime/debug"
	"slices"
)

// evictAboveBound evicts the stores whose last use is longest ago, until the others take at most the bound. The store
// that was used last stays, however large it is. The next request loads an evicted one again.
func (s *Stores) evictAboveBound() {
	type held struct {
		entry *StoreEntry
		used  int64
	}
	var all []held
	total := int64(0)
	s.mu.Lock()
	for _, entry := range s.entries {
		if l := entry.Current.Load(); l != nil {
			total += l.memory
			all = append(all, held{entry, entry.used.Load()})
		}
	}
	if s.bound == 0 || total <= s.bound {
		s.mu.Unlock()
		return
	}
	slices.SortFunc(all, func(a, b held) int { return cmp.Compare(a.used, b.used) })
	for _, one := range all[:len(all)-1] {
		if total <= s.bound {
			break
		}
		l := one.entry.Current.Load()
		delete(s.entries, one.entry.ID)
		s.forgetKeys(one.entry, l)
		total -= l.memory
		s.evicted.Add(1)
	}
	s.mu.Unlock()
	debug.FreeOSMemory()
}
