package persistence

import (
	"testing"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
)

// A write is judged by the node's memory, on an idle and on a busy node. It is not counted yet,
// and costs no trip to Redis, except for an unknown token.
func TestRecallFromMemory(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		shopWith(theCustomer()).save(t, db)
		cold := asks("key")
		if known, err := db.Recall(cold); !known || err != nil || cold.Store.ID != shopID { // the store is loaded for it
			t.Fatalf("Recall = %v, %v", known, err)
		}
		trips := shoptest.CountTrips(db.client.Redis)
		for _, c := range []struct {
			what, token string
			known       bool
			trips       [][]string
		}{
			{what: "no token"},
			{"a cold token", "token-ada", true, [][]string{{"evalsha"}}},
			{"a warm token", "token-ada", true, nil},
			{"an unknown token", "unknown", false, [][]string{{"evalsha"}}},
		} {
			ask := asks("key")
			if c.token != "" {
				ask.Token = secret(c.token)
			}
			known, err := db.Recall(ask)
			trips.Want(t, c.what, c.trips...)
			now, heard := ask.Version.Clock.Now()
			if !known || err != nil || ask.Counted || !ask.Budget.Granted || ask.Key.Name != "key" || ask.Visitor.Known != c.known ||
				!heard || now.Sub(ask.Now).Abs() > patience || ask.Now.Nanosecond()%1e6 != 0 {
				t.Errorf("%s: Recall = %v, %v: %+v", c.what, known, err, ask.Facts)
			}
		}
		wantCounted(t, s, 0)
		for what, key := range map[string]string{"no key": "", "an unknown key": "unknown"} {
			if known, err := db.Recall(asks(key)); known || err != nil {
				t.Errorf("%s: Recall = %v, %v; want it unknown", what, known, err)
			}
		}
	})
}

func TestRecallWhileRedisIsAway(t *testing.T) {
	t.Parallel()
	s := redistest.Mini(t)
	db := node(t, s, impatient)
	theShop().save(t, db)
	admit(t, db, asks("key"))
	s.Kill()
	eventually(t, "the node knows", patience, func() bool { tryAdmit(db, asks("key")); return db.Away() })
	if known, err := db.Recall(asks("key")); err != engine.ErrUnavailable {
		t.Errorf("Recall = %v, %v; want ErrUnavailable", known, err)
	}
	late := asks("key")
	late.Store, late.Deadline = &commerce.Store{ID: shopID}, time.Now().Add(silence)
	if err := db.Refresh(late.Store.ID, late); err != engine.ErrUnavailable {
		t.Errorf("Refresh = %v; want ErrUnavailable", err)
	}
}
