package commerce

import "math"

// EndedSession is the session number of an ended token. No contact has this number.
const EndedSession uint64 = math.MaxUint64

// Session is a customer token with the fields stored under its key.
type Session struct {
	Token KeyHash
	// ExpiresAt is in Unix milliseconds.
	ExpiresAt int64
	Number    uint64
}

// SessionMove keeps one token valid while all other sessions of the contact end.
type SessionMove struct{ From, To Session }
