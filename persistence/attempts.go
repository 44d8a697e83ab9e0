package persistence

import (
	"context"
	"net/netip"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/ratelimit"
)

// Attempt is a login under way, which counts as a failure until it ends.
type Attempt struct {
	db       *DB
	log, id  string
	Budget   commerce.Budget
	finished bool
}

// attemptPoll is how often a login looks again whether those before it have ended.
const attemptPoll = 20 * time.Millisecond

// BeginLogin counts a login of one caller with one address. It waits while others
// that may still succeed take up the last places. Budget.Granted is false where too
// many have failed. Errors: ErrUnavailable.
func (d *DB) BeginLogin(store uuid.UUID, email string, caller netip.Addr, deadline time.Time) (*Attempt, error) {
	a := &Attempt{db: d, log: ratelimit.AttemptsKey(store.String(), email, caller), id: uuid.NewString()}
	for {
		got, err := a.begin()
		if err != nil {
			return nil, err
		}
		a.Budget = commerce.Budget{
			Granted: got.Granted, Limit: commerce.LoginFailures, Remaining: max(0, commerce.LoginFailures-got.Counted),
			RetryAfter: got.RetryAfter, Reset: got.Reset,
		}
		if got.Granted || got.Open == 0 {
			return a, nil
		}
		if time.Until(deadline) < attemptPoll {
			return nil, commerce.ErrUnavailable
		}
		time.Sleep(attemptPoll)
	}
}

func (a *Attempt) begin() (ratelimit.Attempt, error) {
	l := a.db.limiter
	if l.away.Load() {
		return ratelimit.Attempt{}, commerce.ErrUnavailable
	}
	ctx, cancel := context.WithTimeout(background, l.timeout)
	defer cancel()
	v, err := ratelimit.BeginAttempt.Run(ctx, l.client, []string{a.log},
		a.id, commerce.LoginFailures, commerce.RateWindow.Microseconds()).Result()
	if err == nil {
		var got ratelimit.Attempt
		if got, err = ratelimit.ParseAttempt(v, commerce.RateWindow); err == nil {
			return got, nil
		}
	}
	if !isReply(err) {
		l.lost(err)
	}
	return ratelimit.Attempt{}, commerce.ErrUnavailable
}

// End says whether the login failed. One that nobody ends counts as a failure until
// it leaves the window.
func (a *Attempt) End(failed bool) {
	if a.finished || !a.Budget.Granted {
		return
	}
	a.finished = true
	counts := "0"
	if failed {
		counts = "1"
		a.Budget.Remaining = max(0, a.Budget.Remaining-1)
	}
	l := a.db.limiter
	ctx, cancel := context.WithTimeout(background, l.timeout)
	defer cancel()
	err := ratelimit.EndAttempt.Run(ctx, l.client, []string{a.log},
		a.id, commerce.LoginFailures, commerce.RateWindow.Microseconds(), counts).Err()
	if !isReply(err) {
		l.lost(err)
	}
}
