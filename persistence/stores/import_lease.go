package stores

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/persistence/records"
)

// leaseKey is the key of the lease of the import that may write a store: {<store>}:import → its
// fencing number. The move of the head deletes it; otherwise it expires.
func leaseKey(store uuid.UUID) string { return records.SingleKey(store, "import") }

// importsKey is the key of the numbers of a store's imports (HASH): {<store>}:imports → begun,
// the number of the newest; moved, the number of the newest that moved the head. They differ
// while an import runs, and after a killed one, which may have written customers.
func importsKey(store uuid.UUID) string { return records.SingleKey(store, "imports") }

var (
	// ErrImportRunning means that another import of the store holds the lease.
	ErrImportRunning = errors.New("another import is running: import again when it has ended")
	// errLeaseLost means that the import's lease has expired, and that another import may run.
	errLeaseLost = errors.New("the lease of the import has expired: import again")
	// errHeadMoved means that the store has changed since the import was judged.
	errHeadMoved = errors.New("the store has changed meanwhile")
)

const (
	// leaseTime is the time after which a lease ends unless renewed.
	leaseTime = 15 * time.Second
	// renewals is the number of renewals within leaseTime.
	renewals = 5
)

// importLease is the right of one import to write its store.
type importLease struct {
	stores *Stores
	store  uuid.UUID
	number string // no other lease of the store ever has it
}

// beginImport leases the store and renews the lease until end is called. Errors:
// ErrImportRunning, errHeadMoved.
func (s *Stores) beginImport(ctx context.Context, store uuid.UUID, seen Head) (l *importLease, end func(), err error) {
	keys := []string{HeadKey(store), leaseKey(store), importsKey(store)}
	number, err := beginImportScript.Run(ctx, s.client.Redis, keys, seen.Text, s.leaseTime.Milliseconds()).Int64()
	switch {
	case err != nil:
		return nil, nil, err
	case number == 0:
		return nil, nil, errHeadMoved
	case number < 0:
		return nil, nil, ErrImportRunning
	}
	l = &importLease{stores: s, store: store, number: strconv.FormatInt(number, 10)}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		l.renew(ctx, stop)
	}()
	return l, func() {
		close(stop)
		<-stopped
		l.extend(context.WithoutCancel(ctx), 0) // if this fails, the lease expires
	}, nil
}

func (l *importLease) renew(ctx context.Context, stop <-chan struct{}) {
	again := time.NewTicker(l.stores.leaseTime / renewals)
	defer again.Stop()
	for {
		select {
		case <-stop:
			return
		case <-again.C:
			l.extend(ctx, l.stores.leaseTime) // the import's next write notices a lost lease
		}
	}
}

// extend lets the lease last for a time from now, if it is still the import's; 0 ends it.
func (l *importLease) extend(ctx context.Context, last time.Duration) {
	extendLeaseScript.Run(ctx, l.stores.client.Redis, []string{leaseKey(l.store)}, l.number, last.Milliseconds())
}

// check returns errLeaseLost if the lease is not the import's any more.
func (l *importLease) check(ctx context.Context) error {
	number, err := l.stores.client.Redis.Get(ctx, leaseKey(l.store)).Result()
	if err != nil && !errors.Is(err, redis.Nil) {
		return err
	}
	if number != l.number {
		return errLeaseLost
	}
	return nil
}

// importKilled reports whether the newest import has not moved the head.
func (s *Stores) importKilled(ctx context.Context, store uuid.UUID) (bool, error) {
	numbers, err := s.client.Redis.HMGet(ctx, importsKey(store), "begun", "moved").Result()
	return err == nil && numbers[0] != numbers[1], err
}
