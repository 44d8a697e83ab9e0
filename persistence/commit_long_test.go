//go:build long

package persistence

import (
	"testing"

	"github.com/redis/go-redis/v9"

	"cartd/engine"
	"cartd/persistence/stores"
)

// A command that follows MOVED has the outcome of its second server.
func TestLongRedirectedCommitWithoutAnswerIsUnknown(t *testing.T) {
	t.Parallel()
	url, halves := cluster(t)
	db := node(t, halves[0], impatient, func(c *Config) { c.URL = url })
	s, other := shopOf(t, halves[0], 0), shopOf(t, halves[0], 1)
	for _, s := range []shop{s, other} {
		s.save(t, db)
		admit(t, db, asks(s.ID.String()))
	}
	slot := keySlot(t, halves[0], stores.HeadKey(s.ID))
	target := halves[1].Client().Do(background, "CLUSTER", "MYID").Val()
	halves[0].Client().FlushAll(background) // a slot with keys cannot be given away
	for _, half := range []int{1, 0} {
		if err := halves[half].Client().Do(background, "CLUSTER", "SETSLOT", slot, "NODE", target).Err(); err != nil {
			t.Fatal(err)
		}
	}
	eachServer(db, func(c *redis.Client) { // makes the connections ahead, because new ones would be refused
		for range 4 {
			cn := c.Conn()
			defer cn.Close()
			if err := cn.Ping(background).Err(); err != nil {
				t.Error(err)
			}
		}
	})
	halves[1].Pause()
	commit := replacing(none.Stamp, cartAt(1, ""))
	commit.Key.Store = s.ID
	if o := send(t, db, commit); o.Kind != engine.Unknown {
		t.Errorf("the commit: %+v, want its outcome unknown", o)
	}
	halves[1].Resume()
}
