package records

import (
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/ratelimit"
)

//go:embed write.lua
var writeSource string

// Write is the script of every write of a record; its head states the contract.
var Write = ratelimit.NewScript(writeSource)

// Visit is one record's part of a call.
type Visit struct {
	// Count is how many requests are to be counted; 0: they were counted before.
	Count int
	// Key is the record's, Seen the stamp that it was judged by (24 bytes; empty: there is no
	// record), Record what takes its place (format byte, stamp, rest; empty: only checks are
	// made), Expiry when that leaves, in Unix milliseconds (empty: never).
	Key, Seen, Record, Expiry string
	Plan                      Plan
}

// Call is what one run of the script is given: visits of one store.
type Call struct {
	// Log is the log of the store's request limit, HeadKey the key of the store's head, Head what
	// the visits were judged under.
	Log, HeadKey, Head string
	// Judged is the time of the oldest judgement, Tolerance by how much Redis's time may differ.
	Judged    time.Time
	Tolerance time.Duration
	Visits    []*Visit
}

var writeHash = Write.Hash()

// What the script is told of the form of records and replies.
var (
	stampEnd     = strconv.Itoa(HeadFrom - 1)
	maxMembers   = strconv.Itoa(engine.MaxMembers)
	lengthDigits = strconv.Itoa(LengthDigits)
)

// window is that of every request limit, in microseconds.
var window = strconv.FormatInt(commerce.RateWindow.Microseconds(), 10)

// Args are the call's arguments, as a Redis command. Texts are given by pointer: an interface of
// a text is an allocation.
func (c *Call) Args() []any {
	keys, values := 2, 0
	for _, v := range c.Visits {
		keys += 1 + len(v.Plan.keys)
		values += 7 + len(v.Plan.values)
	}
	args := append(make([]any, 0, 10+keys+values), "evalsha", &writeHash, keys, &c.Log, &c.HeadKey)
	for _, v := range c.Visits {
		args = append(args, &v.Key)
		for i := range v.Plan.keys {
			args = append(args, &v.Plan.keys[i])
		}
	}
	args = append(args, &c.Head, &window, c.Judged.UnixMicro(), c.Tolerance.Microseconds(), &stampEnd, &maxMembers, &lengthDigits)
	for _, v := range c.Visits {
		args = append(args, v.Count, &v.Seen, &v.Record, &v.Expiry, v.Plan.steps)
		if !v.Plan.Empty() {
			args = append(append(args, len(v.Plan.keys), len(v.Plan.values)), v.Plan.values...)
		}
	}
	return args
}

// Outcome says what became of a visit.
type Outcome uint8

const (
	// Done: the record carries the new stamp, or everything that was checked stands.
	Done Outcome = iota
	// OtherRecord: the record is another one. Not counted.
	OtherRecord
	// OtherFacts: a check found something else.
	OtherFacts
	// OtherHead: the head is another one. Nothing was done or counted, nor ever will be by an
	// earlier sending.
	OtherHead
	// TooLate: Redis's time differs by too much. As with OtherHead.
	TooLate
	// OverLimit: the limit leaves less than Count. Nothing was done or counted.
	OverLimit
	// Short: an ask fell short. Nothing was done.
	Short
	// Broken: a key holds what it cannot. Nothing was done or counted.
	Broken
)

// Result is what became of one visit.
type Result struct {
	Outcome Outcome
	// Counted: the visit's requests are counted, by this sending or, where Earlier, by one before.
	Counted, Earlier bool
	// Budget is that of the first request counted: each further one leaves one less. With OverLimit
	// it is that of the first one refused, and Left is how many come before it.
	Reply ratelimit.Reply
	Left  int
	// Made is what the script wrote behind the record, without its length; empty: nothing.
	Made string
	// Record stands in the way (empty: there is none), with OtherRecord and OtherFacts.
	Record string
	// Values are those of the checked keys, in the plan's order; of a sorted set its members.
	Values []any
	// Granted is what could be granted of each ask, with Short; Expired: a hold has expired.
	Granted []int64
	Expired bool
	// Key is the broken one.
	Key string
}

// LengthDigits is how long the length is that ends what the script wrote behind a record.
const LengthDigits = 8

// ErrReply says that a reply cannot be read.
var ErrReply = errors.New("not a reply of write.lua")

// Results reads the script's reply to a call.
func (c *Call) Results(value any) ([]Result, ratelimit.Reply, error) {
	v, _ := value.([]any)
	if len(v) != 4+len(c.Visits) {
		return nil, ratelimit.Reply{}, fmt.Errorf("%w: %v", ErrReply, value)
	}
	now, ok1 := v[0].(int64)
	head, ok2 := v[1].(string)
	count, ok3 := v[2].(int64)
	oldest, ok4 := v[3].(int64)
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return nil, ratelimit.Reply{}, fmt.Errorf("%w: %v", ErrReply, value)
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
		r.Reply = before
		if r.Counted && !r.Earlier {
			r.Reply.Granted = visit.Count
			before.Count += visit.Count
		}
	}
	return results, reply, nil
}

func (r *Result) read(value any, moved bool) error {
	switch v := value.(type) {
	case int64:
		switch {
		case v > 1:
			return fmt.Errorf("%w: %v", ErrReply, value)
		case v == 0 || v == 1:
			r.Outcome, r.Counted, r.Earlier = Done, true, v == 1
		case v == -1 && moved:
			r.Outcome = OtherHead
		case v == -1:
			r.Outcome = TooLate
		default:
			r.Outcome, r.Left = OverLimit, int(-2-v)
		}
		return nil
	case string:
		r.Outcome, r.Counted = Done, true
		return r.readMade(v)
	case []any:
		if len(v) > 1 {
			kind, _ := v[0].(string)
			return r.readList(kind, v[1:])
		}
	}
	return fmt.Errorf("%w: %v", ErrReply, value)
}

func (r *Result) readList(kind string, v []any) (err error) {
	text, _ := v[0].(string)
	switch kind {
	case "done":
		r.Outcome, r.Counted, r.Earlier = Done, true, true
		err = r.readMade(text)
	case "record":
		r.Outcome, r.Record = OtherRecord, text
	case "facts":
		r.Outcome, r.Counted, r.Record, r.Values = OtherFacts, true, text, v[1:]
	case "short":
		r.Outcome, r.Counted, r.Expired = Short, true, v[0] == int64(1)
		for _, can := range v[1:] {
			text, _ := can.(string)
			n, bad := strconv.ParseInt(text, 10, 64)
			if bad != nil {
				return fmt.Errorf("%w: %v", ErrReply, v)
			}
			r.Granted = append(r.Granted, n)
		}
	case "broken":
		r.Outcome, r.Key = Broken, text
	default:
		err = fmt.Errorf("%w: %v", ErrReply, v)
	}
	return err
}

func (r *Result) readMade(text string) error {
	made, ok := Made(text)
	if !ok || len(made)+LengthDigits != len(text) {
		return fmt.Errorf("%w: made %q", ErrReply, text)
	}
	r.Made = made
	return nil
}

// Made takes what the script has written off the end of a record. False: there is nothing of the
// kind.
func Made(text string) (string, bool) {
	at := len(text) - LengthDigits
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
