package persistence

import (
	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/accounts"
	"cartd/persistence/redisdb"
	"cartd/persistence/stores"
	"cartd/ratelimit"
)

// CountCodes counts the unknown codes of a request in one trip: each as one more request of its store, and
// as a try of the caller if a trusted proxy named them. Request.Budget is then that of the last one. The
// same trip reads the counts of uses. Errors: ErrUnavailable.
func (d *DB) CountCodes(r *engine.Request, unknown int, uses []commerce.Use) (engine.Budget, error) {
	s := d.Stores.Entry(r.Store.ID)
	bound := ratelimit.Bound{Limit: r.Version.Limit, Beyond: r.Store.Limits.Beyond(r.Key, r.Version.Limit, r.Yields)}
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
