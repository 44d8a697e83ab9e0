package stores

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"

	"cartd/engine"
	"cartd/persistence/records"
)

// leaseKey is the key of the lease of the import that may write a store: {<store>}:import, a record without a
// state. The last visit of the import deletes it; otherwise it expires.
func leaseKey(store uuid.UUID) string { return records.SingleKey(store, "import") }

// importsKey is the key of the numbers of a store's imports (HASH): {<store>}:imports → begun,
// the number of the newest; moved, the number of the newest that was carried out. They differ
// while an import runs, and after a killed one, which may have written customers.
func importsKey(store uuid.UUID) string { return records.SingleKey(store, "imports") }

var (
	// ErrImportRunning means that another import of the store holds the lease.
	ErrImportRunning = errors.New("another import is running: import again when it has ended")
	// errLeaseLost means that the import's lease has expired, and that another import may run.
	errLeaseLost = errors.New("the lease of the import has expired: import again")
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
	// number is the writer of the lease's stamps, in hexadecimal digits, and writer are its bytes. No other
	// lease of the store ever has them.
	number, writer string

	mu     sync.Mutex
	stamps *records.Writer
	stamp  engine.Stamp // of the lease in Redis
}

// beginImport leases the store and renews the lease until end is called. Errors:
// ErrImportRunning, errHeadMoved.
func (s *Stores) beginImport(ctx context.Context, store uuid.UUID, seen Head) (l *importLease, end func(), err error) {
	l = &importLease{stores: s, store: store, stamps: records.MakeWriter()}
	l.writer = string(binary.BigEndian.AppendUint64(nil, l.stamps.ID()))
	l.number = hex.EncodeToString([]byte(l.writer))
	now, _, err := s.client.Now(ctx, HeadKey(store))
	if err != nil {
		return nil, nil, err
	}
	visit := l.next(now)
	visit.Plan.Hash("HSET", importsKey(store), "begun", l.number)
	result, err := s.carryVisit(ctx, store, seen.Text, now, visit)
	switch {
	case result.Kind == engine.OtherRecord && result.Record != "":
		return nil, nil, ErrImportRunning
	case err != nil:
		return nil, nil, err
	}
	l.sent(visit)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		l.renew(ctx, stop)
	}()
	return l, func() {
		close(stop)
		<-stopped
		l.release(context.WithoutCancel(ctx)) // if this fails, the lease expires
	}, nil
}

// next is a visit that writes the lease's next stamp. It lasts for a time from now.
func (l *importLease) next(now time.Time) *records.Visit {
	v := &records.Visit{
		Key: leaseKey(l.store), Record: records.StampRecord(l.stamps.After(l.stamp)), Expiry: records.Millis(now.Add(l.stores.leaseTime)),
	}
	if !l.stamp.Zero() {
		v.Seen = string(records.AppendStamp(nil, l.stamp))
	}
	return v
}

// sent takes over the stamp of a visit that was carried out.
func (l *importLease) sent(v *records.Visit) {
	l.stamp, _ = records.ParseStamp(v.Record[records.StampFrom:records.HeadFrom])
}

// visit renews the lease together with the writes of a plan. Errors: errLeaseLost, or why Redis does not carry
// it out.
func (l *importLease) visit(ctx context.Context, plan records.Plan) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for range commitAttempts {
		now, head, err := l.stores.client.Now(ctx, HeadKey(l.store))
		if err != nil {
			return err
		}
		visit := l.next(now)
		visit.Plan = plan
		result, err := l.stores.carryVisit(ctx, l.store, head, now, visit)
		switch {
		case err == nil:
			l.sent(visit)
			return nil
		case result.Kind == engine.OtherRecord && !l.takes(result.Record):
			return errLeaseLost
		case !errors.Is(err, errHeadMoved):
			return err
		}
	}
	return errBusy
}

// takes takes over the stamp of a lease in Redis, if it is the import's: that of a renewal whose outcome was not known.
func (l *importLease) takes(record string) bool {
	if !isLease(record, l.writer) {
		return false
	}
	l.stamp, _ = records.ParseStamp(record[records.StampFrom:records.HeadFrom])
	return true
}

// isLease reports whether a record is the lease of a writer.
func isLease(record, writer string) bool {
	return len(record) >= records.HeadFrom && record[records.WriterFrom:records.WriterTo+1] == writer
}

func (l *importLease) renew(ctx context.Context, stop <-chan struct{}) {
	again := time.NewTicker(l.stores.leaseTime / renewals)
	defer again.Stop()
	for {
		select {
		case <-stop:
			return
		case <-again.C:
			l.visit(ctx, records.Plan{}) // the import's next write notices a lost lease
		}
	}
}

// release ends the lease, if it is still the import's.
func (l *importLease) release(ctx context.Context) {
	var plan records.Plan
	plan.Write("DEL", leaseKey(l.store))
	l.visit(ctx, plan)
}

// guard adds to a plan the check that the lease is the import's.
func (l *importLease) guard(plan *records.Plan) {
	plan.CheckBytes(leaseKey(l.store), records.WriterFrom, records.WriterTo, l.writer)
}

// check returns errLeaseLost if the lease is not the import's any more.
func (l *importLease) check(ctx context.Context) error {
	writer, err := l.stores.leaseWriter(ctx, l.store)
	if err == nil && writer != l.writer {
		err = errLeaseLost
	}
	return err
}

// leaseWriter reads the writer of a store's lease; empty if there is none.
func (s *Stores) leaseWriter(ctx context.Context, store uuid.UUID) (string, error) {
	return s.client.Redis.GetRange(ctx, leaseKey(store), records.WriterFrom, records.WriterTo).Result()
}

// importKilled reports whether the newest import has not been carried out.
func (s *Stores) importKilled(ctx context.Context, store uuid.UUID) (bool, error) {
	numbers, err := s.client.Redis.HMGet(ctx, importsKey(store), "begun", "moved").Result()
	return err == nil && numbers[0] != numbers[1], err
}
