package httpserver

import (
	"crypto/rand"
	"encoding/hex"
	"strconv"
	"sync/atomic"
)

// requestIDs makes the values of X-Request-Id: a prefix that is random for each
// start, and a counter.
type requestIDs struct {
	prefix string
	last   *atomic.Uint64
}

func newRequestIDs() requestIDs {
	var start [6]byte
	rand.Read(start[:]) // never fails
	return requestIDs{prefix: hex.EncodeToString(start[:]) + "-", last: new(atomic.Uint64)}
}

// appendNext writes a new id.
func (ids requestIDs) appendNext(dst []byte) []byte {
	return strconv.AppendUint(append(dst, ids.prefix...), ids.last.Add(1), 10)
}
