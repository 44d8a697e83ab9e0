package blackbox_test

import (
	"net/http"
	"testing"

	"cartd/internal/redistest"
)

// serveFiles is serve for store files of the test's own.
func serveFiles(t *testing.T, files ...string) client {
	t.Helper()
	return start(t, options{redis: redistest.Mini(t).URL(), stores: files}).client(t)
}

// access is the status of a read with each token.
type access struct {
	token  string
	status int
}

func (c client) wantAccess(path string, all ...access) {
	c.t.Helper()
	for _, a := range all {
		got := c.withToken(a.token).get(path).wantStatus(a.status)
		if a.status == http.StatusForbidden {
			got.want(http.StatusForbidden, cartOwned)
		}
	}
}

// everyToken: each token may see a cart without an account.
var everyToken = []access{{"", 200}, {tokenAda, 200}, {tokenTess, 200}, {tokenExpired, 200}, {"no such token", 200}}
