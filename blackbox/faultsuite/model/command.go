package model

import "math/rand/v2"

// State is what the model knows of one record. Implementations are immutable
// values.
type State interface {
	// Same reports whether nothing tells the two states apart.
	Same(State) bool
	// Shows reports whether an answer with this state may stand for the receiver,
	// and returns the receiver with what only the answer knows (ids) filled in.
	Shows(seen State) (State, bool)
	String() string
}

// Request is a command as it is sent.
type Request struct {
	Method string
	// Path is below the record's own path.
	Path string
	Body string
	// Token is the X-Customer-Token; empty: none. The requests of a record carry the
	// token of the one that made it.
	Token string
	// Caller is the address that a trusted proxy names; empty: none.
	Caller string
	// Args are what the command's own functions need to know of the request.
	Args any
}

// Command is one row: how it is sent, what it does, how its answer is checked.
type Command struct {
	Name string
	// Weight is how often it is chosen, relative to its kind's other commands.
	Weight int
	// Reads: it changes nothing and takes no Idempotency-Key.
	Reads bool
	// Status is that of its success; 0: it is always refused.
	Status int
	// Make chooses a request from what the last answer showed. False: there is
	// nothing to do in that state.
	Make func(dice *rand.Rand, seen State) (Request, bool)
	// Apply returns the state after a success. False: it cannot succeed in this one.
	Apply func(before State, r Request) (State, bool)
	// Refuses reports whether the refusal is right in this state. Whatever it
	// says, a refusal changes nothing.
	Refuses func(s State, r Request, status int) bool
}

// Kind is one kind of record: how it is made and read, and what changes it.
type Kind struct {
	Name string
	// Weight is how many of the records in use at a time are of this kind.
	Weight int
	// Most is after how many commands a record is left alone.
	Most int
	// Absent is the state of a record that does not exist.
	Absent State
	// Collection is the path that Create posts to; a record's own is below it.
	Collection string
	// Single: a record is all of the collection that its token shows.
	Single bool
	// Gone is the answer to a repeated command whose effect another has taken back
	// since; 0: there is no such answer.
	Gone         int
	Create, Read *Command
	// Commands are what clients send, Read among them.
	Commands []*Command
	// Parse reads an answer's record: its id, its state, and the first thing in it
	// that does not add up.
	Parse func(body []byte) (id string, s State, err error)
	// Ledger, where it is set, replaces the search for a linear order, which grows
	// fast with the commands on one record: every command that is no read only adds.
	Ledger *Ledger
}

// Ledger reads what commands added and what a state holds.
type Ledger struct {
	// Added is the item that a request adds to, and how much.
	Added func(r Request) (item string, amount int64)
	// Held is how much of the item a state holds.
	Held func(s State, item string) int64
}

// Choose picks one of the kind's commands by weight.
func (k *Kind) Choose(dice *rand.Rand) *Command {
	total := 0
	for _, c := range k.Commands {
		total += c.Weight
	}
	at := dice.IntN(total)
	for _, c := range k.Commands {
		if at -= c.Weight; at < 0 {
			return c
		}
	}
	return nil // not reached: at is below the sum
}
