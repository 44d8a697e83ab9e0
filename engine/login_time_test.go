package engine

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// A refused login takes as long as that of the store's dearest hash that the node has met, whether
// the address is known or not. Other stores' logins do not.
func TestRefusedLoginsTakeTheTimeOfTheDearestHash(t *testing.T) {
	var times loginTimes
	one, other := uuid.UUID{1}, uuid.UUID{2}
	unknown := &commerce.Contact{}
	for i, c := range []struct {
		store uuid.UUID
		hash  string
		want  time.Duration
	}{
		{one, "", loginStep},
		{one, "$argon2id$v=19$m=65536,t=4,p=4$a$b", loginStep},
		{one, "$2b$12$abcdefghijklmnopqrstuv", loginStep},
		{one, "$2b$13$abcdefghijklmnopqrstuv", 2 * loginStep},
		{one, "", 2 * loginStep},
		{one, "$2a$14$abcdefghijklmnopqrstuv", 4 * loginStep},
		{one, "$2b$13$abcdefghijklmnopqrstuv", 4 * loginStep},
		{one, "$2b$31$abcdefghijklmnopqrstuv", 4 * loginStep}, // is not checked
		{other, "", loginStep},
	} {
		if got := times.of(c.store, &commerce.Contact{PasswordHash: c.hash}); got != c.want {
			t.Errorf("%d: %q takes %v, want %v", i, c.hash, got, c.want)
		}
	}
	if got := times.of(one, unknown); got != 4*loginStep || times.of(one, nil) != got {
		t.Errorf("an unknown address takes %v", got)
	}
}
