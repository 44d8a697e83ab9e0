package persistence

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/google/uuid"

	"cartd/engine"
	"cartd/internal/redistest"
)

// A Redis that still loads its file refuses each new connection: nothing may be made of the
// answers that are not there, whichever Redis counts.
func TestARedisThatLoadsItsFileIsUnavailable(t *testing.T) {
	alone(t)
	at := engine.Stamp{Counter: 1, Writer: 1, Sequence: 1}
	for name, fill := range map[string]func(*engine.Request){
		"nothing more":     func(*engine.Request) {},
		"a customer token": func(a *engine.Request) { a.Token = secret("token") },
		"a cart":           func(a *engine.Request) { a.CartID = keyOf(cartAt(1, "")).ID },
		// one that has less time than Redis may take is sent by the batcher's own goroutine
		"a cart, little time": func(a *engine.Request) {
			a.CartID, a.Deadline = keyOf(cartAt(1, "")).ID, time.Now().Add(silence)
		},
	} {
		for _, knows := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, the node knows store and cart %v", name, knows), func(t *testing.T) {
				s := redistest.Mini(t)
				db := node(t, s, func(c *Config) {
					c.Held = func(engine.RecordKey) (engine.Stamp, bool) { return at, knows }
				})
				shop := theShop()
				shop.Customers = []shopCustomer{{ID: uuid.New(), Email: "a@b.example", Tokens: []shopToken{{"token", time.Now().Add(time.Hour)}}}}
				shop.save(t, db)
				if knows {
					admit(t, db, asks("key"))
				}
				s.Restart()
				s.Mini.Server().SetPreHook(func(p *server.Peer, _ string, _ ...string) bool {
					p.WriteError("LOADING Redis is loading the dataset in memory")
					return true
				})
				ask := asks("key")
				fill(ask)
				if a, err := tryAdmit(db, ask); err != engine.ErrUnavailable {
					t.Errorf("Admit = %+v, %v; want ErrUnavailable", a, err)
				}
				wantOutcome(t, db, replacing(none.Stamp, cartAt(1, "")), engine.Refused, none)
				s.Mini.Server().SetPreHook(nil)
				eventually(t, "it is back", patience, func() bool { a, err := tryAdmit(db, asks("key")); return err == nil && a.Store != nil })
			})
		}
	}
}

// Of a connection that Redis refuses, or closes, nothing is made either: nothing was sent.
func TestARefusedConnectionSentNothing(t *testing.T) {
	alone(t)
	for name, answer := range map[string]func(*server.Peer){
		"loading":        func(p *server.Peer) { p.WriteError("LOADING Redis is loading the dataset in memory") },
		"wrong password": func(p *server.Peer) { p.WriteError("WRONGPASS invalid username-password pair or user is disabled.") },
		"closed":         (*server.Peer).Close,
	} {
		for _, user := range []string{"", "default:password@"} {
			for _, more := range []string{"", "?addr="} {
				t.Run(fmt.Sprint(name, user, more), func(t *testing.T) {
					s := redistest.Mini(t)
					if user != "" {
						s.Mini.RequireUserAuth("default", "password")
					}
					db := node(t, s, func(c *Config) {
						if c.URL = strings.Replace(s.URL(), "://", "://"+user, 1); more != "" {
							c.URL += more + s.Addr()
						}
					})
					theShop().save(t, db)
					admit(t, db, asks("key"))
					s.Restart()
					s.Mini.Server().SetPreHook(func(p *server.Peer, _ string, _ ...string) bool { answer(p); return true })
					for range 2 {
						if a, err := tryAdmit(db, asks("key")); err != engine.ErrUnavailable {
							t.Errorf("Admit = %+v, %v; want ErrUnavailable", a, err)
						}
					}
					if name == "closed" {
						eventually(t, "the node knows", patience, db.Away)
					}
					wantOutcome(t, db, replacing(none.Stamp, cartAt(1, "")), engine.Refused, none)
					s.Mini.Server().SetPreHook(nil)
					eventually(t, "it is back", patience, func() bool { _, err := tryAdmit(db, asks("key")); return err == nil })
				})
			}
		}
	}
}

func TestAStartSaysWhatRedisRefuses(t *testing.T) {
	s := redistest.Mini(t)
	s.Mini.Server().SetPreHook(func(p *server.Peer, _ string, _ ...string) bool {
		p.WriteError("LOADING Redis is loading the dataset in memory")
		return true
	})
	_, err := Open(Config{URL: s.URL(), Timeout: time.Second, Logger: slog.New(slog.DiscardHandler)})
	if err == nil || !strings.Contains(err.Error(), "LOADING") {
		t.Errorf("Open: %v; want the reason", err)
	}
}
