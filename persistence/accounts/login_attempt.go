package accounts

import (
	"net/netip"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/outage"
	"cartd/persistence/redisdb"
	"cartd/ratelimit"
)

// attempt is a login, or a try of an unknown code. It counts as a failure from its begin.
type attempt struct {
	client *redisdb.Client
	// id is empty if the attempt only reads its budget.
	id string
	// deadline is that of the request.
	deadline time.Time
	// keys are the logs in which the attempt counts, all in the store's slot. limits are the
	// max failures in each log within its window.
	keys    []string
	limits  []int
	windows []time.Duration
	// entry is what the attempt has written to its logs.
	entry string
}

// counts adds a log in which the attempt counts.
func (a *attempt) counts(key string, limit int, window time.Duration) {
	a.keys, a.limits, a.windows = append(a.keys, key), append(a.limits, limit), append(a.windows, window)
}

// BeginLogin is part of engine.Storage.
func (all *Accounts) BeginLogin(store uuid.UUID, email string, caller engine.Caller, deadline time.Time) (engine.Budget, func(), error) {
	a := &attempt{client: all.client, id: uuid.NewString(), deadline: deadline}
	a.counts(ratelimit.AttemptsKey(store.String(), email, caller.Addr), commerce.LoginFailures, commerce.RateWindow)
	if caller.Forwarded {
		a.counts(ratelimit.CallerKey(store.String(), caller.Addr), commerce.CallerFailures, commerce.CallerWindow)
	}
	budget, err := a.begin()
	return budget, a.takeBack, err
}

// BeginCode is part of engine.Storage.
func (all *Accounts) BeginCode(k engine.RecordKey, caller netip.Addr, deadline time.Time) (engine.Budget, func(), error) {
	a := all.codes(k, caller, deadline)
	a.id = uuid.NewString()
	budget, err := a.begin()
	return budget, a.takeBack, err
}

// CodeBudget is part of engine.Storage.
func (all *Accounts) CodeBudget(k engine.RecordKey, caller netip.Addr, deadline time.Time) (engine.Budget, error) {
	return all.codes(k, caller, deadline).begin()
}

// codes is an attempt for the unknown codes of a cart and a caller.
func (all *Accounts) codes(k engine.RecordKey, caller netip.Addr, deadline time.Time) *attempt {
	a := &attempt{client: all.client, deadline: deadline}
	a.counts(ratelimit.CodesKey(k.Store.String(), k.ID.String(), caller), commerce.UnknownCodes, commerce.CodeWindow)
	return a
}

// CodeTries are tries, without a cart, of codes that no active discount of a store has. A caller has one
// budget for all of them.
type CodeTries []*attempt

// CodeTries makes n tries of a caller, or with 0 a reading of the budget. Calls sends them.
func (all *Accounts) CodeTries(store uuid.UUID, caller netip.Addr, n int) (tries CodeTries) {
	for range max(1, n) {
		a := all.codes(engine.RecordKey{Store: store}, caller, time.Time{})
		if n > 0 {
			a.id = uuid.NewString()
		}
		tries = append(tries, a)
	}
	return tries
}

// Calls count the tries.
func (t CodeTries) Calls() (calls []*redisdb.Call) {
	for _, a := range t {
		calls = append(calls, a.call())
	}
	return calls
}

// Budget reads the replies of the calls. It is the budget after the tries, not granted if one of them was
// not. Errors: ErrUnavailable.
func (t CodeTries) Budget(replies []any) (budget engine.Budget, err error) {
	for i, a := range t {
		if budget, err = a.read(replies[i], nil); err != nil {
			return engine.Budget{}, err
		}
		if budget.Granted && a.id != "" {
			budget.Remaining = max(0, budget.Remaining-1)
		}
	}
	return budget, nil
}

// call is the call that counts the attempt.
func (a *attempt) call() *redisdb.Call {
	args := []any{a.id}
	for i := range a.keys {
		args = append(args, a.limits[i], a.windows[i].Microseconds())
	}
	return &redisdb.Call{Script: ratelimit.BeginAttempt, Keys: a.keys, Args: args}
}

// begin counts the attempt and returns its budget.
func (a *attempt) begin() (engine.Budget, error) { return a.read(a.client.Run(a.deadline, a.call())) }

// read reads the reply of the call.
func (a *attempt) read(v any, err error) (engine.Budget, error) {
	if err != nil {
		return engine.Budget{}, engine.ErrUnavailable
	}
	got, err := ratelimit.ParseAttempt(v, a.windows...)
	if err != nil {
		return engine.Budget{}, engine.ErrUnavailable
	}
	if got.Granted {
		a.entry = got.Entry(a.id)
	}
	return a.budget(got), nil
}

// budget returns the budget of the log with the fewest failures left; of several full logs, of the
// one whose window ends last.
func (a *attempt) budget(got ratelimit.Attempt) (budget engine.Budget) {
	for i, found := range got.Logs {
		b := engine.Budget{
			Granted: got.Granted, Limit: a.limits[i], Remaining: max(0, a.limits[i]-found.Counted),
			RetryAfter: found.RetryAfter, Reset: found.Reset,
		}
		if i == 0 || b.Remaining < budget.Remaining || b.Remaining == 0 && b.Reset.After(budget.Reset) {
			budget = b
		}
	}
	return budget
}

// takeBack removes the attempt from its logs. It is repeated until Redis answers, at most until the
// request's deadline; then the attempt counts until its window ends.
func (a *attempt) takeBack() {
	if a.entry == "" {
		return
	}
	calls := make([]*redisdb.Call, len(a.keys))
	for i, key := range a.keys {
		calls[i] = redisdb.KeyCall("LREM", key, 1, a.entry)
	}
	outage.Until(a.deadline, func() (again bool) { return !a.answered(calls) })
}

// answered sends the calls and reports whether all have an answer.
func (a *attempt) answered(calls []*redisdb.Call) bool {
	for _, reply := range a.client.RunAll(a.deadline, calls) {
		if !redisdb.IsReply(reply.Err) {
			return false
		}
	}
	return true
}
