package persistence

import (
	"context"

	"github.com/redis/go-redis/v9"

	"cartd/engine"
)

// lookup reads a key for a request that waits, before its admission. Look-ups share
// pipelines as admissions do: whoever asks with keys that no store has fills no pool.
type lookup struct {
	key  string
	done chan found // of capacity 1
}

// found is the text of a key, "" where there is none.
type found struct {
	text string
	err  error
}

// lookUp returns the text of a key, "" where there is none. Errors: ErrUnavailable.
func (d *DB) lookUp(ctx context.Context, key string) (string, error) {
	l := &lookup{key: key, done: make(chan found, 1)}
	if d.Away() || !d.lookups.add(l) {
		return "", engine.ErrUnavailable
	}
	select {
	case found := <-l.done:
		return found.text, found.err
	case <-ctx.Done():
		return "", engine.ErrUnavailable
	}
}

func (d *DB) flushLookups(batch []*lookup) {
	if d.Away() {
		for _, l := range batch {
			l.done <- found{err: engine.ErrUnavailable}
		}
		return
	}
	pipe := d.main.client.Pipeline()
	cmds := make([]*redis.StringCmd, len(batch))
	for i, l := range batch {
		cmds[i] = pipe.Get(background, l.key)
	}
	d.main.exec(pipe)
	for i, l := range batch {
		text, err := cmds[i].Result()
		switch {
		case err == redis.Nil:
			err = nil
		case err != nil:
			if isReply(err) { // of any other the link tells
				d.log.Error("look-up", "error", err.Error())
			}
			err = engine.ErrUnavailable
		}
		l.done <- found{text, err}
	}
}
