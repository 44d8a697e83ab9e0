package persistence

import (
	"context"
	"net/netip"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/ratelimit"
)

// Attempt is a login, or the try of an unknown code, under way; it counts as a failure
// until it ends.
type Attempt struct {
	db       *DB
	log, id  string
	rule     attemptRule
	budget   engine.Budget
	finished bool
}

// attemptRule is how many attempts may fail within a window.
type attemptRule struct {
	limit  int
	window time.Duration
}

var (
	loginRule = attemptRule{engine.LoginFailures, commerce.RateWindow}
	codeRule  = attemptRule{commerce.UnknownCodes, commerce.CodeWindow}
)

// attemptPoll is how often a login looks again whether those before it have ended.
const attemptPoll = 20 * time.Millisecond

// BeginLogin counts a login of one caller with one address. It waits while others
// that may still succeed take up the last places. Budget.Granted is false where too
// many have failed. Errors: ErrUnavailable.
func (d *DB) BeginLogin(store uuid.UUID, email string, caller netip.Addr, deadline time.Time) (engine.Attempt, error) {
	a := &Attempt{db: d, log: ratelimit.AttemptsKey(store.String(), email, caller), id: uuid.NewString(), rule: loginRule}
	for {
		got, err := a.begin()
		if err != nil {
			return nil, err
		}
		if got.Granted || got.Open == 0 {
			return a, nil
		}
		if time.Until(deadline) < attemptPoll {
			return nil, engine.ErrUnavailable
		}
		time.Sleep(attemptPoll)
	}
}

// BeginCode counts one caller's try of a code that no discount of the store has. It
// counts as soon as it begins: Budget.Granted is false where too many were tried, and
// End takes back one that told nothing. Errors: ErrUnavailable.
func (d *DB) BeginCode(store uuid.UUID, caller netip.Addr) (engine.Attempt, error) {
	a := &Attempt{db: d, log: ratelimit.CodesKey(store.String(), caller), id: uuid.NewString(), rule: codeRule}
	_, err := a.begin()
	return a, err
}

// CodeBudget is what BeginCode would find; nothing is counted. Errors: ErrUnavailable.
func (d *DB) CodeBudget(store uuid.UUID, caller netip.Addr) (engine.Budget, error) {
	a := &Attempt{db: d, log: ratelimit.CodesKey(store.String(), caller), rule: codeRule}
	_, err := a.begin()
	return a.budget, err
}

// Budget is of failures.
func (a *Attempt) Budget() engine.Budget { return a.budget }

// begin asks for a place and notes the budget.
func (a *Attempt) begin() (ratelimit.Attempt, error) {
	l := a.db.limiter
	if l.away.Load() {
		return ratelimit.Attempt{}, engine.ErrUnavailable
	}
	ctx, cancel := context.WithTimeout(background, l.timeout)
	defer cancel()
	v, err := ratelimit.BeginAttempt.Run(ctx, l.client, []string{a.log}, a.id, a.rule.limit, a.rule.window.Microseconds()).Result()
	if err == nil {
		var got ratelimit.Attempt
		if got, err = ratelimit.ParseAttempt(v, a.rule.window); err == nil {
			a.budget = engine.Budget{
				Granted: got.Granted, Limit: a.rule.limit, Remaining: max(0, a.rule.limit-got.Counted),
				RetryAfter: got.RetryAfter, Reset: got.Reset,
			}
			return got, nil
		}
	}
	if !isReply(err) {
		l.lost(err)
	}
	if a.id != "" && !certainlyRefused(err) { // it may count, and nobody will end it
		go a.insist(attemptOver)
	}
	return ratelimit.Attempt{}, engine.ErrUnavailable
}

// How the end of an attempt is told: whether it counts from now on.
const (
	attemptOver   = "0"
	attemptFailed = "1"
)

// End says whether the attempt failed. One that nobody ends, for its node has, counts as a
// failure until it leaves the window.
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
	if err := a.end(counts); err != nil && !isReply(err) {
		go a.insist(counts)
	}
}

func (a *Attempt) end(counts string) error {
	l := a.db.limiter
	ctx, cancel := context.WithTimeout(background, l.timeout)
	defer cancel()
	err := ratelimit.EndAttempt.Run(ctx, l.client, []string{a.log},
		a.id, a.rule.limit, a.rule.window.Microseconds(), counts).Err()
	if !isReply(err) {
		l.lost(err)
	}
	return err
}

// insist ends the attempt as soon as Redis answers, as long as it counts: for one that was
// under way when Redis fell silent others would be refused who know the password.
func (a *Attempt) insist(counts string) {
	l := a.db.limiter
	for lapse := time.Now().Add(a.rule.window); time.Now().Before(lapse) && !l.closed.Load(); time.Sleep(longestPause) {
		if !l.away.Load() && isReply(a.end(counts)) {
			return
		}
	}
}
