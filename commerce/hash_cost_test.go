package commerce

import "testing"

// The costs of hashes, from the cheapest to the dearest. Those that are not checked cost nothing.
func TestHashCosts(t *testing.T) {
	const salt = "abcdefghijklmnopqrstuv"
	previous := HashCost("")
	for _, c := range []struct{ hash, cost string }{
		{"$2b$04$" + salt, "$2b$04$"},
		{"$2y$08$" + salt, "$2y$08$"},
		{string(NewHashCost) + salt + "$" + salt, string(NewHashCost)},
		{"$2a$10$" + salt, "$2a$10$"},
		{"$argon2id$v=19$m=65536,t=4,p=4$" + salt + "$" + salt, "$argon2id$v=19$m=65536,t=4,p=4$"},
		{"$2b$12$" + salt, "$2b$12$"},
		{"$2b$14$" + salt, "$2b$14$"},
	} {
		got := HashCostOf(c.hash)
		if string(got) != c.cost || !got.Exceeds(previous) || previous.Exceeds(got) || got.Exceeds(got) {
			t.Errorf("%s costs %q, more than %q: %v", c.hash, got, previous, got.Exceeds(previous))
		}
		previous = got
	}
	for _, hash := range []string{"", "x", "$2b$15$" + salt, "$2b$", "$argon2id$", "$argon2i$v=19$m=8,t=1,p=1$a$b", "$argon2id$v=19$m=65537,t=1,p=1$a$b",
		"$argon2id$v=19$m=8$a$b"} {
		if got := HashCostOf(hash); got != "" || got.Exceeds("") {
			t.Errorf("%q costs %q, want nothing", hash, got)
		}
	}
}

// A password that is hashed anew is the same password: sessions and resets stay.
func TestRehashedPassword(t *testing.T) {
	c := &Contact{PasswordHash: "old", Session: 3, Resets: []PasswordReset{{Hash: KeyHash{1}}}}
	if _, refusal := (RehashPassword{Verified: "other", Hash: "new"}).Apply(c, &Input{}); refusal != PasswordIncorrect || c.PasswordHash != "old" {
		t.Errorf("a password that was changed meanwhile: %v, %q", refusal, c.PasswordHash)
	}
	effects, refusal := RehashPassword{Verified: "old", Hash: "new"}.Apply(c, &Input{})
	if refusal != nil || effects != (Effects{}) || c.PasswordHash != "new" || c.Session != 3 || c.Resets[0].Hash != (KeyHash{1}) {
		t.Errorf("%v, %+v: the contact is %+v", refusal, effects, c)
	}
}
