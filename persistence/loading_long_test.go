//go:build long

package persistence

import (
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/google/uuid"

	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/internal/shoptest"
)

// Redis refuses or closes a connection, as one does that still loads its file. Then nothing was
// sent, for every request and however much the node knows.
func TestLongRefusedConnectionSentNothing(t *testing.T) {
	shoptest.Alone(t)
	at := engine.Stamp{Counter: 1, Writer: 1, Sequence: 1}
	loading := func(p *server.Peer) { p.WriteError("LOADING Redis is loading the dataset in memory") }
	wrong := func(p *server.Peer) { p.WriteError("WRONGPASS invalid username-password pair or user is disabled.") }
	plain := func(*engine.Request) {}
	ofCart := func(a *engine.Request) { a.CartID = keyOf(cartAt(1, "")).ID }
	for _, c := range []struct {
		name    string
		answer  func(*server.Peer)
		user    string
		cluster bool
		knows   bool // store and cart
		asks    func(*engine.Request)
	}{
		{"loading", loading, "", false, true, plain},
		{"loading, with a password", loading, "default:password@", false, true, plain},
		{"loading, a cluster with a password", loading, "default:password@", true, true, plain},
		{"loading, a new node", loading, "", false, false, plain},
		{"loading, a token", loading, "", false, true, func(a *engine.Request) { a.Token = secret("token") }},
		{"loading, a cart", loading, "", true, true, ofCart},
		{"loading, a cart of a new node", loading, "", false, false, ofCart},
		// one that has less time than Redis may take is sent by the flusher's own goroutine
		{"loading, a cart, little time", loading, "", false, true, func(a *engine.Request) { ofCart(a); a.Deadline = time.Now().Add(silence) }},
		{"wrong password", wrong, "default:password@", false, true, plain},
		{"wrong password, a cluster", wrong, "default:password@", true, true, plain},
		{"closed", (*server.Peer).Close, "", false, true, plain},
		{"closed, a cluster", (*server.Peer).Close, "", true, true, plain},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := redistest.Mini(t)
			if c.user != "" {
				s.Mini.RequireUserAuth("default", "password")
			}
			db := node(t, s, func(config *Config) {
				if config.URL = strings.Replace(s.URL(), "://", "://"+c.user, 1); c.cluster {
					config.URL += "?addr=" + s.Addr()
				}
				config.ResidentCart = func(engine.RecordKey) *engine.CartRecord {
					if c.knows {
						return &engine.CartRecord{Stamp: at}
					}
					return nil
				}
			})
			shop := theShop()
			shop.Customers = []object{{"id": uuid.New(), "email": "a@b.example", "tokens": []object{inAnHour("token")}}}
			shop.save(t, db)
			if c.knows {
				admit(t, db, asks("key"))
			}
			s.Restart()
			s.Mini.Server().SetPreHook(func(p *server.Peer, _ string, _ ...string) bool { c.answer(p); return true })
			for range 2 {
				ask := asks("key")
				c.asks(ask)
				if a, err := tryAdmit(db, ask); err != engine.ErrUnavailable {
					t.Errorf("Admit = %+v, %v; want ErrUnavailable", a, err)
				}
			}
			if strings.HasPrefix(c.name, "closed") {
				eventually(t, "the node knows", patience, db.Away)
			}
			wantOutcome(t, db, replacing(none.Stamp, cartAt(1, "")), engine.Refused, none)
			s.Mini.Server().SetPreHook(nil)
			eventually(t, "it is back", patience, func() bool { a, err := tryAdmit(db, asks("key")); return err == nil && a.Store != nil })
		})
	}
}
