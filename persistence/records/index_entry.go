package records

// IndexEntry is an entry of a record in a sorted set of its store, which can be made of the record anew.
type IndexEntry struct{ Key, Member, Score string }

// Names reports whether two entries are the same, whatever their scores.
func (e IndexEntry) Names(other IndexEntry) bool {
	return e.Key == other.Key && e.Member == other.Member
}

// Add adds the entry to its sorted set, Remove removes it.
func (e IndexEntry) Add(p *Plan)    { p.Sorted("ZADD", e.Key, e.Score, e.Member) }
func (e IndexEntry) Remove(p *Plan) { p.Sorted("ZREM", e.Key, e.Member) }
