package commerce

import (
	"math"
	"testing"
)

func TestParseArgonCost(t *testing.T) {
	for text, want := range map[string]ArgonCost{
		"m=19456,t=2,p=1":                           {19456, 2, 1},
		"m=065536,t=4,p=4":                          {65536, 4, 4},
		"m=99999999999999999999,t=4294967296,p=256": {math.MaxUint32, math.MaxUint32, 256},
	} {
		if got, ok := ParseArgonCost(text); !ok || got != want {
			t.Errorf("ParseArgonCost(%q) = %+v, %t; want %+v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "m=1,t=1", "m=1,t=1,p=1,keyid=x", "t=1,m=1,p=1", "m=1,t=1,p=", "m=1,t=1,p=1x", "m=+1,t=1,p=1", "m=-1,t=1,p=1",
		"m= 1,t=1,p=1", "1,1,1"} {
		if got, ok := ParseArgonCost(text); ok {
			t.Errorf("ParseArgonCost(%q) = %+v, want none", text, got)
		}
	}
}

func TestWithinLimits(t *testing.T) {
	for c, want := range map[ArgonCost]bool{
		{64 * 1024, 4, 4}: true, {64*1024 + 1, 4, 4}: false, {64 * 1024, 5, 4}: false, {64 * 1024, 4, 5}: false,
	} {
		if got := c.WithinLimits(); got != want {
			t.Errorf("%+v is within the limits: %t, want %t", c, got, want)
		}
	}
}

// The costs of hashes, from the cheapest to the costliest. Those that are not checked cost nothing.
func TestHashCosts(t *testing.T) {
	const salt = "abcdefghijklmnopqrstuv"
	previous := HashCost("")
	for _, c := range []struct{ hash, cost string }{
		{"$2b$04$" + salt, "$2b$04$"},
		{"$2y$08$" + salt, "$2y$08$"},
		{string(NewHashCost) + salt + "$" + salt, string(NewHashCost)},
		{"$2a$10$" + salt, "$2a$10$"},
		{"$2b$12$" + salt, "$2b$12$"},
		{"$argon2id$v=19$m=65536,t=4,p=4$" + salt + "$" + salt, "$argon2id$v=19$m=65536,t=4,p=4$"},
	} {
		got := HashCostOf(c.hash)
		if string(got) != c.cost || !got.Exceeds(previous) || previous.Exceeds(got) || got.Exceeds(got) {
			t.Errorf("%s costs %q, more than %q: %v", c.hash, got, previous, got.Exceeds(previous))
		}
		previous = got
	}
	for _, hash := range []string{"", "x", "$2b$13$" + salt, "$2b$", "$argon2id$", "$argon2i$v=19$m=8,t=1,p=1$a$b", "$argon2id$v=19$m=65537,t=1,p=1$a$b",
		"$argon2id$v=19$m=8$a$b"} {
		if got := HashCostOf(hash); got != "" || got.Exceeds("") {
			t.Errorf("%q costs %q, want nothing", hash, got)
		}
	}
}

// The ranking agrees with the processor time that checks were measured to take on one machine, in milliseconds, for
// every pair of which one takes half as long again. Beside the hash of 64 MiB and four passes, bcrypt 12 was the
// cheaper one where memory is busy (300 of 470 ms).
func TestHashCostsAreRankedAsMeasured(t *testing.T) {
	const dearArgon HashCost = "$argon2id$v=19$m=65536,t=4,p=1$"
	measured := []struct {
		cost HashCost
		ms   float64
	}{
		{"$2b$08$", 11.8}, {"$2b$10$", 49.6}, {"$2b$11$", 95.6}, {"$2b$12$", 190},
		{"$argon2id$v=19$m=4096,t=1,p=1$", 2.1}, {"$argon2id$v=19$m=8192,t=4,p=1$", 13.3}, {NewHashCost, 25.3},
		{"$argon2id$v=19$m=32768,t=2,p=1$", 36.2}, {"$argon2id$v=19$m=65536,t=1,p=1$", 53.6}, {"$argon2id$v=19$m=65536,t=1,p=4$", 43.8},
		{dearArgon, 183}, {"$argon2id$v=19$m=65536,t=4,p=4$", 169},
	}
	pairs := 0
	for _, a := range measured {
		for _, b := range measured {
			if a.ms < 1.5*b.ms {
				continue
			}
			if pairs++; !a.cost.Exceeds(b.cost) || b.cost.Exceeds(a.cost) {
				t.Errorf("%s takes %.1f ms, %s %.1f, and is not ranked above it", a.cost, a.ms, b.cost, b.ms)
			}
		}
	}
	if !dearArgon.Exceeds("$2b$12$") || pairs < 40 {
		t.Errorf("bcrypt 12 is ranked above 64 MiB with four passes; %d pairs", pairs)
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
