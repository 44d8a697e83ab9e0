package ratelimit

import (
	_ "embed"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// grant is one entry of the log: n requests of one batch, granted at a time. All times here are
// microseconds since 1970. The log is ordered by time.
type grant struct {
	at int64
	n  int64
	// earlier is the sum of n over the earlier entries since the log was last empty. A count
	// therefore needs only two entries.
	earlier int64
}

// verdict is the decision on one batch.
type verdict struct {
	granted int64
	count   int64 // earlier requests in the window
	oldest  int64 // time of the oldest entry that counts, this batch included; 0 if none
	at      int64 // the time the grant counts at: the later of the clock and the newest grant
}

// admit decides a batch of asked requests at clock and returns the new log. It grants requests
// while fewer than limit, the sum of a Bound, are counted in the window. Exactly one window after a grant, its requests count no more.
func admit(log []grant, clock, asked, limit, window int64) ([]grant, verdict) {
	log, at := prune(log, clock, window)
	v := verdict{at: at, count: total(log)}
	if len(log) > 0 {
		v.count -= log[0].earlier
	}
	v.granted = max(0, min(asked, limit-v.count))
	if v.granted > 0 {
		log = append(log, grant{at: at, n: v.granted, earlier: total(log)})
	}
	if len(log) > 0 {
		v.oldest = log[0].at
	}
	return log, v
}

// prune drops the entries that no longer count and returns the time that a new grant counts at.
// If the clock stepped back, that is the time of the newest grant. A grant more than one window
// ahead comes from a clock that was wrong, and is dropped.
func prune(log []grant, clock, window int64) (live []grant, at int64) {
	ahead := sort.Search(len(log), func(i int) bool { return log[i].at > clock+window })
	log = log[:ahead]
	at = clock
	if ahead > 0 {
		at = max(clock, log[ahead-1].at)
	}
	first := sort.Search(len(log), func(i int) bool { return log[i].at+window > at })
	return log[first:], at
}

// total is the number of requests granted since the log was last empty.
func total(log []grant) int64 {
	if len(log) == 0 {
		return 0
	}
	last := log[len(log)-1]
	return last.earlier + last.n
}

// Reply is the decision on a batch of requests, by Redis or by the node's own window.
type Reply struct {
	// Granted is the number of requests granted: the first ones of the batch.
	Granted int
	// Count is the number of earlier requests granted in the window.
	Count int
	// Oldest is the oldest grant that counts, this batch included; zero if none counts.
	Oldest time.Time
	// Now is the clock of Redis, or of the node if it decided itself, in microseconds.
	Now time.Time
	// Head is the value of the script's second key, empty if there is no key or no value.
	Head string
}

// Bound says how many counted requests a request may find: fewer than Limit + Beyond. Requests
// with several bounds count in one log, under one limit.
type Bound struct{ Limit, Beyond int }

// Decision is the limiter's answer to one request.
type Decision struct {
	Granted bool
	Limit   int
	// Remaining is the number of requests that may follow under the same bound; it may be greater
	// than Limit.
	Remaining int
	// RetryAfter is the time until the next request can be granted, at least a microsecond;
	// 0 if the request was granted.
	RetryAfter time.Duration
	// Reset is the time at which the oldest counted request leaves the window; zero if the
	// request was granted.
	Reset time.Time
	// Reserved is true if the request was refused although fewer than Limit were counted. The rest is
	// reserved for other requests.
	Reserved bool
}

// Bound is the bound that the script applied to the batch: its limit is the number at the start of
// the head, or the limit that was asked for if the head has none.
func (r Reply) Bound(asked Bound) Bound {
	number, _, found := strings.Cut(r.Head, " ")
	if limit, err := strconv.Atoi(number); found && err == nil {
		asked.Limit = limit
	}
	return asked
}

// Decide is the decision on request i of the batch, counted from 0.
// Spec: Limits, Rate-limit headers.
func (r Reply) Decide(i int, bound Bound, window time.Duration) Decision {
	if i < r.Granted {
		return Decision{Granted: true, Limit: bound.Limit, Remaining: bound.Limit + bound.Beyond - r.Count - (i + 1)}
	}
	reset := r.Oldest.Add(window)
	return Decision{
		Limit: bound.Limit, RetryAfter: max(reset.Sub(r.Now), time.Microsecond), Reset: reset,
		Reserved: bound.Beyond < 0 && r.Count+r.Granted < bound.Limit,
	}
}

// reply converts the verdict of a decision made at clock.
func (v verdict) reply(clock int64) Reply {
	r := Reply{
		Granted: int(v.granted),
		Count:   int(v.count),
		Now:     time.UnixMicro(clock).UTC(),
	}
	if v.oldest != 0 {
		r.Oldest = time.UnixMicro(v.oldest).UTC()
	}
	return r
}

// StoreKey is the log (LIST) of a store's requests, over all its keys and nodes. A log of
// another format needs another key.
func StoreKey(storeID string) string { return "{" + storeID + "}:grants" }

// clientKey is the log (LIST) of the requests of a client whose key resolves to no store.
func clientKey(client string) string { return "grants:client:" + client }

var (
	//go:embed limit_count.lua
	windowSource string
	//go:embed limit_record.lua
	grantSource string
	//go:embed limit_admit.lua
	source string
)

// Script decides a batch of requests inside Redis. Its header states the contract.
var Script = NewScript(source)

// NewScript makes a script that counts requests. It runs limit_count.lua, which counts, then the
// source, which sets granted and reply, then limit_record.lua, which records the grant.
func NewScript(source string) *redis.Script {
	return redis.NewScript(windowSource + source + grantSource)
}

// Keys are the script's keys: the log, and the key of the string that becomes Reply.Head, empty
// for no string. In a Redis Cluster both must share a slot.
func Keys(log, head string) []string {
	if head == "" {
		return []string{log}
	}
	return []string{log, head}
}

// Args are the script's arguments for a batch of n requests, at least one.
func Args(n int, bound Bound, window time.Duration) []any {
	return []any{n, window.Microseconds(), bound.Limit, bound.Beyond}
}

var errReply = errors.New("not a reply of the limiter's script")

// ParseReply reads the script's answer.
func ParseReply(v any) (Reply, error) {
	fields, ok := v.([]any)
	if !ok || len(fields) != 6 {
		return Reply{}, fmt.Errorf("%w: %v", errReply, v)
	}
	var numbers [5]int64
	for i := range numbers {
		if numbers[i], ok = fields[i].(int64); !ok {
			return Reply{}, fmt.Errorf("%w: field %d is %v", errReply, i, fields[i])
		}
	}
	head, ok := fields[5].(string)
	if !ok {
		return Reply{}, fmt.Errorf("%w: the head is %v", errReply, fields[5])
	}
	granted, count, oldest, at, now := numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]
	r := verdict{granted: granted, count: count, oldest: oldest, at: at}.reply(now)
	r.Head = head
	return r, nil
}
