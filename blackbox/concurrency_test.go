package blackbox_test

import (
	"testing"

	"cartd/internal/redistest"
)

// pair starts two nodes on one Redis with the stores of these keys.
func pair(t *testing.T, r *redistest.Server, keys ...string) [2]client {
	t.Helper()
	files := storeFiles(t, keys...)
	var clients [2]client
	for i := range clients {
		clients[i] = start(t, options{redis: r.URL(), stores: files}).client(t).withKey(keys[0])
	}
	return clients
}
