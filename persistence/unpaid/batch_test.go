package unpaid

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/outbox"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/persistence/stores"
)

// A batch is committed in as many calls as it takes. An end that an earlier sending wrote is not counted,
// a broken order is put off, and under other settings the rest waits for the next turn.
func TestBatchCountsItsEnds(t *testing.T) {
	s, log := redistest.Mini(t), slog.New(slog.DiscardHandler)
	client, err := redisdb.Open(redisdb.Config{URL: s.URL(), Timeout: 5 * time.Second, Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	shop := &commerce.Store{ID: uuid.New(), Modules: commerce.AllModules()}
	now := time.Now().Truncate(time.Millisecond)
	for n := range 6 {
		o := &commerce.Order{ID: uuid.UUID{6: 0x40, 8: 0x80, 15: byte(n)}, Number: int64(n + 1), PlacedAt: now.Add(-time.Hour)}
		o.Totals.Total, o.Payment.DueAt = 100, now.Add(time.Duration(n-60)*time.Second)
		record := engine.Record[*commerce.Order]{Stamp: engine.Stamp{Counter: 1}, State: o}
		s.Client().Set(t.Context(), records.Orders.Key(engine.RecordKey{Store: shop.ID, ID: o.ID}), records.Orders.Encode(nil, &record, nil), 0)
		s.Client().Do(t.Context(), "ZADD", records.DueOrdersKey(shop.ID), records.Millis(o.Payment.DueAt), o.ID.String())
	}
	result := func(kind engine.OutcomeKind, earlier bool) records.Result {
		return records.Result{Ending: engine.Ending{Kind: kind}, Earlier: earlier, Key: "x"}
	}
	replies := [][]records.Result{
		{result(engine.Done, false)}, {result(engine.Done, true), result(engine.Broken, false)}, {result(engine.Done, false)},
	}
	var calls []int
	u := New(client, log, outbox.New(client, log, stores.New(client, log)),
		func(_ *engine.StoreVersion, ends []*engine.Visit[*commerce.Order]) ([]records.Result, error) {
			calls = append(calls, len(ends))
			if len(calls) == len(replies) {
				return replies[2], engine.ErrOutdated
			}
			return replies[len(calls)-1], nil
		})
	u.begin(shop.ID)
	u.endBatch(outbox.UnpaidTurn{Store: shop, Now: now})
	if ended, delayed := u.Ended(); ended != 2 || delayed != 1 || len(calls) != 3 || calls[0] != 6 || calls[1] != 5 || calls[2] != 3 {
		t.Errorf("ended %d, put off %d, in calls with %v orders", ended, delayed, calls)
	}
	broken := s.Client().ZScore(context.Background(), records.DueOrdersKey(shop.ID), uuid.UUID{6: 0x40, 8: 0x80, 15: 2}.String()).Val()
	if time.UnixMilli(int64(broken)).Before(now.Add(putOff - time.Second)) {
		t.Errorf("the broken order is due at %v", time.UnixMilli(int64(broken)))
	}
	if !u.Idle() {
		t.Error("the batch is still under way")
	}
}
