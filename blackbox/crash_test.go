package blackbox_test

import (
	"net/http"
	"testing"

	"cartd/internal/redistest"
)

// durable starts a Redis with the documented profile: every answered write is on its disk.
func durable(t *testing.T) *redistest.Server {
	t.Helper()
	return redistest.Real(t, "--appendonly", "yes", "--appendfsync", "always")
}

// fill makes a cart with a value in every field and returns its path.
func (c client) fill() string {
	c.t.Helper()
	path := c.newCart()
	c.add(path, hammer, "2")
	c.add(path, cable, "2.345")
	c.add(path, gloves, "1", variant(glovesM))
	c.patch(path, `{"email":"new@example.com","metadata":{"n":1.10,"s":"x","nothing":null}}`).wantStatus(http.StatusOK)
	return path
}
