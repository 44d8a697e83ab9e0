package persistence

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/alicebob/miniredis/v2/server"

	"cartd/commerce"
	"cartd/internal/redistest"
)

// A server that carries a commit out, dies before it answers and then starts again: the
// commit may have been done, so it is not refused, and is not sent again behind our back.
func TestACommitIsSentOnceWhateverTheLink(t *testing.T) {
	for name, more := range map[string]string{"single": "", "cluster": "?addr="} {
		t.Run(name, func(t *testing.T) {
			s := redistest.Mini(t)
			db := node(t, s, func(c *Config) {
				if more != "" {
					c.URL = s.URL() + more + s.Addr()
				}
			})
			theShop().save(t, db)
			var sent atomic.Int32
			s.Mini.Server().SetPreHook(func(p *server.Peer, cmd string, args ...string) bool {
				switch {
				case !strings.EqualFold(cmd, "EVALSHA") || args[0] != commitScript.Hash():
					return false
				case sent.Add(1) == 1:
					p.Close()
				default:
					p.WriteError("LOADING Redis is loading the dataset in memory")
				}
				return true
			})
			wantOutcome(t, db, replacing(none.Stamp, cartAt(1, "")), commerce.Unknown, none)
			if n := sent.Load(); n != 1 {
				t.Errorf("the commit was sent %d times", n)
			}
		})
	}
}
