package commerce

import "math"

// EndedSession is the session number of a token that was ended: no contact has it.
const EndedSession uint64 = math.MaxUint64

// Session is a customer token with what its key says.
type Session struct {
	Token KeyHash
	// ExpiresAt is in Unix milliseconds.
	ExpiresAt int64
	Number    uint64
}

// SessionMove carries one token over the end of all sessions.
type SessionMove struct{ From, To Session }
