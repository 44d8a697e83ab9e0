package persistence

import (
	"testing"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/redisdb"
)

// A Redis that lost its scripts gets them again, and no request and no import fails.
func TestScriptsThatRedisForgotAreLoadedAgain(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		shopWith(theCustomer()).save(t, db)
		levels := func() bool { _, err := db.StockLevels(shopID, ada, []uuid.UUID{nails}, soonest()); return err == nil }
		for what, done := range []func() bool{
			func() bool { return visitor(t, db, "token-ada").Known },
			func() bool { return send(t, db, replacing(none.Stamp, cartAt(1, ""))).Kind == engine.Done },
			levels,
			func() bool { limitedShop(t, db, 7); return !t.Failed() },
		} {
			if err := s.Client().ScriptFlush(background).Err(); err != nil {
				t.Fatal(err)
			}
			if !done() {
				t.Errorf("number %d was not done", what)
			}
		}
	})
}

// A restart breaks all connections of a busy node at once.
func TestBusyNodeSurvivesARestart(t *testing.T) {
	t.Parallel()
	s, db := readying(t)
	conns := make([]*redis.Conn, redisdb.PoolSize)
	for i := range conns {
		conns[i] = db.client.Redis.(*redis.Client).Conn()
		if err := conns[i].Ping(background).Err(); err != nil {
			t.Fatal(err)
		}
	}
	for _, conn := range conns {
		conn.Close()
	}
	s.Restart()
	eventually(t, "an admission", soon, func() bool { _, err := tryAdmit(db, asks("key")); return err == nil })
}
