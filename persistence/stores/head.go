package stores

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

// HeadKey is the key of a store's head: {<store>}:head.
func HeadKey(store uuid.UUID) string { return records.SingleKey(store, "head") }

// Head is the short text by which requests are admitted and visits judged: the request limit (which the
// limiter's script reads), the stamp of the store's record, and the revision of the usage counts.
type Head struct {
	Text  string
	Limit int
	Stamp engine.Stamp
	Usage string
}

// usageField is the index of the revision of the usage counts among a head's fields.
const usageField = 2

// makeHead returns a head with its text.
func makeHead(limit int, stamp engine.Stamp, usage string) Head {
	text := strconv.Itoa(limit) + " " + hex.EncodeToString(records.AppendStamp(nil, stamp)) + " " + usage
	return Head{Text: text, Limit: limit, Stamp: stamp, Usage: usage}
}

// ParseHead reads the text of a head.
func ParseHead(text string) (Head, error) {
	f := strings.Fields(text)
	if len(f) != 3 {
		return Head{}, fmt.Errorf("store head %q: %w", text, redisdb.ErrCorrupt)
	}
	limit, err := strconv.Atoi(f[0])
	bytes, err2 := hex.DecodeString(f[1])
	stamp, err3 := records.ParseStamp(string(bytes))
	if err != nil || err2 != nil || err3 != nil || stamp.Zero() {
		return Head{}, fmt.Errorf("store head %q: %w", text, redisdb.ErrCorrupt)
	}
	return Head{Text: text, Limit: limit, Stamp: stamp, Usage: f[usageField]}, nil
}

// UsedUp returns a head with another revision of the usage counts.
func UsedUp(head string) string {
	fields := strings.Fields(head)
	fields[usageField] = NewRevision()
	return strings.Join(fields, " ")
}
