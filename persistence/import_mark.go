package persistence

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

// importKey marks a store whose customers an import is writing: {<store>}:import →
// the import's id. The mark goes as the head moves. One that stays tells that an
// import was killed half-way, so that the next one writes everything, also where
// the head has its content already.
func importKey(store uuid.UUID) string { return singleKey(store, "import") }

// aliveKey has the signs that imports of a store live: {<store>}:imports → their ids, each
// with until when it counts. A sign leaves some time after its import was killed. They tell
// others what to wait for and what to leave alone, no more: which import counts is the
// mark's to say. ({<store>}:importing was one import's sign, a string, and may be about when
// this release meets the one before.)
func aliveKey(store uuid.UUID) string { return singleKey(store, "imports") }

var (
	// errOvertaken means that another import of the store began after this one.
	errOvertaken = errors.New("another import of the store has begun meanwhile")
	// errHeadMoved means that the store is not any more what an import was judged by.
	errHeadMoved = errors.New("the store has changed meanwhile")
)

const (
	// importSilence is how long an import that gives no sign of life counts as alive.
	importSilence = time.Minute
	// overtakerPoll is how often an overtaken import looks whether the other has ended.
	overtakerPoll = 50 * time.Millisecond
)

// readMark returns the id of the import under way; empty: none is.
func (d *DB) readMark(ctx context.Context, store uuid.UUID) (string, error) {
	mark, err := d.main.Redis.Get(ctx, importKey(store)).Result()
	if err == redis.Nil {
		err = nil
	}
	return mark, err
}

// beginImport marks the store. Errors: errHeadMoved.
func (d *DB) beginImport(ctx context.Context, store uuid.UUID, seen head, id string) error {
	keys := []string{headKey(store), importKey(store)}
	begun, err := beginImportScript.Run(ctx, d.main.Redis, keys, seen.text, id).Bool()
	if err == nil && !begun {
		err = errHeadMoved
	}
	return err
}

// stillMarked returns errOvertaken once another import has begun.
func (d *DB) stillMarked(ctx context.Context, store uuid.UUID, id string) error {
	mark, err := d.readMark(ctx, store)
	if err == nil && mark != id {
		err = errOvertaken
	}
	return err
}

// showLife gives an import's sign of life until end is called.
func (d *DB) showLife(ctx context.Context, store uuid.UUID, id string) (end func(), err error) {
	sign := func() error { return d.signImport(ctx, store, id, d.importSilence).Err() }
	if err := sign(); err != nil {
		return nil, err
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		again := time.NewTicker(d.importSilence / 4)
		defer again.Stop()
		for {
			select {
			case <-stop:
				return
			case <-again.C:
				sign() // where Redis does not hear it the import ends by itself
			}
		}
	}()
	return func() {
		close(stop)
		<-stopped
		d.signImport(context.WithoutCancel(ctx), store, id, 0) // what it cannot take away leaves by time
	}, nil
}

// signImport gives an import's sign of life for a while, or takes it away, and counts those
// that live.
func (d *DB) signImport(ctx context.Context, store uuid.UUID, id string, alive time.Duration) *redis.Cmd {
	return signImportScript.Run(ctx, d.main.Redis, []string{aliveKey(store)}, id, alive.Milliseconds())
}

// importLives reports whether an import of the store gives a sign of life.
func (d *DB) importLives(ctx context.Context, store uuid.UUID) (bool, error) {
	n, err := d.signImport(ctx, store, "", 0).Int()
	return n > 0, err
}

// awaitOvertaker waits until the import that overtook this one has ended or, as it shows
// no sign of life, was killed.
func (d *DB) awaitOvertaker(ctx context.Context, store uuid.UUID) error {
	look := time.NewTicker(overtakerPoll)
	defer look.Stop()
	for {
		mark, err := d.readMark(ctx, store)
		if err != nil || mark == "" {
			return err
		}
		if lives, err := d.importLives(ctx, store); err != nil || !lives {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-look.C:
		}
	}
}
