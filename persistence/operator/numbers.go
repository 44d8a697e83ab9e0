package operator

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/persistence/records"
)

// NumberedKind is a kind of record that a store numbers, from 1 on. A restored Redis gives the numbers
// again that it has forgotten, unless an operator leaves them out.
type NumberedKind struct {
	// Name is what the kind is called, Command the command of cartd that leaves its numbers out.
	Name, Command string
	counter       func(store uuid.UUID) string
	// skip writes that the next count numbers have no record.
	skip func(ctx context.Context, pipe redis.Pipeliner, store uuid.UUID, count int64)
}

// NumberedKinds are all counters of a store whose numbers people see.
var NumberedKinds = []*NumberedKind{&OrderNumbers, &QuoteNumbers}

// OrderNumbers are the numbers of orders. A list has an entry for each.
var OrderNumbers = NumberedKind{
	Name: "order", Command: "orders", counter: records.OrderNumberKey,
	skip: func(ctx context.Context, pipe redis.Pipeliner, store uuid.UUID, count int64) {
		pipe.RPush(ctx, records.OrdersKey(store), make([]string, count))
		pipe.IncrBy(ctx, records.OrderGapKey(store), count)
	},
}

// QuoteNumbers are the numbers of quotes. A list has an entry for each.
var QuoteNumbers = NumberedKind{
	Name: "quote", Command: "quotes", counter: records.QuoteNumberKey,
	skip: func(ctx context.Context, pipe redis.Pipeliner, store uuid.UUID, count int64) {
		pipe.RPush(ctx, records.QuoteListKey(store), make([]string, count))
	},
}

// MaxGap is the maximum number of numbers that LeaveOut leaves out, gapChunk the number that it leaves
// out together.
const (
	MaxGap   = 1_000_000
	gapChunk = 10_000
)

// NextNumber returns the number that a store's next record of a kind gets. It fails if the store does not
// exist.
func (o Operator) NextNumber(ctx context.Context, store uuid.UUID, kind *NumberedKind) (int64, error) {
	if _, err := o.ReadHead(ctx, store); err != nil {
		return 0, err
	}
	newest, err := newestNumber(o.Redis().Redis.Get(ctx, kind.counter(store)))
	return newest + 1, err
}

// newestNumber is the value of a counter; 0 if it never counted.
func newestNumber(read *redis.StringCmd) (int64, error) {
	newest, err := read.Int64()
	if errors.Is(err, redis.Nil) {
		return 0, nil
	}
	return newest, err
}

// LeaveOut raises the counter of a kind, so that its next record gets a number of at least next: the
// records that a restored Redis has forgotten keep their numbers. It returns the first number that it
// left out, and how many. It fails if the store does not exist.
func (o Operator) LeaveOut(ctx context.Context, store uuid.UUID, kind *NumberedKind, next int64) (first, count int64, err error) {
	if _, err := o.ReadHead(ctx, store); err != nil {
		return 0, 0, err
	}
	counter := kind.counter(store)
	for {
		var chunk int64
		err := o.Redis().Redis.Watch(ctx, func(tx *redis.Tx) error {
			newest, err := newestNumber(tx.Get(ctx, counter))
			if err != nil {
				return err
			}
			chunk = next - 1 - newest
			switch {
			case count == 0 && chunk < 0:
				return fmt.Errorf("the newest %s has the number %d already: give a greater one", kind.Name, newest)
			case count == 0 && chunk > MaxGap:
				return fmt.Errorf("the newest %s has the number %d: at most %d numbers can be left out", kind.Name, newest, MaxGap)
			case chunk <= 0:
				chunk = 0
				return nil
			case count == 0:
				first = newest + 1
			}
			chunk = min(chunk, gapChunk)
			_, err = tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
				pipe.IncrBy(ctx, counter, chunk)
				kind.skip(ctx, pipe, store, chunk)
				return nil
			})
			return err
		}, counter)
		switch {
		case errors.Is(err, redis.TxFailedErr): // a record got a number meanwhile
			continue
		case err != nil:
			return first, count, err
		case chunk == 0:
			return first, count, nil
		}
		count += chunk
	}
}
