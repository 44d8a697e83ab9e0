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

var (
	// errOvertaken means that another import of the store began after this one.
	errOvertaken = errors.New("another import of the store has begun meanwhile")
	// errHeadMoved means that the store is not any more what an import was judged by.
	errHeadMoved = errors.New("the store has changed meanwhile")
)

const (
	// overtakerTime is how long an overtaken import waits for the other to end, and
	// overtakerPoll how often it looks.
	overtakerTime = time.Minute
	overtakerPoll = 50 * time.Millisecond
)

// readMark returns the id of the import under way; empty: none is.
func (d *DB) readMark(ctx context.Context, store uuid.UUID) (string, error) {
	mark, err := d.main.client.Get(ctx, importKey(store)).Result()
	if err == redis.Nil {
		err = nil
	}
	return mark, err
}

// beginImport marks the store. Errors: errHeadMoved.
func (d *DB) beginImport(ctx context.Context, store uuid.UUID, seen head, id string) error {
	keys := []string{headKey(store), importKey(store)}
	begun, err := beginImportScript.Run(ctx, d.main.client, keys, seen.text, id).Bool()
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

// awaitOvertaker waits for the end of the import that overtook this one.
func (d *DB) awaitOvertaker(ctx context.Context, store uuid.UUID) error {
	patience, cancel := context.WithTimeout(ctx, overtakerTime)
	defer cancel()
	look := time.NewTicker(overtakerPoll)
	defer look.Stop()
	for {
		mark, err := d.readMark(ctx, store)
		if err != nil || mark == "" {
			return err
		}
		select {
		case <-patience.Done():
			return errOvertaken
		case <-look.C:
		}
	}
}
