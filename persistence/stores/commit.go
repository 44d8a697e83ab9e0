package stores

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"cartd/engine"
	"cartd/internal/outage"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/ratelimit"
)

// commit is a call of write.lua that a caller waits for.
type commit struct {
	*records.Call
	results []records.Result
	err     error
	// resent is true if an earlier sending may have had its effect. again means that the call is to be
	// sent once more.
	resent, again bool
}

// CarryOut is the driver of every write without an actor: docs/design.md#two-drivers. It sends calls of
// one store together, whose Log and HeadKey it sets, and sends those with an unknown outcome again until
// Redis has answered them or the deadline is near. It returns the result of each visit, in their order.
// The error, nil if Redis carried all calls out, is why it did not carry out one of them: its visits are
// engine.Refused, Broken or Unknown.
func (s *Stores) CarryOut(store uuid.UUID, deadline time.Time, calls ...*records.Call) (results []records.Result, err error) {
	commits := make([]*commit, len(calls))
	for i, c := range calls {
		c.Log, c.HeadKey = ratelimit.StoreKey(store.String()), HeadKey(store)
		commits[i] = &commit{Call: c, again: true}
	}
	outage.Until(deadline, func() (again bool) {
		s.sendCommits(deadline, slices.DeleteFunc(slices.Clone(commits), func(c *commit) bool { return !c.again }))
		return slices.ContainsFunc(commits, func(c *commit) bool { return c.again })
	})
	for _, c := range commits {
		results = append(results, c.results...)
		if c.err != nil {
			err = c.err
		}
	}
	return results, err
}

// sendCommits sends calls once.
func (s *Stores) sendCommits(deadline time.Time, commits []*commit) {
	calls := make([]*redisdb.Call, len(commits))
	for i, c := range commits {
		calls[i] = &redisdb.Call{Keys: []string{c.HeadKey}, Args: c.Args(), Writes: true}
	}
	for i, reply := range s.client.RunAll(deadline, calls) {
		c := commits[i]
		if c.onReply(reply); c.err != nil && c.results[0].Kind == engine.Broken {
			s.client.LogWrongType(c.Log, c.HeadKey)
		}
	}
}

// onReply takes the end of one sending over. After a sending with an unknown outcome, one that certainly
// had no effect proves nothing, nor does a shortage: the earlier one may still be on its way. A key that
// cannot be read stays so.
func (c *commit) onReply(reply redisdb.Reply) {
	c.results, _, c.err = c.Ended(reply.Value, reply.Err)
	c.again = false
	for i := range c.results {
		switch kind := c.results[i].Kind; kind {
		case engine.Done:
			c.results[i].Earlier = c.results[i].Earlier && !c.resent // else it was a sending of this commit
		case engine.Unknown:
			c.again = true
		case engine.Refused, engine.Short, engine.Broken:
			if c.resent {
				c.results[i].Kind = engine.Unknown
				c.again = c.again || kind != engine.Broken
			}
		}
	}
	c.resent = c.resent || c.again
}
