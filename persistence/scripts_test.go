package persistence

import (
	"testing"

	"github.com/redis/go-redis/v9"

	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/redisdb"
)

// A Redis that lost its scripts gets them again, and no request notices.
func TestScriptsThatRedisForgotAreLoadedAgain(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db, client := node(t, s), s.Client()
		shopWith(theCustomer()).save(t, db)
		visitor(t, db, "token-ada")
		first, second := cartAt(1, ""), cartAt(2, "")
		store(t, db, first)
		forget := func() {
			if err := client.ScriptFlush(background).Err(); err != nil {
				t.Fatal(err)
			}
		}
		forget()
		if a, err := tryAdmit(db, asks("key")); err != nil || !a.Budget.Granted {
			t.Errorf("Admit = %+v, %v; want it granted", a, err)
		}
		forget()
		if v := visitor(t, db, "token-ada"); !v.Known {
			t.Errorf("then the token is %+v", v)
		}
		forget()
		wantOutcome(t, db, replacing(first.Stamp, second), engine.Done, none)
		forget()
		next := send(t, db, counting(replacing(second.Stamp, cartAt(3, "")), 1))
		if next.Kind != engine.Done {
			t.Errorf("then a counted visit is %+v", next)
		}
		wantCounted(t, s, 4)
		forget()
		changedShop().save(t, db)
	})
}

func TestScriptsAreThereAfterARestart(t *testing.T) {
	s := redistest.Real(t, "--appendonly", "yes", "--appendfsync", "always")
	db := node(t, s)
	shopWith(theCustomer()).save(t, db)
	first := cartAt(1, "")
	store(t, db, first)
	visitor(t, db, "token-ada")
	s.Restart()
	eventually(t, "an admission", patience, func() bool { _, err := tryAdmit(db, asks("key")); return err == nil })
	if v := visitor(t, db, "token-ada"); !v.Known {
		t.Errorf("the token is %+v", v)
	}
	wantOutcome(t, db, replacing(first.Stamp, cartAt(2, "")), engine.Done, none)
}

// After a restart every connection that a busy node had is gone at once.
func TestABusyNodeSurvivesARestart(t *testing.T) {
	t.Parallel()
	s, db := readying(t)
	conns := make([]*redis.Conn, redisdb.PoolSize)
	for i := range conns {
		conns[i] = db.main.Redis.(*redis.Client).Conn()
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
