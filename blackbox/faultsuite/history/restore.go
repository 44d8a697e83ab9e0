package history

import "time"

// Restore sets Redis back to an older file while nodes run.
type Restore struct {
	// From and To bound the moment whose state the file holds.
	From, To time.Duration
	// Down is the last moment of the old Redis, Up the first moment after an answer of the restored
	// one.
	Down, Up time.Duration
}

// Before returns the history of the old Redis. Answers of the old Redis count. An operation under
// way at its end may have taken effect, or not.
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

// After returns the history of the restored Redis. It has the operations that were answered earlier
// than the file's moment, and those that the restored Redis answered. It excuses the loss of
// operations that the old Redis began later than the file's moment and answered. Operations under
// way at the file's moment or at the end of the old Redis may have taken effect, or not.
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

// opened is the operation without its answer.
func (o Op) opened() Op {
	o.Outcome, o.Return, o.Status, o.Seen, o.Version, o.cut = Unknown, Open, 0, nil, "", true
	return o
}

// touches reports whether an operation happened between the file's moment and the first answer of
// the restored Redis.
func (r Restore) touches(ops []Op) bool {
	for i := range ops {
		if ops[i].Return >= r.From {
			return true
		}
	}
	return false
}
