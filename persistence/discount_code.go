package persistence

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/accounts"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stores"
	"cartd/ratelimit"
)

// GiveCodes gives codes of a batch. Errors: *Refusal, ErrOutdated, ErrUnavailable, ErrUnknownOutcome.
func (d *DB) GiveCodes(r *engine.Request, q *commerce.CodeRequest) (engine.GivenCodes, error) {
	return d.giveCodes(r, q, "key "+r.Key.Name, r)
}

// giveCodes is a visit whose record is the request's idempotency entry: the serial that it makes is appended
// to the entry, where a repetition of the request finds it. grown are the requests that let the store grow.
func (d *DB) giveCodes(r *engine.Request, q *commerce.CodeRequest, by string, grown ...*engine.Request) (given engine.GivenCodes, err error) {
	var refusal *commerce.Refusal
	given.Count = q.Count
	if given.Discount, given.Batch, refusal = q.Find(r.Store); refusal != nil {
		return given, refusal
	}
	w := &sending{Visit: codesVisit(r.Store.ID, r.Idempotency, q, by, r.Now)}
	w.act(r.Store.ID, r.Act(q.Discount), r.Now)
	if !d.grows(d.growing(grown, len(w.Record)+w.Plan.Bytes(), false)) {
		return given, engine.GrowthFull
	}
	made, err := d.commit(r, w)
	switch {
	case err != nil:
		return given, err
	case made.Kind == engine.OtherRecord:
		return d.givenEarlier(r, w.Key, made.Record, q, given)
	case made.Kind == engine.Short:
		return given, commerce.TooFewCodes(made.Granted[0])
	}
	given.First, err = firstSerial(made.Made, q)
	return given, err
}

// codesVisit makes the visit of a request for codes: it raises the batch's number of given serials. The
// first texts that it makes are those that firstSerial reads.
func codesVisit(store uuid.UUID, key *engine.IdempotencyKey, q *commerce.CodeRequest, by string, now time.Time) records.Visit {
	v := entryVisit(store, key, now)
	counters, field := stores.CodeSerialsKey(store), engine.BatchField(q.Discount, q.Batch)
	given := stores.GivenCodes{Discount: q.Discount, Batch: q.Batch, Count: q.Count, By: by}
	if q.From != nil {
		given.Next = *q.From + q.Count
		v.Plan.Raise(counters, field, given.Next)
		stores.WriteCodes(&v.Plan, store, given, 0, now)
		return v
	}
	v.Plan.Use(counters, field, q.Count, commerce.BatchCodes)
	v.Plan.Raise(counters, field, 0) // makes the number after it
	stores.WriteCodes(&v.Plan, store, given, 2, now)
	return v
}

// firstSerial is the serial of the first code that a visit has given.
func firstSerial(made string, q *commerce.CodeRequest) (int64, error) {
	if q.From != nil {
		return *q.From, nil
	}
	numbers := strings.Split(made, "\n")
	if len(numbers) < 2 {
		return 0, redisdb.ErrCorrupt
	}
	next, err := strconv.ParseInt(numbers[1], 10, 64)
	if err != nil || next < q.Count || next > commerce.BatchCodes {
		return 0, redisdb.ErrCorrupt
	}
	return next - q.Count, nil
}

// givenEarlier answers a request whose Idempotency-Key has an entry.
func (d *DB) givenEarlier(r *engine.Request, key, text string, q *commerce.CodeRequest, given engine.GivenCodes) (engine.GivenCodes, error) {
	if _, err := d.earlier(r, key, text); err != nil {
		return given, err
	}
	made, _ := records.Made(text)
	first, err := firstSerial(made, q)
	given.First, given.Replayed = first, err == nil
	return given, d.client.Unreadable(err, key)
}

// GiveCodesTo gives codes of a batch to an operator's command. Errors: *Refusal, those of a store that
// does not exist, ErrUnavailable, ErrUnknownOutcome.
func (d *DB) GiveCodesTo(ctx context.Context, store uuid.UUID, q *commerce.CodeRequest, by string) (given engine.GivenCodes, err error) {
	for range stores.SaveAttempts {
		shop, err := d.LoadStore(ctx, store)
		if err != nil {
			return given, err
		}
		now, _, err := d.client.Now(ctx, stores.HeadKey(store))
		if err != nil {
			return given, err
		}
		version := &engine.StoreVersion{Store: store, Head: shop.Head.Text}
		r := &engine.Request{Deadline: d.client.Soon(), Facts: engine.Facts{Version: version, Store: shop.Store, Now: now}}
		if given, err = d.giveCodes(r, q, by); !errors.Is(err, engine.ErrOutdated) { // else an import has come between
			return given, err
		}
	}
	return given, engine.ErrUnavailable
}

// CountCodes is part of engine.Storage.
func (d *DB) CountCodes(r *engine.Request, unknown int, uses []commerce.Use) (engine.Budget, error) {
	s := d.Stores.Entry(r.Store.ID)
	bound := ratelimit.Bound{Limit: r.Version.Limit, Beyond: r.Store.Limits.Beyond(r.Key, r.Version.Limit, r.Unreserved)}
	var tries accounts.CodeTries
	if r.Caller.Forwarded {
		tries = d.CodeTries(r.Store.ID, r.Caller.Addr, unknown)
	}
	calls := tries.Calls()
	if unknown > 0 {
		calls = append(calls, &redisdb.Call{
			Script: ratelimit.Script, Keys: ratelimit.Keys(s.Log, stores.HeadKey(s.ID)), Args: ratelimit.Args(unknown, bound, commerce.RateWindow),
		})
	}
	found, err := d.client.ReadAll(append(calls, d.Stores.ReadUses(s.ID, uses)...), r.Deadline)
	if err != nil {
		return engine.Budget{}, err
	}
	if unknown > 0 {
		counted, err := ratelimit.ParseReply(found[len(tries)])
		if err != nil {
			return engine.Budget{}, engine.ErrUnavailable
		}
		r.Budget = counted.Decide(unknown-1, counted.Bound(bound), commerce.RateWindow)
	}
	if len(uses) > 0 {
		counts, err := d.Stores.CountsOf(s.ID, uses, found[len(calls):])
		if err != nil {
			return engine.Budget{}, err
		}
		r.Counts = &commerce.UseCounts{Uses: uses, Counts: counts}
	}
	return tries.Budget(found)
}
