package history

import "time"

// Restore is a Redis that was set back to an older file while nodes ran.
type Restore struct {
	// From and To bound the moment that the file holds.
	From, To time.Duration
	// Down is the last moment before the old Redis ended, Up the first after the
	// restored one answered.
	Down, Up time.Duration
}

// Before returns what is known of a history up to the restore: what was answered
// while the old Redis ran counts; what was under way when it ended may have taken
// effect there, or not.
func (r Restore) Before(ops []Op) []Op {
	var kept []Op
	for _, o := range ops {
		switch {
		case o.Call >= r.Up:
		case o.Outcome == Unknown || o.Return < r.Down:
			kept = append(kept, o)
		case o.effect():
			kept = append(kept, o.opened())
		}
	}
	return kept
}

// After returns the history that the restored Redis goes on from: what was
// answered before the file's moment is in it, what was called after that moment
// and answered before the end of the old Redis is lost and excused, whatever was
// under way meanwhile may be in it or not. What the restored Redis answered is in it.
func (r Restore) After(ops []Op) []Op {
	var kept []Op
	for _, o := range ops {
		lost := o.Call >= r.To && o.Return < r.Down
		switch {
		case o.Outcome == Unknown || o.Last >= r.Up || o.Return < r.From:
			kept = append(kept, o)
		case o.effect() && !lost:
			kept = append(kept, o.opened())
		}
	}
	return kept
}

// opened is the operation as long as no answer had come.
func (o Op) opened() Op {
	o.Outcome, o.Return, o.Status, o.Seen, o.Version, o.cut = Unknown, Open, 0, nil, "", true
	return o
}

// touches reports whether anything of the history happened after the file's moment
// and before the restored Redis answered.
func (r Restore) touches(ops []Op) bool {
	for i := range ops {
		if ops[i].Return >= r.From {
			return true
		}
	}
	return false
}
