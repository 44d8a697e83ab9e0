package ratelimit

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"net/netip"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

var (
	//go:embed begin_attempt.lua
	beginSource string
	// BeginAttempt counts failures in a sliding window. Its header states the contract.
	BeginAttempt = redis.NewScript(beginSource)
)

// AttemptsKey is the log (LIST) of the failures of one caller with one name.
func AttemptsKey(storeID, name string, caller netip.Addr) string {
	return attemptsKey(storeID, "attempts", caller, "\x00"+name)
}

// CallerKey is the log (LIST) of the failures of one caller with all names.
func CallerKey(storeID string, caller netip.Addr) string {
	return attemptsKey(storeID, "callers", caller, "")
}

// CodesKey is the log (LIST) of the unknown discount codes that one caller tried on a cart.
func CodesKey(storeID, cartID string, caller netip.Addr) string {
	return attemptsKey(storeID, "codes", caller, "\x00"+cartID)
}

// QuotesKey is the log (LIST) of the accepts and declines of a store's quotes by one caller.
func QuotesKey(storeID string, caller netip.Addr) string {
	return attemptsKey(storeID, "quote-answers", caller, "")
}

// attemptsKey hides the caller and the name or cart in a hash. An IPv6 caller is its /64.
func attemptsKey(storeID, kind string, caller netip.Addr, more string) string {
	hash := sha256.Sum256([]byte(clientText(Network(caller)) + more))
	return "{" + storeID + "}:" + kind + ":" + hex.EncodeToString(hash[:])
}

// Attempt is the answer of BeginAttempt.
type Attempt struct {
	Granted bool
	// at is the time of the attempt, in microseconds.
	at int64
	// Logs are in the order of the keys.
	Logs []Failures
}

// Failures is the state of one log when BeginAttempt ran.
type Failures struct {
	// Counted is the number of earlier failures and attempts under way.
	Counted int
	// Reset is the time at which the oldest counted entry leaves the window. RetryAfter is the
	// time until then.
	RetryAfter time.Duration
	Reset      time.Time
}

// Entry is what an attempt with this id has written to each log.
func (a Attempt) Entry(id string) string { return strconv.FormatInt(a.at, 10) + " " + id }

// ParseAttempt reads the answer of BeginAttempt for logs with these windows.
func ParseAttempt(v any, windows ...time.Duration) (Attempt, error) {
	fields, ok := v.([]any)
	if !ok || len(fields) != 2+2*len(windows) {
		return Attempt{}, fmt.Errorf("%w: %v", errReply, v)
	}
	n := make([]int64, len(fields))
	for i := range n {
		if n[i], ok = fields[i].(int64); !ok {
			return Attempt{}, fmt.Errorf("%w: field %d is %v", errReply, i, fields[i])
		}
	}
	a := Attempt{Granted: n[0] == 1, at: n[1], Logs: make([]Failures, len(windows))}
	for i, window := range windows {
		found := n[2+2*i:]
		f := Failures{Counted: int(found[0])}
		if found[1] != 0 {
			f.Reset = time.UnixMicro(found[1]).Add(window).UTC()
			f.RetryAfter = f.Reset.Sub(time.UnixMicro(n[1]))
		}
		a.Logs[i] = f
	}
	return a, nil
}
