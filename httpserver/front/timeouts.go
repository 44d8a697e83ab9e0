package front

import "time"

// The times after which the server stops waiting.
const (
	readTimeout  = 15 * time.Second
	writeTimeout = 15 * time.Second
	idleTimeout  = 75 * time.Second
	// bodyTime: see Limits.BodyTime.
	bodyTime = 2 * time.Second

	// crowdedWrite is the write time-out while more than half of the budget is in use.
	crowdedWrite = 3 * time.Second
	// lastRequests: see Limits.LastRequests.
	lastRequests = 250 * time.Millisecond
	// eventTimeout is the maximum time in which a client takes an event.
	eventTimeout = 5 * time.Second
	// refusalWait is the maximum time to wait for the request of a connection that is refused, and
	// then for its client to read the answer.
	refusalWait = 500 * time.Millisecond
)

// deadlineSlack is the inaccuracy of a connection's deadline. It is small compared with readTimeout,
// writeTimeout and idleTimeout.
const deadlineSlack = time.Second
