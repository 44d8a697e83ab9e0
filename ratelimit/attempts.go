package ratelimit

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"net/netip"
	"time"

	"github.com/redis/go-redis/v9"
)

var (
	//go:embed begin_attempt.lua
	beginSource string
	//go:embed end_attempt.lua
	endSource string

	// BeginAttempt and EndAttempt count failures in a sliding window; their headers
	// state the contract.
	BeginAttempt = redis.NewScript(beginSource)
	EndAttempt   = redis.NewScript(endSource)
)

// AttemptsKey is the log (LIST) of the failures of one caller with one name, both
// hidden behind a hash. An IPv6 caller is its /64.
func AttemptsKey(storeID, name string, caller netip.Addr) string {
	hash := sha256.Sum256([]byte(clientText(clientOf(caller)) + "\x00" + name))
	return "{" + storeID + "}:attempts:" + hex.EncodeToString(hash[:])
}

// CodesKey is the log (LIST) of the unknown discount codes that one caller tried at a
// store, the caller hidden behind a hash. An IPv6 caller is its /64.
func CodesKey(storeID string, caller netip.Addr) string {
	hash := sha256.Sum256([]byte(clientText(clientOf(caller))))
	return "{" + storeID + "}:codes:" + hex.EncodeToString(hash[:])
}

// Attempt is what BeginAttempt answers.
type Attempt struct {
	Granted bool
	// Counted is how many failures and attempts under way there were before, Open
	// how many of them are under way and may still succeed.
	Counted, Open int
	// RetryAfter is until the oldest counted one leaves the window, Reset when.
	RetryAfter time.Duration
	Reset      time.Time
}

// ParseAttempt reads the answer of BeginAttempt.
func ParseAttempt(v any, window time.Duration) (Attempt, error) {
	fields, ok := v.([]any)
	if !ok || len(fields) != 5 {
		return Attempt{}, fmt.Errorf("%w: %v", errReply, v)
	}
	var n [5]int64
	for i := range n {
		if n[i], ok = fields[i].(int64); !ok {
			return Attempt{}, fmt.Errorf("%w: field %d is %v", errReply, i, fields[i])
		}
	}
	a := Attempt{Granted: n[0] == 1, Counted: int(n[1]), Open: int(n[2])}
	if n[3] != 0 {
		a.Reset = time.UnixMicro(n[3]).Add(window).UTC()
		a.RetryAfter = a.Reset.Sub(time.UnixMicro(n[4]))
	}
	return a, nil
}
