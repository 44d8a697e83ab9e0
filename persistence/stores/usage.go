package stores

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

// UsageKey is the key of the number of orders that used each discount: {<store>}:usage, a hash
// of discount id → count. The first document with a discount enters it with the document's
// count. The order that takes a discount's last use moves the head (its usage revision), so
// that nodes learn by their next visit that the discount is used up.
func UsageKey(store uuid.UUID) string { return records.SingleKey(store, "usage") }

// UsesKey is the key of a discount's uses by customer (HASH of the id of the account or guest → count):
// {<store>}:uses:<discount id>. It expires UsesKept after its last use.
func UsesKey(store, discount uuid.UUID) string {
	return records.SingleKey(store, UsesKind) + discount.String()
}

// UsesKind is in the keys of UsesKey.
const UsesKind = "uses:"

// UsesKept is the time for which uses by customer are kept after the last one, in milliseconds: 400
// days.
const UsesKept = "34560000000"

// CounterOf returns the key and the field of the counter of a use.
func CounterOf(store uuid.UUID, use *commerce.Use) (key, field string) {
	if use.Counter == commerce.CountAll {
		return UsageKey(store), use.Discount.String()
	}
	return UsesKey(store, use.Discount), use.Field
}

// UseCounts reads the counts of uses by customers and codes, in one trip. Errors: ErrUnavailable.
func (s *Stores) UseCounts(store uuid.UUID, uses []commerce.Use, deadline time.Time) ([]int64, error) {
	values, err := s.client.ReadAll(s.ReadUses(store, uses), deadline)
	if err != nil {
		return nil, err
	}
	return s.CountsOf(store, uses, values)
}

// ReadUses are the calls that read the counts of uses. CountsOf has their replies.
func (s *Stores) ReadUses(store uuid.UUID, uses []commerce.Use) []*redisdb.Call {
	calls := make([]*redisdb.Call, len(uses))
	for i := range uses {
		key, field := CounterOf(store, &uses[i])
		calls[i] = redisdb.KeyCall("HGET", key, field)
	}
	return calls
}

// CountsOf reads the replies to the calls of ReadUses. Errors: ErrUnavailable.
func (s *Stores) CountsOf(store uuid.UUID, uses []commerce.Use, values []any) ([]int64, error) {
	counts := make([]int64, len(uses))
	for i, value := range values {
		text, there := value.(string)
		if !there {
			continue
		}
		var err error
		if counts[i], err = strconv.ParseInt(text, 10, 64); err != nil {
			key, _ := CounterOf(store, &uses[i])
			return nil, s.client.Unreadable(redisdb.ErrCorrupt, key)
		}
	}
	return counts, nil
}

// hashChunk bounds the fields of one command.
const hashChunk = 1000

// hashValues reads fields of a hash, in one round trip; nil for each that it does not have.
func (s *Stores) hashValues(ctx context.Context, key string, fields []string) (values []any, err error) {
	pipe := s.client.Redis.Pipeline()
	for some := range slices.Chunk(fields, hashChunk) {
		pipe.HMGet(ctx, key, some...)
	}
	replies, err := pipe.Exec(ctx)
	for _, reply := range replies {
		values = append(values, reply.(*redis.SliceCmd).Val()...)
	}
	return values, err
}

// saveUsage enters the document's discounts that have no count yet.
func (s *Stores) saveUsage(ctx context.Context, doc *Document) error {
	pipe := s.client.Redis.Pipeline()
	for i := range doc.Discounts {
		discount := &doc.Discounts[i]
		pipe.HSetNX(ctx, UsageKey(doc.Store), discount.ID.String(), discount.Used)
	}
	_, err := pipe.Exec(ctx)
	return err
}

// keepUses removes the expiry of the counters by customer and by code of the document's discounts with
// batches of codes, ahead of the switch to the document.
func (s *Stores) keepUses(ctx context.Context, doc *Document) error {
	pipe := s.client.Redis.Pipeline()
	for i := range doc.Discounts {
		if d := &doc.Discounts[i]; len(d.CodeBatches) > 0 {
			pipe.Persist(ctx, UsesKey(doc.Store, d.ID))
		}
	}
	_, err := pipe.Exec(ctx)
	return err
}

// settleUses is carried out after the switch to a document. It lets the counters expire that have no expiry
// although no discount of the document with batches of codes has them: its batches, or the discount itself, have
// left the document. It removes the expiry that a sale ahead of the switch has set since keepUses. A failure
// leaves unused keys, or that expiry, until the next import or the next use of a code.
func (s *Stores) settleUses(ctx context.Context, store uuid.UUID, present []commerce.Discount) {
	lasting := map[string]bool{}
	for i := range present {
		lasting[present[i].ID.String()] = len(present[i].CodeBatches) > 0
	}
	for cursor := uint64(0); ; {
		fields, next, err := s.client.Redis.HScan(ctx, UsageKey(store), cursor, "", hashChunk).Result()
		if err != nil {
			return
		}
		pipe := s.client.Redis.Pipeline()
		for i := 0; i < len(fields); i += 2 { // each with its count
			id, ok := commerce.ParseID(fields[i])
			switch {
			case ok && lasting[fields[i]]:
				pipe.Persist(ctx, UsesKey(store, id))
			case ok:
				pipe.Do(ctx, "PEXPIRE", UsesKey(store, id), UsesKept, "NX")
			}
		}
		if _, err := pipe.Exec(ctx); err != nil {
			return
		}
		if cursor = next; cursor == 0 {
			return
		}
	}
}

// loadUsage reads the counts of discounts, in one round trip. A discount without an entry keeps
// the document's count.
func (s *Stores) loadUsage(ctx context.Context, store uuid.UUID, discounts []commerce.Discount) (map[uuid.UUID]int64, error) {
	fields := make([]string, len(discounts))
	for i := range discounts {
		fields[i] = discounts[i].ID.String()
	}
	values, err := s.hashValues(ctx, UsageKey(store), fields)
	if err != nil {
		return nil, err
	}
	used := make(map[uuid.UUID]int64, len(discounts))
	for i := range discounts {
		text, _ := values[i].(string)
		if text == "" {
			used[discounts[i].ID] = discounts[i].Used
			continue
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, redisdb.ErrCorrupt
		}
		used[discounts[i].ID] = n
	}
	return used, nil
}

// limited returns the discounts with a usage limit.
func limited(s *commerce.Store) (some []commerce.Discount) {
	for i := range s.Discounts {
		if s.Discounts[i].UsageLimit != nil {
			some = append(some, s.Discounts[i])
		}
	}
	return some
}

// withUsage sets the counts of a store that is not in use yet.
func (s *Stores) withUsage(ctx context.Context, l *Loaded) error {
	if l.limited = limited(l.Store); len(l.limited) == 0 {
		return nil
	}
	used, err := s.loadUsage(ctx, l.Store.ID, l.limited)
	if err == nil {
		l.Store = l.Store.WithUsage(func(discount *commerce.Discount) int64 { return used[discount.ID] })
	}
	return err
}

// UsedUp returns a head with another revision of the usage counts.
func UsedUp(head string) string {
	fields := strings.Fields(head)
	fields[usageField] = NewRevision()
	return strings.Join(fields, " ")
}
