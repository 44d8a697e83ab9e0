package history

import (
	"fmt"
	"math"
	"time"

	"cartd/blackbox/faultsuite/model"
)

// Outcome is a client's knowledge of its command.
type Outcome uint8

const (
	// Done: the answer is the command's success.
	Done Outcome = iota
	// Refused: the answer is a definite refusal, so the command had no effect.
	Refused
	// Nothing: the answer is 503 or 429, so the command had no effect.
	Nothing
	// Unknown: the answer is 504 or lost. The command took effect once or never.
	Unknown
)

// Open is the return of an operation whose outcome is unknown: it may take effect at any time after
// its call.
const Open = time.Duration(math.MaxInt64)

// Op is one command of one client. All sendings of a command with one Idempotency-Key are one Op.
type Op struct {
	Command  *model.Command
	Request  model.Request
	Node     int // of the last sending
	Attempts int
	Key      string // the Idempotency-Key; empty if the command has none
	// Call is the time of the first sending, Last the time of the last one.
	Call, Last, Return time.Duration
	Outcome            Outcome
	Status             int // 0 if no answer came
	// Seen is the state in the answer, Version the first part of the answer's ETag. A replay shows
	// a later state, so it becomes a read of its own; its command is then Done and has no Seen.
	Seen    model.State
	Version string

	// cut: an answer came after the end of the checked part.
	cut bool
}

// Record is one record with all of its operations, in any order.
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

// shortPath is the part of a line's path that differs between the lines of one cart.
func shortPath(path string) string {
	const lines, shown = "/lines/", 4
	if len(path) < len(lines)+shown {
		return ""
	}
	return " line " + path[len(lines):len(lines)+shown]
}
