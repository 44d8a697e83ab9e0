//go:build long

package blackbox_test

import (
	"net/http"
	"testing"

	"cartd/internal/redistest"
)

// With --redis-wait no answer reports a write that no replica has: neither the answer to a
// repetition with the same key nor that of another node which reads the commit.
func TestLongNoAnswerReportsAWriteThatReplicasLack(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t) // it has no replica
	files := storeFiles(t, keyWide)
	careless := start(t, options{redis: r.URL(), stores: files}).client(t).withKey(keyWide)
	var careful [2]client
	for i := range careful {
		flags := []string{"--redis-wait", "1", "--request-timeout", "1500ms"}
		env := []string{"CARTD_REDIS_TIMEOUT=500ms"}
		careful[i] = start(t, options{redis: r.URL(), stores: files, flags: flags, env: env}).client(t).withKey(keyWide)
	}
	// On a busy machine the short time-outs may end while nothing is sent yet: 503.
	unknown := func(what string, o outcome, ask func() outcome) {
		t.Helper()
		for range 20 {
			if o.status != http.StatusServiceUnavailable {
				break
			}
			o = ask()
		}
		if o.err != nil || o.status != http.StatusGatewayTimeout {
			t.Errorf("%s: %v (%v), want 504", what, o.answer, o.err)
		}
	}
	path := careless.newCart()
	add := func(i int) outcome { return careful[i].outcome("POST", path+"/lines", addBody(hammer, "1")) }
	for i, o := range together(2, add) {
		unknown([]string{"one of two adds at once", "the other"}[i], o, func() outcome { return add(i) })
	}
	for _, write := range []struct {
		path, body string
		status     int
	}{
		{path + "/lines", addBody(drill, "1"), http.StatusCreated},
		{"commerce/carts", "", http.StatusCreated},
		{careless.newCart() + "/discount", `{"code":"any"}`, http.StatusOK},
	} {
		send := func(i int) outcome { return careful[i].once(retryKey).outcome("POST", write.path, write.body) }
		unknown("a write to "+write.path, send(0), func() outcome { return send(0) })
		for i, o := range together(2, send) {
			unknown("its repetition", o, func() outcome { return send(i) })
		}
		careless.once(retryKey).post(write.path, write.body).wantReplay(write.status)
	}
}
