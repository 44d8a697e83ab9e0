package accounts

import (
	"net/netip"
	"slices"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
	"cartd/ratelimit"
)

// Attempt is a login under way, or a try of an unknown code. It counts as a failure until it
// ends.
type Attempt struct {
	client *redisdb.Client
	id     string
	// deadline is that of the request.
	deadline time.Time
	// keys are the logs in which the attempt counts, all in the store's slot. limits are the
	// max failures in each log within its window.
	keys     []string
	limits   []int
	windows  []time.Duration
	budget   engine.Budget
	finished bool
}

// counts adds a log in which the attempt counts.
func (a *Attempt) counts(key string, limit int, window time.Duration) {
	a.keys, a.limits, a.windows = append(a.keys, key), append(a.limits, limit), append(a.windows, window)
}

// attemptPoll is the pause until a login asks again whether earlier attempts have ended.
const attemptPoll = 20 * time.Millisecond

// BeginLogin counts a login of one caller with one address. If the caller is a shopper and not
// a storefront's server, it also counts the caller with all addresses. It waits while attempts
// under way, which may still succeed, use up the limit. Budget.Granted is false if too many
// failed. Errors: ErrUnavailable.
func (all *Accounts) BeginLogin(store uuid.UUID, email string, caller engine.Caller, deadline time.Time) (engine.Attempt, error) {
	a := &Attempt{client: all.client, id: uuid.NewString(), deadline: deadline}
	a.counts(ratelimit.AttemptsKey(store.String(), email, caller.Addr), engine.LoginFailures, commerce.RateWindow)
	if caller.Forwarded {
		a.counts(ratelimit.CallerKey(store.String(), caller.Addr), engine.CallerFailures, engine.CallerWindow)
	}
	for {
		wait, err := a.begin()
		if err != nil {
			return nil, err
		}
		if !wait {
			return a, nil
		}
		if time.Until(deadline) < attemptPoll {
			return nil, engine.ErrUnavailable
		}
		time.Sleep(attemptPoll)
	}
}

// BeginCode counts one caller's try, on one cart, of a code that no active discount of the
// store has. It counts at once: Budget.Granted is false if too many codes were tried. End takes
// back a try that revealed nothing. Errors: ErrUnavailable.
func (all *Accounts) BeginCode(k engine.RecordKey, caller netip.Addr, deadline time.Time) (engine.Attempt, error) {
	a := all.codes(k, caller, deadline)
	a.id = uuid.NewString()
	_, err := a.begin()
	return a, err
}

// CodeBudget returns the budget that BeginCode would find, and counts nothing. Errors:
// ErrUnavailable.
func (all *Accounts) CodeBudget(k engine.RecordKey, caller netip.Addr, deadline time.Time) (engine.Budget, error) {
	a := all.codes(k, caller, deadline)
	_, err := a.begin()
	return a.budget, err
}

// codes is an attempt for the unknown codes of a cart and a caller. Without an id it counts
// nothing.
func (all *Accounts) codes(k engine.RecordKey, caller netip.Addr, deadline time.Time) *Attempt {
	a := &Attempt{client: all.client, deadline: deadline}
	a.counts(ratelimit.CodesKey(k.Store.String(), k.ID.String(), caller), commerce.UnknownCodes, commerce.CodeWindow)
	return a
}

// Budget returns the budget of failures.
func (a *Attempt) Budget() engine.Budget { return a.budget }

// begin counts the attempt and sets its budget. wait means that the limit is used up, and that
// attempts under way may still succeed.
func (a *Attempt) begin() (wait bool, err error) {
	v, err := a.client.Run(a.deadline, &redisdb.Call{Script: ratelimit.BeginAttempt, Keys: a.keys, Args: a.args(a.id)})
	if err == nil {
		var got ratelimit.Attempt
		if got, err = ratelimit.ParseAttempt(v, a.windows...); err == nil {
			return a.note(got), nil
		}
	}
	if a.id != "" && redisdb.OrUnavailable(err) != engine.ErrUnavailable { // it may count, and would never end
		go a.retryEnd(attemptOver)
	}
	return false, engine.ErrUnavailable
}

// note keeps the budget of the log with the fewest failures left; of several full logs, of the
// one whose window ends last.
func (a *Attempt) note(got ratelimit.Attempt) (wait bool) {
	wait = !got.Granted
	for i, found := range got.Logs {
		b := engine.Budget{
			Granted: got.Granted, Limit: a.limits[i], Remaining: max(0, a.limits[i]-found.Counted),
			RetryAfter: found.RetryAfter, Reset: found.Reset,
		}
		full := b.Remaining == 0
		if i == 0 || b.Remaining < a.budget.Remaining || full && b.Reset.After(a.budget.Reset) {
			a.budget = b
		}
		wait = wait && !(full && found.Open == 0)
	}
	return wait
}

// args appends the limit and window of each log to a script's first arguments.
func (a *Attempt) args(first ...any) []any {
	for i := range a.keys {
		first = append(first, a.limits[i], a.windows[i].Microseconds())
	}
	return first
}

// The values of an ended attempt in its logs.
const (
	attemptOver   = "0"
	attemptFailed = "1"
)

// End ends the attempt, failed or not. If its node is killed first, it counts as a failure
// until its window ends.
func (a *Attempt) End(failed bool) {
	if a.finished || !a.budget.Granted {
		return
	}
	a.finished = true
	counts := attemptOver
	if failed {
		counts = attemptFailed
		a.budget.Remaining = max(0, a.budget.Remaining-1)
	}
	if !a.end(counts, a.deadline) {
		go a.retryEnd(counts)
	}
}

// end reports whether Redis has answered by the deadline.
func (a *Attempt) end(counts string, deadline time.Time) bool {
	call := &redisdb.Call{Script: ratelimit.EndAttempt, Keys: a.keys, Args: a.args(a.id, counts)}
	_, err := a.client.Run(deadline, call)
	return redisdb.IsReply(err)
}

// retryEnd ends the attempt as soon as Redis answers, until its window ends. Otherwise attempts
// that an outage left open would refuse callers who know the password.
func (a *Attempt) retryEnd(counts string) {
	for end := time.Now().Add(slices.Max(a.windows)); time.Now().Before(end) && !a.client.Closed(); time.Sleep(engine.MaxResendPause) {
		if a.end(counts, a.client.Soon()) {
			return
		}
	}
}
