package persistence

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
	"cartd/persistence/accounts"
)

// A token that is ended at any moment of an import stays ended, also after the next import, and
// if the document gives it to another customer.
func TestImportRestoresNoEndedToken(t *testing.T) {
	shoptest.Alone(t)
	for n := int64(1); ; n++ {
		if n > 100 {
			t.Fatal("an import has more than 100 commands")
		}
		s := redistest.Mini(t)
		reader, importer := node(t, s), node(t, s)
		shopWith(theCustomer()).save(t, reader)
		session := visitor(t, reader, "token-ada").Session
		again := shopWith(theCustomer(object{"first_name": "Augusta"}))
		again.Name = "Again"
		hook, happened := redistest.Ahead(n, func() {
			if err := reader.EndSession(shopID, ada, session, soonest()); err != nil {
				t.Error(err)
			}
		})
		importer.client.Redis.AddHook(hook)
		again.save(t, importer)
		if !happened() {
			break
		}
		if got := visitor(t, reader, "token-ada"); got.Known {
			t.Errorf("ended ahead of command %d of an import the token is %+v", n, got)
		}
		again.Customers = append(again.Customers, theCustomer(object{"id": testID(0x77), "email": "bob@example.com", "tokens": again.Customers[0]["tokens"]}))
		delete(again.Customers[0], "tokens")
		again.save(t, importer)
		if got := visitor(t, reader, "token-ada"); got.Known {
			t.Errorf("given to another customer the ended token is %+v", got)
		}
	}
}

// Spec: Customer token. The document's expiry of a token counts, also if it is past.
func TestImportSetsATokensExpiry(t *testing.T) {
	shoptest.Alone(t)
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		expires := func(name string, in time.Duration) {
			t.Helper()
			token := object{"token": "token-ada", "expires_at": time.Now().Add(in).Truncate(time.Millisecond)}
			shopWith(theCustomer(object{"first_name": name, "tokens": []object{token}})).save(t, db)
		}
		for i, c := range []struct {
			in    time.Duration
			known bool
		}{{time.Hour, true}, {-time.Hour, false}, {2 * time.Hour, true}, {-time.Second, false}, {time.Minute, true}} {
			expires(fmt.Sprint(i), c.in)
			if got := visitor(t, db, "token-ada"); got.Known != c.known {
				t.Errorf("with an expiry %v ahead the token is %+v, known: want %v", c.in, got, c.known)
			}
		}
	})
}

// A token whose expiry an import has changed meanwhile is a conflict. Judged again, the end of
// all other sessions keeps the token with its new expiry.
func TestTokenIsKeptWithTheExpiryOfAnImport(t *testing.T) {
	shoptest.Alone(t)
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		shopWith(theCustomer()).save(t, db)
		v, expiry := movingSession(t, db, "token-ada", 1), time.Now().Add(2*time.Hour).Truncate(time.Millisecond)
		shopWith(theCustomer(object{"tokens": []object{{"token": "token-ada", "expires_at": expiry}}})).save(t, db)
		want := expiry.UnixMilli()
		v.Seen = find(t, db, "ada@example.com").Record.Stamp // the import has written the contact, too
		if o := send(t, db, v); o.Kind != engine.OtherFacts || !o.Facts[0].Visitor.Known || o.Facts[0].Visitor.Session.ExpiresAt != want {
			t.Fatalf("outcome %+v", o)
		}
		if o := send(t, db, movingSession(t, db, "token-ada", 1)); o.Kind != engine.Done {
			t.Fatalf("outcome %+v", o)
		}
		if got := visitor(t, db, "token-ada"); !got.Known || got.Session.Number != 1 || got.Session.ExpiresAt != want {
			t.Errorf("the token is %+v, want session 1 and the new expiry", got)
		}
	})
}

// A late sending of a new token does not undo later changes of the token.
func TestLateSendingOfANewTokenChangesNothing(t *testing.T) {
	for name, meanwhile := range map[string]struct {
		do    func(*testing.T, *DB, commerce.Session)
		known bool
	}{
		"ended": {func(t *testing.T, db *DB, s commerce.Session) {
			if err := db.EndSession(shopID, ada, s, soonest()); err != nil {
				t.Fatal(err)
			}
		}, false},
		"moved": {func(t *testing.T, db *DB, s commerce.Session) {
			if o := send(t, db, movingSession(t, db, "new", s.Number+1)); o.Kind != engine.Done {
				t.Fatalf("outcome %+v", o)
			}
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := redistest.Mini(t)
			db := node(t, s)
			shopWith(theCustomer()).save(t, db)
			session := newToken("new", 0)
			var lose sync.Once
			lost := make(chan []any, 1)
			s.Mini.Server().SetPreHook(func(p *server.Peer, cmd string, args ...string) (loses bool) {
				if cmd != "SET" || args[0] != accounts.TokenKey(shopID, session.Token) {
					return false
				}
				lose.Do(func() {
					sending := []any{cmd}
					for _, arg := range args {
						sending = append(sending, arg)
					}
					lost <- sending
					p.Close()
					loses = true
				})
				return loses
			})
			if err := db.SaveSession(shopID, ada, session, soonest()); err != nil || len(lost) == 0 {
				t.Fatalf("SaveSession = %v, sendings that got lost: %d", err, len(lost))
			}
			meanwhile.do(t, db, *session)
			if err := s.Client().Do(background, <-lost...).Err(); err != nil && err != redis.Nil {
				t.Fatal(err)
			}
			if got := visitor(t, db, "new"); got.Known != meanwhile.known {
				t.Errorf("the token is %+v, known: want %t", got, meanwhile.known)
			}
		})
	}
}
