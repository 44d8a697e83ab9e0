package records

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
	"cartd/ratelimit"
)

//go:embed write.lua
var writeSource string

// Write is the script of every write of a record; its header is the contract.
var Write = ratelimit.NewScript(named.Replace(writeSource))

// Visit is one record's part of a call.
type Visit struct {
	// Count is the number of requests to count; 0 if they are counted already. Beyond is that of
	// their ratelimit.Bound.
	Count, Beyond int
	// Key is the record's key. Seen is the stamp that it was judged by (24 bytes; empty if
	// there is no record). Record is the new record (format byte, stamp, rest; empty to check
	// only). Expiry is in Unix milliseconds (empty for none).
	Key, Seen, Record, Expiry string
	Plan                      Plan
}

// Call has the arguments of one run of the script: visits of one store.
type Call struct {
	// Log is the key of the log of the store's request limit. HeadKey is the key of the store's
	// head. Head is the head under which the visits were judged.
	Log, HeadKey, Head string
	// Judged is the time of the oldest judgement. Tolerance bounds its difference from Redis's
	// time.
	Judged    time.Time
	Tolerance time.Duration
	Visits    []*Visit
}

var writeHash = Write.Hash()

// Numbers of the forms of records and replies, for the script.
var (
	stampEnd   = strconv.Itoa(HeadFrom - 1)
	maxMembers = strconv.Itoa(engine.MaxMembers)
	lengthText = strconv.Itoa(lengthDigits)
)

// window is the window of every request limit, in microseconds.
var window = strconv.FormatInt(commerce.RateWindow.Microseconds(), 10)

// Args are the call's arguments as a Redis command. Texts are given by pointer, because an
// interface of a text costs an allocation.
func (c *Call) Args() []any {
	keys, values := 2, 0
	for _, v := range c.Visits {
		keys += 1 + len(v.Plan.keys)
		values += 8 + len(v.Plan.values)
	}
	args := append(make([]any, 0, 10+keys+values), "evalsha", &writeHash, keys, &c.Log, &c.HeadKey)
	for _, v := range c.Visits {
		args = append(args, &v.Key)
		for i := range v.Plan.keys {
			args = append(args, &v.Plan.keys[i])
		}
	}
	args = append(args, &c.Head, &window, c.Judged.UnixMicro(), c.Tolerance.Microseconds(), &stampEnd, &maxMembers, &lengthText)
	for _, v := range c.Visits {
		args = append(args, v.Count, v.Beyond, &v.Seen, &v.Record, &v.Expiry, v.Plan.steps)
		if !v.Plan.Empty() {
			args = append(append(args, len(v.Plan.keys), len(v.Plan.values)), v.Plan.values...)
		}
	}
	return args
}

// Result is the outcome of one visit with its values.
type Result struct {
	engine.Ending
	// Earlier: an earlier sending wrote the visit.
	Earlier bool
	// Now is Redis's time, Head the store's head after the call.
	Now  time.Time
	Head string
	// Made is the text that the script appended to the record, without its length.
	Made string
	// Record is the present record (empty if there is none), with OtherRecord and OtherFacts.
	Record string
	// Values are the values of the checked keys, in the plan's order; the members of a sorted
	// set.
	Values []any
	// Granted is how much of each ask can be granted, with Short. Expired: a hold has expired.
	Granted []int64
	Expired bool
	// Key is the broken one.
	Key string
}

// lengthDigits is the number of digits of the length that ends the appended text.
const lengthDigits = 8

// errReply is the error of a reply that cannot be read.
var errReply = errors.New("not a reply of write.lua")

// Results reads the script's reply to a call.
func (c *Call) Results(value any) ([]Result, ratelimit.Reply, error) {
	v, _ := value.([]any)
	if len(v) != 4+len(c.Visits) {
		return nil, ratelimit.Reply{}, fmt.Errorf("%w: %v", errReply, value)
	}
	now, ok1 := v[0].(int64)
	head, ok2 := v[1].(string)
	count, ok3 := v[2].(int64)
	oldest, ok4 := v[3].(int64)
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return nil, ratelimit.Reply{}, fmt.Errorf("%w: %v", errReply, value)
	}
	reply := ratelimit.Reply{Now: time.UnixMicro(now).UTC(), Head: head, Count: int(count)}
	if oldest != 0 {
		reply.Oldest = time.UnixMicro(oldest).UTC()
	}
	results := make([]Result, len(c.Visits))
	before := reply
	for i, visit := range c.Visits {
		r := &results[i]
		if err := r.read(v[4+i], head != c.Head); err != nil {
			return nil, reply, err
		}
		r.Now, r.Head, r.Budget = reply.Now, head, r.budget(before, visit)
		if r.Counted && !r.Earlier {
			before.Count += visit.Count
		}
	}
	return results, reply, nil
}

// Ended returns the result of each visit after one sending of the call, which ended with the script's
// reply or with an error. The returned error is why Redis did not carry the call out, or why the reply
// proves nothing. One visit may have caused a script's own error; the others are Broken with it.
func (c *Call) Ended(value any, err error) ([]Result, ratelimit.Reply, error) {
	if err == nil || errors.Is(err, redisdb.ErrTooFewReplicas) {
		results, reply, bad := c.Results(value)
		for i := range results {
			if kind := results[i].Kind; err != nil && (kind == engine.Done || kind == engine.OtherRecord || kind == engine.OtherFacts) {
				results[i] = EndedBy(engine.Unknown) // without its replicas the write may be lost
			}
		}
		if bad == nil {
			return results, reply, err
		}
		err = bad
	}
	kind := engine.Unknown
	switch {
	case redisdb.OrUnavailable(err) == engine.ErrUnavailable:
		kind = engine.Refused
	case redisdb.IsReply(err):
		kind = engine.Broken
	}
	return slices.Repeat([]Result{EndedBy(kind)}, len(c.Visits)), ratelimit.Reply{}, err
}

// EndedBy is a result without values.
func EndedBy(kind engine.OutcomeKind) Result { return Result{Ending: engine.Ending{Kind: kind}} }

// budget returns the budget of a visit's first request. An earlier sending's requests are among the
// counted.
func (r *Result) budget(reply ratelimit.Reply, v *Visit) engine.Budget {
	bound := reply.Bound(ratelimit.Bound{Beyond: v.Beyond})
	if r.Kind == engine.OverLimit {
		if reply.Oldest.IsZero() { // the limit is below one visit's requests: those within the limit are sent first
			reply.Oldest = reply.Now
		}
		return reply.Decide(0, bound, commerce.RateWindow)
	}
	first := 0
	if r.Earlier || !r.Counted {
		first = -v.Count
	}
	reply.Granted = first + 1
	return reply.Decide(first, bound, commerce.RateWindow)
}

func (r *Result) read(value any, moved bool) error {
	switch v := value.(type) {
	case int64:
		switch {
		case v > 1:
			return fmt.Errorf("%w: %v", errReply, value)
		case v == 0 || v == 1:
			r.Kind, r.Counted, r.Earlier = engine.Done, true, v == 1
		case v == -1 && moved:
			r.Kind = engine.OtherHead
		case v == -1:
			r.Kind = engine.TooLate
		default:
			r.Kind, r.Within = engine.OverLimit, int(-2-v)
		}
		return nil
	case string:
		r.Kind, r.Counted = engine.Done, true
		return r.readMade(v)
	case []any:
		if len(v) > 1 {
			kind, _ := v[0].(string)
			return r.readList(kind, v[1:])
		}
	}
	return fmt.Errorf("%w: %v", errReply, value)
}

func (r *Result) readList(kind string, v []any) (err error) {
	text, _ := v[0].(string)
	switch kind {
	case "done":
		r.Kind, r.Counted, r.Earlier = engine.Done, true, true
		err = r.readMade(text)
	case "record":
		r.Kind, r.Record = engine.OtherRecord, text
	case "facts":
		r.Kind, r.Counted, r.Record, r.Values = engine.OtherFacts, true, text, v[1:]
	case "short":
		r.Kind, r.Counted, r.Expired = engine.Short, true, v[0] == int64(1)
		for _, can := range v[1:] {
			text, _ := can.(string)
			n, bad := strconv.ParseInt(text, 10, 64)
			if bad != nil {
				return fmt.Errorf("%w: %v", errReply, v)
			}
			r.Granted = append(r.Granted, n)
		}
	case "broken":
		r.Kind, r.Key = engine.Broken, text
	default:
		err = fmt.Errorf("%w: %v", errReply, v)
	}
	return err
}

func (r *Result) readMade(text string) error {
	made, ok := Made(text)
	if !ok || len(made)+lengthDigits != len(text) {
		return fmt.Errorf("%w: made %q", errReply, text)
	}
	r.Made = made
	return nil
}

// Made returns the text that the script appended to a record. It returns false if there is
// none.
func Made(text string) (string, bool) {
	at := len(text) - lengthDigits
	if at < 0 {
		return "", false
	}
	size, err := strconv.ParseUint(text[at:], 10, 31)
	from := at - int(size)
	if err != nil || from < 0 {
		return "", false
	}
	return text[from:at], true
}
