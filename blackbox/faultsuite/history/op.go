package history

import (
	"fmt"
	"math"
	"time"

	"cartd/blackbox/faultsuite/model"
)

// Outcome is what a client knows of its command.
type Outcome uint8

const (
	// Done: answered with its success.
	Done Outcome = iota
	// Refused: answered with a definite refusal, which had no effect.
	Refused
	// Nothing: answered 503 or 429, which had no effect.
	Nothing
	// Unknown: 504, or no answer; it took effect once or never.
	Unknown
)

// Open is the return of an operation whose outcome is unknown: it may take effect
// at any time after its call.
const Open = time.Duration(math.MaxInt64)

// Op is one command of one client. A command that was sent several times under one
// Idempotency-Key is one Op.
type Op struct {
	Command  *model.Command
	Request  model.Request
	Node     int // of the last sending
	Attempts int
	Key      string // the Idempotency-Key; empty: none
	// Call is when it was sent first, Last when it was sent last.
	Call, Last, Return time.Duration
	Outcome            Outcome
	Status             int // 0: no answer
	// Seen is the state that the answer showed, Version the first part of its ETag.
	// A replay shows a later state: it is an Op of its own, a read, and the command
	// that it stands for is Done with nothing seen.
	Seen    model.State
	Version string

	// cut: there was an answer, after the end of the part that is looked at.
	cut bool
}

// Record is one record with everything that was done to it, in any order.
type Record struct {
	ID   string
	Kind *model.Kind
	Ops  []Op
}

// effect reports whether the operation may have changed its record.
func (o *Op) effect() bool {
	return !o.Command.Reads && (o.Outcome == Done || o.Outcome == Unknown)
}

// String is one line of a report.
func (o *Op) String() string {
	end, result := "        …", "no answer"
	if o.cut {
		result = "answered later"
	}
	if o.Return != Open {
		end = fmt.Sprintf("%9.4f", o.Return.Seconds())
	}
	if o.Status != 0 {
		result = fmt.Sprint(o.Status)
	}
	if o.Outcome == Done && o.Seen == nil {
		result += " (replayed)"
	}
	if o.Seen != nil {
		result += ": " + o.Seen.String()
	}
	sent := ""
	if o.Key != "" {
		sent = fmt.Sprintf(" (key %s, sent %d times)", o.Key, o.Attempts)
	}
	return fmt.Sprintf("%9.4f – %s  node %d  %s %s%s%s → %s",
		o.Call.Seconds(), end, o.Node, o.Command.Name, o.Request.Body, shortPath(o.Request.Path), sent, result)
}

// shortPath leaves of a line's path what tells lines of one cart apart.
func shortPath(path string) string {
	const lines, shown = "/lines/", 4
	if len(path) < len(lines)+shown {
		return ""
	}
	return " line " + path[len(lines):len(lines)+shown]
}
