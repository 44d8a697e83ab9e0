package stores

import (
	"context"
	"slices"
	"strconv"
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

// keepUses lets the counters by customer and by code last that a discount with batches of codes has from now on, and
// expire those that a discount with batches had before.
func (c *storeCommit) keepUses(before []uuid.UUID, now []commerce.Discount) {
	lasting := map[uuid.UUID]bool{}
	for i := range now {
		if d := &now[i]; len(d.CodeBatches) > 0 {
			lasting[d.ID] = true
			c.plan.Write("PERSIST", UsesKey(c.store, d.ID))
		}
	}
	for _, id := range before {
		if !lasting[id] {
			c.plan.Write("PEXPIRE", UsesKey(c.store, id), UsesKept, "NX")
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
