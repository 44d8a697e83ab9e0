package persistence

import (
	"sync"

	"github.com/redis/go-redis/v9"

	"cartd/engine"
)

// wire is a commit as the scripts take it, made once and sent as often as needed.
type wire struct {
	// key is the record's, seen the stamp that its writer saw ("": no record), expiry
	// in Unix milliseconds ("": none).
	key, seen, record, expiry string
	// letters say how each of values is written beside the record, to the key in its
	// place.
	letters []byte
	keys    []string
	values  []any
	// events: something of it goes into an outbox.
	events bool
	hold   *holding // nil: no stock is asked for
}

// beside says how the commit script writes a value beside the record: one of the
// letters that beside.lua lists.
type beside byte

const (
	onceEntry beside = 'o'
	setNew    beside = 'n'
	setValue  beside = 's'
	deleteOwn beside = 'd'
	moveToken beside = 't'
	appendTo  beside = 'q'
	// retainDeleted appends to a list of deleted addresses, and drops the old ones.
	retainDeleted beside = 'r'
)

// newWire is the commit of one record, by itself. Its parts share one text.
func newWire[S any](k *kind[S], c *engine.Commit[S]) *wire {
	var seen, record, expiry int
	text := asText(func(b []byte) []byte {
		b = append(b, k.key(c.Key)...)
		if seen = len(b); !c.Expect.Zero() {
			b = appendStamp(b, c.Expect)
		}
		record = len(b)
		b = k.encode(b, &c.Next)
		expiry = len(b)
		return k.expiry(b, c.Next.State)
	})
	return &wire{key: text[:seen], seen: text[seen:record], record: text[record:expiry], expiry: text[expiry:]}
}

// texts are buffers, of *[]byte.
var texts = sync.Pool{New: func() any { return new([]byte) }}

// asText is what is written into a buffer that is used again.
func asText(write func([]byte) []byte) string {
	buffer := texts.Get().(*[]byte)
	defer texts.Put(buffer)
	*buffer = write((*buffer)[:0])
	return string(*buffer)
}

// add writes a value beside the record.
func (w *wire) add(how beside, key string, value any) {
	w.letters = append(w.letters, byte(how))
	w.keys = append(w.keys, key)
	w.values = append(w.values, value)
}

// script is the commit's script with its keys and arguments.
func (w *wire) script() (script *redis.Script, keys []string, args []any) {
	keys = append(append(make([]string, 0, 1+len(w.keys)), w.key), w.keys...)
	args = append(make([]any, 0, 5+len(w.values)), &w.seen, &w.record, &w.expiry, w.letters, onceTTL)
	args = append(args, w.values...)
	if w.hold == nil {
		return commitScript, keys, args
	}
	return holdScript, append(keys, w.hold.keys...), append(args, w.hold.args...)
}
