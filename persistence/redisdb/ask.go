package redisdb

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"cartd/internal/outage"
)

// OrUnavailable returns ErrUnavailable for an error after which nothing was done for certain,
// else the error itself.
func OrUnavailable(err error) error {
	if errors.Is(err, errNotSent) || CertainlyRefused(err) {
		return outage.ErrUnavailable
	}
	return err
}

// Soon returns the moment by which Redis has answered or counts as unreachable.
func (c *Client) Soon() time.Time { return time.Now().Add(2 * c.config.Timeout) }

// RunScript runs a script that need not be acknowledged by replicas. The script's reply is a
// list. Errors: ErrUnavailable if the script certainly had no effect.
func (c *Client) RunScript(deadline time.Time, script *redis.Script, keys []string, args ...any) ([]any, error) {
	v, err := c.Run(deadline, &Call{Script: script, Keys: keys, Args: args})
	if err != nil {
		return nil, OrUnavailable(err)
	}
	values, _ := v.([]any)
	return values, nil
}

// ReadKey returns the text of a key, "" if there is none. Errors: ErrUnavailable.
func (c *Client) ReadKey(ctx context.Context, key string) (string, error) {
	deadline, bounded := ctx.Deadline()
	if !bounded {
		deadline = c.Soon()
	}
	v, err := c.Run(deadline, KeyCall("GET", key))
	if err != nil {
		if IsReply(err) && CertainlyRefused(err) && (c.cluster || !takesNoWrites(err)) { // noteReadOnly logs the other ones once
			c.log.Error("reading a key", "key", loggedKey(key), "error", err.Error())
		}
		return "", c.Unreadable(err, key)
	}
	text, _ := v.(string)
	return text, nil
}

// Texts returns a reply's list of texts.
func Texts(reply any) (texts []string) {
	list, _ := reply.([]any)
	for _, item := range list {
		text, _ := item.(string)
		texts = append(texts, text)
	}
	return texts
}

// ReadAll takes one round trip for several reading commands. Errors: ErrUnavailable.
func (c *Client) ReadAll(calls []*Call, deadline time.Time) ([]any, error) {
	if c.Unreachable() {
		return nil, outage.ErrUnavailable
	}
	values := make([]any, len(calls))
	for i, reply := range c.RunAll(deadline, calls) {
		if reply.Err != nil {
			return nil, c.Unreadable(reply.Err, calls[i].Keys[0])
		}
		values[i] = reply.Value
	}
	return values, nil
}

// WriteUntilAnswered sends a write that may be repeated, until Redis and the configured number
// of replicas acknowledge it or the deadline passes. Errors: ErrUnavailable if no sending had
// an effect, ErrUnknownOutcome if one may have had an effect.
func (c *Client) WriteUntilAnswered(deadline time.Time, write Call) error {
	write.Writes = true
	ended := outage.ErrUnavailable
	outage.Until(deadline, func() (again bool) {
		call := write
		switch _, err := c.Run(deadline, &call); {
		case err == nil:
			ended = nil
		case OrUnavailable(err) != outage.ErrUnavailable:
			ended = outage.ErrUnknownOutcome
		}
		return ended == outage.ErrUnknownOutcome
	})
	return ended
}
