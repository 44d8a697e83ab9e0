//go:build long

package main_test

import (
	"testing"

	"cartd/internal/redistest"
)

// A node whose Redis has fallen silent stops in time, although its calls may still take
// a minute.
func TestStopIsBoundedWhileRedisIsSilent(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	n := start(t, options{redis: r.URL(), stores: storeFiles(t, keyShop), flags: []string{"--redis-timeout", "1m"}})
	shop := n.client(t)
	path := shop.newCart()
	r.Pause()
	inFlight := shop.begin("POST", path+"/lines", addBody(hammer, "1"))
	shop.get("/v1/ping").wantStatus(200)
	if code := n.terminate(t); code != 0 {
		t.Errorf("exit status %d\n%s", code, n.log)
	}
	<-inFlight
}
