package persistence

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
)

// An import takes an API key by its hint, which can name one store only: it makes the
// hint name its store before it is marked, and looks at it again between mark and move.
// From another store it takes a hint only where that store has not the key and no import
// that lives: hints outlive the keys that leave a document, and what a killed import
// wanted, so neither keeps a key from others. Whether an import lives is a guess by its
// sign of life; should it live after all, its mark is gone before it moves the head.
// (cartd key claims nothing: nobody else can have what it makes up.)

const (
	// claimPatience is how long an import waits for another that has a key's hint and may
	// be about to give it back, and claimPoll how often it looks.
	claimPatience = 500 * time.Millisecond
	claimPoll     = 10 * time.Millisecond
)

var (
	errKeyTaken   = errors.New("belongs to another store: make a new one")
	errKeyClaimed = errors.New("belongs to another store, of which an import is under way: make a new one, or import again once that one has ended")
)

// claimKeys makes the hints of the keys name the store. Spec: API key 2.
func (d *DB) claimKeys(ctx context.Context, store uuid.UUID, keys []commerce.APIKey) error {
	// In one order, so that of several imports with the same keys one gets them all.
	keys = slices.SortedFunc(slices.Values(keys), func(a, b commerce.APIKey) int { return bytes.Compare(a.Hash[:], b.Hash[:]) })
	for _, k := range keys {
		if err := d.claimKey(ctx, store, k.Hash); err != nil {
			return fmt.Errorf("API key %q: %w", k.Name, err)
		}
	}
	return nil
}

// claimKey makes the hint of a key name the store. Errors: errKeyTaken, errKeyClaimed.
func (d *DB) claimKey(ctx context.Context, store uuid.UUID, hash commerce.KeyHash) error {
	named, err := d.replaceHint(ctx, hash, "", store.String())
	for range moveAttempts {
		if err != nil || named == store.String() {
			return err
		}
		before := named
		if named, err = d.waitForKey(ctx, before, hash); err != nil || named != before {
			continue
		}
		owner, _ := commerce.ParseID(before) // of a text that is no id: no store there is
		if named, err = d.replaceHint(ctx, hash, before, store.String()); err != nil || named != store.String() {
			continue
		}
		// An import of the owner that began meanwhile may have seen the hint as it was.
		if err = d.yieldsKey(ctx, owner, hash); err != nil {
			d.replaceHint(ctx, hash, named, before)
		}
	}
	return cmp.Or(err, errBusy)
}

// waitForKey looks until the store that a hint names yields the key, or the hint names
// another by then: an import that took the hint from one which is under way again is about
// to give it back, or both would be refused. It returns whom the hint names. Errors:
// errKeyTaken, errKeyClaimed.
func (d *DB) waitForKey(ctx context.Context, named string, hash commerce.KeyHash) (string, error) {
	for began := time.Now(); ; time.Sleep(claimPoll) {
		owner, _ := commerce.ParseID(named)
		err := d.yieldsKey(ctx, owner, hash)
		if !errors.Is(err, errKeyClaimed) || time.Since(began) >= d.claimPatience {
			return named, err
		}
		now, err := d.main.Redis.Get(ctx, keyHint(hash)).Result()
		if err != nil || now != named {
			return now, err
		}
	}
}

// replaceHint names another store in a key's hint, where it still names the one seen, and
// returns whom it names then.
func (d *DB) replaceHint(ctx context.Context, hash commerce.KeyHash, seen, next string) (string, error) {
	return claimKeyScript.Run(ctx, d.main.Redis, []string{keyHint(hash)}, seen, next).Text()
}

// yieldsKey makes sure that a store has not a key, and that no import of it that has begun
// brings the key. Errors: errKeyTaken, errKeyClaimed.
func (d *DB) yieldsKey(ctx context.Context, store uuid.UUID, hash commerce.KeyHash) error {
	for range moveAttempts {
		lives, err := d.importLives(ctx, store)
		mark, err2 := d.readMark(ctx, store) // before the head: an import whose mark is gone has moved it
		seen, err3 := d.headWithout(ctx, store, hash)
		switch err := cmp.Or(err, err2, err3); {
		case err != nil:
			return err
		case lives:
			return errKeyClaimed
		case mark == "":
			return nil
		}
		if err := d.beginImport(ctx, store, seen, newRevision()); !errors.Is(err, errHeadMoved) {
			return err
		}
	}
	return errBusy
}

// headWithout returns the head of a store that has not a key and has not revoked it; the
// zero head where there is no such store. Errors: errKeyTaken.
func (d *DB) headWithout(ctx context.Context, store uuid.UUID, hash commerce.KeyHash) (head, error) {
	seen, err := d.readHead(ctx, store)
	if errors.Is(err, errNoStore) {
		return head{}, nil
	}
	if err != nil {
		return head{}, err
	}
	ring, err := d.loadRing(ctx, store, seen.keys)
	if err == nil && ring.knows(hash) {
		err = errKeyTaken
	}
	return seen, err
}

// knows reports whether a key is, or was by hand revoked from, the ring.
func (r *keyRing) knows(hash commerce.KeyHash) bool {
	text := hexText(hash[:])
	return slices.ContainsFunc(r.Keys, func(k storedKey) bool { return k.Hash == text }) || slices.Contains(r.Revoked, text)
}

// stillClaimed refuses keys whose hints name another store, also after a while in which one
// that was about to give them back has done so.
func (d *DB) stillClaimed(ctx context.Context, store uuid.UUID, keys []commerce.APIKey) error {
	for began := time.Now(); ; time.Sleep(claimPoll) {
		err := d.claimed(ctx, store, keys)
		if !errors.Is(err, errKeyClaimed) || time.Since(began) >= d.claimPatience {
			return err
		}
	}
}

// claimed refuses keys whose hints name another store now.
func (d *DB) claimed(ctx context.Context, store uuid.UUID, keys []commerce.APIKey) error {
	pipe := d.main.Redis.Pipeline()
	hints := make([]*redis.StringCmd, len(keys))
	for i := range keys {
		hints[i] = pipe.Get(ctx, keyHint(keys[i].Hash))
	}
	pipe.Exec(ctx) // whose error is that of the first, which may be that there is none
	for i, hint := range hints {
		if err := hint.Err(); err != nil && err != redis.Nil {
			return err
		}
		if hint.Val() != store.String() {
			return fmt.Errorf("API key %q: %w", keys[i].Name, errKeyClaimed)
		}
	}
	return nil
}
