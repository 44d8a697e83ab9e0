package operator

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence"
	"cartd/persistence/accounts"
	"cartd/persistence/records"
	"cartd/persistence/stores"
)

// ErrNotFound means that there is no such record.
var ErrNotFound = errors.New("there is none")

// Found is a record with its store, for operators to read.
type Found[S any] struct {
	Store *commerce.Store
	State S
	// Key is the record's key in Redis.
	Key string
	// Version counts the record's commits; Now is Redis's time.
	Version uint64
	Now     time.Time
}

// ShortID is the number of characters of an id that the log shows.
const ShortID = 8

// FindCarts finds the carts whose ids begin with the characters of the log, in a store, or in all stores for
// uuid.Nil. It looks at the keys of all carts. Errors: ErrNotFound.
func (o Operator) FindCarts(ctx context.Context, store uuid.UUID, short string) ([]*Found[*commerce.Cart], error) {
	return inStores(ctx, o, store, func(store uuid.UUID) (all []*Found[*commerce.Cart], err error) {
		prefix, seen := records.KeyPrefix(store, records.Carts.Kind), map[uuid.UUID]bool{}
		return all, o.ScanStore(ctx, store, records.Carts.Kind+":"+strings.ToLower(short), func(keys []string) error {
			for _, key := range keys {
				id, ok := commerce.ParseID(strings.TrimPrefix(key, prefix))
				if !ok || seen[id] {
					continue
				}
				seen[id] = true
				found, err := Find(ctx, o, persistence.Carts, store, id)
				if errors.Is(err, ErrNotFound) { // it has expired meanwhile
					continue
				}
				if err != nil {
					return err
				}
				all = append(all, found)
			}
			return nil
		})
	})
}

// customersOf returns the ids that an e-mail address may belong to in a store: the account's,
// if there is one, and always the guest's.
func (o Operator) customersOf(ctx context.Context, store *commerce.Store, email string) ([]uuid.UUID, error) {
	text, err := o.Redis().Redis.Get(ctx, accounts.EmailKey(store.ID, email)).Result()
	if err != nil && !errors.Is(err, redis.Nil) {
		return nil, err
	}
	guest := store.GuestID(email)
	if id, ok := commerce.ParseID(text); ok {
		return []uuid.UUID{id, guest}, nil
	}
	return []uuid.UUID{guest}, nil
}

// storesOr returns the store, or all stores for uuid.Nil.
func (o Operator) storesOr(ctx context.Context, store uuid.UUID) ([]uuid.UUID, error) {
	if store != uuid.Nil {
		return []uuid.UUID{store}, nil
	}
	return o.StoreIDs(ctx)
}

// inStores gathers what find finds in a store, or in all stores for uuid.Nil. Errors: ErrNotFound if that is
// nothing.
func inStores[T any](ctx context.Context, o Operator, store uuid.UUID, find func(store uuid.UUID) ([]T, error)) (all []T, err error) {
	ids, err := o.storesOr(ctx, store)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		found, err := find(id)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return nil, err
		}
		all = append(all, found...)
	}
	if len(all) == 0 {
		return nil, ErrNotFound
	}
	return all, nil
}

// Find finds a record of a kind in a store, or in all stores for uuid.Nil. Errors: ErrNotFound,
// redisdb.ErrCorrupt.
func Find[S any](ctx context.Context, o Operator, k *persistence.Kind[S], store, id uuid.UUID) (*Found[S], error) {
	stores, err := o.storesOr(ctx, store)
	if err != nil {
		return nil, err
	}
	for _, store := range stores {
		key := engine.RecordKey{Store: store, ID: id}
		record, now, err := readRecord(ctx, o, k.Codec, key)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		l, err := o.LoadStore(ctx, store)
		if err != nil {
			return nil, err
		}
		return &Found[S]{Store: l.Store, State: record.State, Key: k.Key(key), Version: record.Stamp.Counter, Now: now}, nil
	}
	return nil, ErrNotFound
}

// readRecord reads a record and Redis's time. Errors: ErrNotFound, redisdb.ErrCorrupt.
func readRecord[S any](ctx context.Context, o Operator, k *records.Codec[S], key engine.RecordKey) (record engine.Record[S], now time.Time, err error) {
	text, err := o.Redis().Redis.Get(ctx, k.Key(key)).Result()
	if errors.Is(err, redis.Nil) {
		return record, now, ErrNotFound
	}
	if err != nil {
		return record, now, err
	}
	if record, err = k.Decode(key, text); err != nil {
		return record, now, fmt.Errorf("%s: %w", k.Key(key), err)
	}
	now, _, err = o.Redis().Now(ctx, stores.HeadKey(key.Store))
	return record, now, err
}

// errFound ends a search.
var errFound = errors.New("found")

// FindOrders finds the orders with a number: of one store, or one of each store for uuid.Nil.
// Errors: ErrNotFound.
func (o Operator) FindOrders(ctx context.Context, store uuid.UUID, number int64) ([]*Found[*commerce.Order], error) {
	return inStores(ctx, o, store, func(store uuid.UUID) ([]*Found[*commerce.Order], error) {
		var order *commerce.Order
		err := o.EachOrder(store, number-1, func(o *commerce.Order) error { order = o; return errFound })
		switch {
		case err != nil && !errors.Is(err, errFound):
			return nil, err
		case order == nil || order.Number != number:
			return nil, nil
		}
		found, err := Find(ctx, o, persistence.Orders, store, order.ID)
		return []*Found[*commerce.Order]{found}, err
	})
}
