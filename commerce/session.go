package commerce

import (
	"math"
	"net/netip"
	"time"
)

// SessionLifetime is how long an issued customer token resolves.
const SessionLifetime = 30 * 24 * time.Hour

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

// SignedIn is the answer of login and registration: the only time that a token is
// shown.
type SignedIn struct {
	Token     string
	ExpiresAt time.Time
	Contact   *Contact
}

const (
	// LoginFailures is how many logins of one caller with one e-mail address may fail
	// within RateWindow.
	LoginFailures = 5
	// CallerFailures is how many logins of one forwarded caller with all addresses may
	// fail within CallerWindow.
	CallerFailures = 100
	// CallerWindow is the sliding window of CallerFailures.
	CallerWindow = time.Hour
)

// Caller is who sent a request, by address.
type Caller struct {
	Addr netip.Addr
	// Forwarded: a trusted proxy named the address, so it is a visitor's own. Without a
	// trusted proxy all visitors of a storefront's server share one address.
	Forwarded bool
}
