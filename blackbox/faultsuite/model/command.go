package model

import "math/rand/v2"

// State is the model's knowledge of one record. Implementations are immutable values.
type State interface {
	// Same reports whether the two states do not differ in any field that both show.
	Same(State) bool
	// Shows reports whether an answer with this state agrees with the receiver. It returns the
	// receiver with the ids that only the answer knows.
	Shows(seen State) (State, bool)
	String() string
}

// Request is a command in the form in which it is sent.
type Request struct {
	Method string
	// Path is relative to the record's own path.
	Path string
	Body string
	// Token is the X-Customer-Token; empty if the request has none. The requests of a record carry
	// the token of the request that made it.
	Token string
	// Caller is the address that a trusted proxy names; empty if it names none.
	Caller string
	// Args are the fields of the request that the command's own functions need.
	Args any
}

// Command is one row: how it is sent, its effect, and how its answer is checked.
type Command struct {
	Name string
	// Weight is the frequency relative to the other commands of the kind.
	Weight int
	// Reads: the command changes nothing and takes no Idempotency-Key.
	Reads bool
	// Status is the status of its success; 0 if it is always refused.
	Status int
	// Make chooses a request that fits the state in the last answer; false if none fits.
	Make func(dice *rand.Rand, seen State) (Request, bool)
	// Apply returns the state after a success; false if the command cannot succeed in this state.
	Apply func(before State, r Request) (State, bool)
	// Refuses reports whether the refusal is right in this state. A refusal never changes the
	// state.
	Refuses func(s State, r Request, status int) bool
}

// Kind is one kind of record: how it is made and read, and its commands.
type Kind struct {
	Name string
	// Weight is the number of records of this kind among those in use at a time.
	Weight int
	// MaxCommands is the number of commands after which clients leave a record alone.
	MaxCommands int
	// Absent is the state of a record that does not exist.
	Absent State
	// Collection is the path that Create posts to. A record's own path continues it.
	Collection string
	// Single: the token has one record, which is at the collection's path.
	Single bool
	// Gone is the status of a repeated command whose effect another command has undone since; 0 if
	// no such answer exists.
	Gone         int
	Create, Read *Command
	// Commands are the commands that clients send, Read among them.
	Commands []*Command
	// Parse reads an answer's record: its id, its state, and the first fault in it.
	Parse func(body []byte) (id string, s State, err error)
	// Ledger, if set, replaces the search for a linear order, whose time grows fast with the
	// commands on one record. Every command must be a read or an add.
	Ledger *Ledger
}

// Ledger reads the amounts that commands added and that a state has.
type Ledger struct {
	// Added is the item and the amount that a request adds.
	Added func(r Request) (item string, amount int64)
	// Held is the amount of the item in a state.
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
	return nil // not reached: at is less than the sum
}
