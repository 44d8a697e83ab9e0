package operator

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/persistence/records"
)

// MaxGap is the maximum number of numbers that LeaveOut leaves out, gapChunk the number that it leaves
// out together.
const (
	MaxGap   = 1_000_000
	gapChunk = 10_000
)

// LeaveOut raises the counter of orders, so that the next order gets a number of at least next: orders
// that a restored Redis has forgotten keep their numbers. It returns the first number that it left out,
// and how many. Errors: ErrNotFound if the store does not exist.
func (o Operator) LeaveOut(ctx context.Context, store uuid.UUID, next int64) (first, count int64, err error) {
	if _, err := o.ReadHead(ctx, store); err != nil {
		return 0, 0, err
	}
	counter, list, gap := records.OrderNumberKey(store), records.OrdersKey(store), records.OrderGapKey(store)
	for {
		var chunk int64
		err := o.Redis().Redis.Watch(ctx, func(tx *redis.Tx) error {
			newest, err := tx.Get(ctx, counter).Int64()
			if err != nil && !errors.Is(err, redis.Nil) {
				return err
			}
			chunk = next - 1 - newest
			switch {
			case count == 0 && chunk < 0:
				return fmt.Errorf("the newest order has the number %d already: give a greater one", newest)
			case count == 0 && chunk > MaxGap:
				return fmt.Errorf("the newest order has the number %d: at most %d numbers can be left out", newest, MaxGap)
			case chunk <= 0:
				chunk = 0
				return nil
			case count == 0:
				first = newest + 1
			}
			chunk = min(chunk, gapChunk)
			_, err = tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
				pipe.RPush(ctx, list, make([]string, chunk))
				pipe.IncrBy(ctx, counter, chunk)
				pipe.IncrBy(ctx, gap, chunk)
				return nil
			})
			return err
		}, counter)
		switch {
		case errors.Is(err, redis.TxFailedErr): // an order was placed meanwhile
			continue
		case err != nil:
			return first, count, err
		case chunk == 0:
			return first, count, nil
		}
		count += chunk
	}
}
