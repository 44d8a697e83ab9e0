package operator

import (
	"context"

	"cartd/persistence/stores"
)

// eraseUses removes the counts of the customer's uses of discounts: those of the account, and those of the
// guests with the customer's addresses, also with the addresses that orders and quotes have, or had before
// they were archived. It runs ahead of the erasure of these. It returns the number of counters that had
// some.
func eraseUses(ctx context.Context, e *erasure) (erased int, err error) {
	fields := e.counted
	for _, id := range e.Customers {
		fields = append(fields, id.String())
	}
	for _, email := range e.further {
		fields = append(fields, e.shop.GuestID(email).String())
	}
	if len(fields) == 0 {
		return 0, nil
	}
	err = e.ScanStore(ctx, e.store, stores.UsesKind, func(keys []string) error {
		for _, key := range keys {
			n, err := e.Redis().Redis.HDel(ctx, key, fields...).Result()
			if err != nil {
				return err
			}
			if n > 0 {
				erased++
			}
		}
		return nil
	})
	return erased, err
}
