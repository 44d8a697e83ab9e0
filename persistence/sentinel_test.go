package persistence

import (
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
)

// The URL has the sentinel's password ahead of its address, and the servers' password in the
// query.
func TestPasswordsOfASentinelAndItsServers(t *testing.T) {
	t.Parallel()
	master := redistest.Real(t)
	sentinel := redistest.Sentinel(t, "shops", master)
	for s, user := range map[*redistest.Server][]any{
		master:   {"cartd", "on", ">servers", "allkeys", "allchannels", "allcommands"},
		sentinel: {"watcher", "on", ">sentinels", "allchannels", "allcommands"},
	} {
		if err := s.Client().Do(background, append([]any{"ACL", "SETUSER"}, user...)...).Err(); err != nil {
			t.Fatal(err)
		}
		if err := s.Client().Do(background, "ACL", "SETUSER", "default", "off").Err(); err != nil {
			t.Fatal(err)
		}
	}
	url := "redis://watcher:sentinels@" + sentinel.Addr() + "/0?master_name=shops&username=cartd&password=servers"
	theShop().save(t, node(t, master, func(c *Config) { c.URL = url }))
	for _, wrong := range []string{"watcher:sentinels", "password=servers"} {
		wantNoOpen(t, "without "+wrong, Config{URL: strings.Replace(url, wrong, "", 1), Timeout: time.Second}, "redis cannot be reached")
	}
}
