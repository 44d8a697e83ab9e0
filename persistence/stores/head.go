package stores

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

// HeadKey is the key of a store's head: {<store>}:head.
func HeadKey(store uuid.UUID) string { return records.SingleKey(store, "head") }

// Head says which version of a store is in force: the request limit (which the limiter's script
// reads), revision of the settings, hash of the document, revision of the keys, number of
// parts, size, revision of the usage counts, and Redis's time of the settings' move.
type Head struct {
	Text           string
	Limit          int
	Revision, Keys string
	// Hash is of the last whole document; changedMark follows it after a change set.
	Hash        string
	Parts, Size int
	Usage       string
	Moved       time.Time
}

// changedMark follows the hash of a document that change sets have changed since.
const changedMark = "+"

// Document is the hash of the last whole document.
func (h *Head) Document() string { return strings.TrimSuffix(h.Hash, changedMark) }

// Changed reports whether a change set has changed the store since its last whole document.
func (h *Head) Changed() bool { return strings.HasSuffix(h.Hash, changedMark) }

// asDropped returns the head of a dropped store: under other keys, and with the hash of no document.
func (h Head) asDropped() Head {
	h.Keys, h.Hash = NewRevision(), strings.Repeat("0", len(h.Document()))
	return h
}

func (h *Head) dropped() bool { return h.Hash != "" && strings.Trim(h.Hash, "0") == "" }

// usageField is the index of the revision of the usage counts among a head's fields.
const usageField = 6

// ParseHead reads the text of a head.
func ParseHead(text string) (Head, error) {
	f := strings.Fields(text)
	if len(f) != 8 {
		return Head{}, fmt.Errorf("store head %q: %w", text, redisdb.ErrCorrupt)
	}
	limit, err := strconv.Atoi(f[0])
	parts, err2 := strconv.Atoi(f[4])
	size, err3 := strconv.Atoi(f[5])
	moved, err4 := strconv.ParseInt(f[7], 10, 64)
	if err := errors.Join(err, err2, err3, err4); err != nil {
		return Head{}, fmt.Errorf("store head %q: %w", text, redisdb.ErrCorrupt)
	}
	return Head{
		Text: text, Limit: limit, Revision: f[1], Hash: f[2], Keys: f[3], Parts: parts, Size: size, Usage: f[usageField],
		Moved: time.UnixMilli(moved),
	}, nil
}

// moveAttempts bounds the compare-and-set of a head against other writers.
const moveAttempts = 20

// move is one change of a head.
type move struct {
	seen, next Head
	// keysOnly keeps the time of the settings' move.
	keysOnly bool
	// lease is the number of the import that moves the head; empty if it is no import.
	lease string
	// took is the duration of an import of change sets, which sets the pause after it; 0 for other
	// moves.
	took time.Duration
	// line is the move's line in the history.
	line historyLine
	// entries are the idempotency entries of the change sets. The head moves only if none exists.
	entries []changeEntry
}

// changeEntry is the idempotency entry of a change set, with its key.
type changeEntry struct{ key, value string }

// errEntriesExist means that change sets of the move were carried out earlier. It lists their
// indexes among the move's entries.
type errEntriesExist []int

func (e errEntriesExist) Error() string { return "change sets were carried out earlier" }

// moveHead carries out a move. It returns false if the head has moved meanwhile, or the
// import's lease has expired. Errors also: errEntriesExist.
func (s *Stores) moveHead(ctx context.Context, store uuid.UUID, m move) (bool, error) {
	next := &m.next
	text := strings.Join([]string{strconv.Itoa(next.Limit), next.Revision, next.Hash, next.Keys, strconv.Itoa(next.Parts), strconv.Itoa(next.Size), next.Usage},
		" ")
	moved, took := "", ""
	if m.keysOnly {
		moved = records.Millis(m.seen.Moved)
	}
	if m.took > 0 {
		took = strconv.FormatInt(max(1, m.took.Milliseconds()), 10)
	}
	list := cmp.Or(m.line.list, actHistory)
	keys := []string{HeadKey(store), leaseKey(store), importsKey(store), list.key(store)}
	args := []any{m.seen.Text, text, moved, m.lease, took, m.line.text, list.max, records.IdempotencyTTL}
	for _, e := range m.entries {
		keys, args = append(keys, e.key), append(args, e.value)
	}
	reply, err := moveHeadScript.Run(ctx, s.client.Redis, keys, args...).Slice()
	if err != nil {
		return false, err
	}
	var existing errEntriesExist
	for _, index := range reply[1:] {
		existing = append(existing, int(index.(int64))-1)
	}
	if existing != nil {
		return false, existing
	}
	return reply[0] != "", nil
}

// ReadHead reads the head of a store. Errors: errNoStore, also of a store that was dropped.
func (s *Stores) ReadHead(ctx context.Context, store uuid.UUID) (Head, error) {
	h, err := s.readAnyHead(ctx, store)
	if err == nil && h.dropped() {
		err = fmt.Errorf("%w, it was dropped (if cartd stores still lists it, drop it again): %s", errNoStore, store)
	}
	return h, err
}

// readAnyHead is ReadHead also of a store that was dropped, whose head stays for a time.
func (s *Stores) readAnyHead(ctx context.Context, store uuid.UUID) (Head, error) {
	text, err := s.client.Redis.Get(ctx, HeadKey(store)).Result()
	if errors.Is(err, redis.Nil) {
		return Head{}, fmt.Errorf("%w: %s", errNoStore, store)
	}
	if err != nil {
		return Head{}, err
	}
	return ParseHead(text)
}
