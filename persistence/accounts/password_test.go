package accounts

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"golang.org/x/crypto/bcrypt"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/shoptest"
)

// store is the store of all passwords.
var store = uuid.UUID{1}

func verify(t *testing.T, p *Passwords, hash, password string) bool {
	t.Helper()
	ok, err := p.Verify(store, hash, password, "", shoptest.Soonest())
	if err != nil {
		t.Fatalf("Verify(%q) = %v", hash, err)
	}
	return ok
}

func TestEveryHashMatchesItsPasswordOnly(t *testing.T) {
	shoptest.Alone(t)
	p := NewPasswords(2, 2)
	made, err := p.Hash(store, "päss word ", shoptest.Soonest())
	if err != nil || !strings.HasPrefix(made, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatalf("Hash = %q, %v", made, err)
	}
	other, err := bcrypt.GenerateFromPassword([]byte("päss word "), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	for _, hash := range []string{made, string(other), strings.Replace(string(other), "$2a$", "$2y$", 1)} {
		if !verify(t, p, hash, "päss word ") {
			t.Errorf("%s does not match its password", hash)
		}
		for _, wrong := range []string{"", "päss word", "Päss word "} {
			if verify(t, p, hash, wrong) {
				t.Errorf("%s matches %q", hash, wrong)
			}
		}
	}
	if again, _ := p.Hash(store, "päss word ", shoptest.Soonest()); again == made {
		t.Error("two hashes of a password are the same: there is no salt")
	}
}

// No password matches these hashes, and a check costs no more than the limits.
func TestHashesThatNoPasswordMatches(t *testing.T) {
	shoptest.Alone(t)
	p := NewPasswords(1, 1)
	const salt, key = "c2FsdHNhbHRzYWx0c2FsdA", "a2V5a2V5a2V5a2V5a2V5a2V5a2V5a2V5"
	for _, hash := range []string{
		"", "x", "$2", "$2a$", "$2a$13$" + strings.Repeat("a", 53), "$argon2id$", "$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$",
		"$argon2id$v=18$m=19456,t=2,p=1$" + salt + "$" + key, "$argon2id$v=19$m=19456,t=0,p=1$" + salt + "$" + key,
		"$argon2id$v=19$m=19456,t=2,p=0$" + salt + "$" + key, "$argon2id$v=19$m=999999999,t=2,p=1$" + salt + "$" + key,
		"$argon2id$v=19$m=65537,t=4,p=4$" + salt + "$" + key, "$argon2id$v=19$m=65536,t=5,p=4$" + salt + "$" + key,
		"$argon2id$v=19$m=65536,t=4,p=5$" + salt + "$" + key, "$argon2id$v=19$m=19456,t=2,p=1x$" + salt + "$" + key,
		"$argon2id$v=19$m=19456,t=2,p=1$!$" + key, "$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$!",
		"$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$" + strings.Repeat("A", 400),
	} {
		if check, ok := parseHash(hash); ok || check != nil {
			t.Errorf("parseHash(%q) accepts it", hash)
		}
		if verify(t, p, hash, "") || verify(t, p, hash, "unknownTime's password") {
			t.Errorf("%q matches something", hash)
		}
	}
}

// A password matches in every spelling of its accents, also a hash that another platform
// made of other bytes.
func TestPasswordsAreComparedInNFC(t *testing.T) {
	const nfc, nfd = "pass\u00e9word", "passe\u0301word"
	p := NewPasswords(1, 0)
	made, err := HashPassword(nfd)
	if err != nil {
		t.Fatal(err)
	}
	imported, err := bcrypt.GenerateFromPassword([]byte(nfd), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	for _, hash := range []string{made, string(imported)} {
		for password, want := range map[string]bool{nfc: true, nfd: true, "passeword": false} {
			if ok, err := p.Verify(store, hash, password, "", time.Now().Add(time.Minute)); ok != want || err != nil {
				t.Errorf("%q against %.8s…: %v, %v; want %v", password, hash, ok, err, want)
			}
		}
	}
}

// Of every refusal in a store with dear hashes one hash costs the costliest, and one less.
func TestWorkOfRefusals(t *testing.T) {
	const ten, twelve = commerce.HashCost("$2b$10$"), commerce.HashCost("$2b$12$")
	for _, c := range []struct{ own, costliest, want commerce.HashCost }{
		{"", "", ""},
		{commerce.NewHashCost, commerce.NewHashCost, ""},
		{"$2b$04$", commerce.NewHashCost, ""},
		{"", twelve, twelve},
		{commerce.NewHashCost, twelve, twelve},
		{ten, twelve, twelve},
		{twelve, twelve, commerce.NewHashCost},
		{"$2a$12$", twelve, commerce.NewHashCost},
		{twelve, "", ""},
	} {
		if got := furtherWork(c.own, c.costliest); got != c.want {
			t.Errorf("of a hash of cost %q beside %q: %q, want %q", c.own, c.costliest, got, c.want)
		}
	}
	for _, cost := range []commerce.HashCost{commerce.NewHashCost, "$2b$04$", "$2y$05$", "$argon2id$v=19$m=64,t=1,p=4$"} {
		hash := dummyOf(cost)
		if check, known := parseHash(hash); !known || check("") || check("password") || commerce.HashCostOf(hash) != cost {
			t.Errorf("the dummy of %q is %q, which costs %q", cost, hash, commerce.HashCostOf(hash))
		}
	}
	if made, err := HashPassword("password"); err != nil || commerce.HashCostOf(made) != commerce.NewHashCost {
		t.Errorf("a new hash is %q, %v; want the cost %q", made, err, commerce.NewHashCost)
	}
}

// A check for an unknown account costs the hash of a known one.
func TestUnknownAccountCostsAsMuchAsKnown(t *testing.T) {
	shoptest.Alone(t)
	p := NewPasswords(1, 1)
	if _, ok := parseHash(dummyHash); !ok || !strings.HasPrefix(dummyHash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatalf("the dummy is %q, want a hash of the cost of every new one", dummyHash)
	}
	known, err := p.Hash(store, "password", shoptest.Soonest())
	if err != nil {
		t.Fatal(err)
	}
	dear, err := bcrypt.GenerateFromPassword([]byte("password"), 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, hashes := range [][]string{{known, ""}, {string(dear), known, ""}} {
		costliest := commerce.HashCostOf(hashes[0])
		times := make([]time.Duration, len(hashes)) // the shortest of several checks; more while other work slows them down
		shoptest.Eventually(t, "all take as long", shoptest.Patience, func() bool {
			for range 3 {
				for i, hash := range hashes {
					start := time.Now()
					if ok, err := p.Verify(store, hash, "wrong", costliest, shoptest.Soonest()); ok || err != nil {
						t.Fatalf("Verify = %v, %v", ok, err)
					}
					if took := time.Since(start); times[i] == 0 || took < times[i] {
						times[i] = took
					}
				}
			}
			return slices.Max(times) < 2*slices.Min(times)
		})
		t.Log(costliest, times)
	}
}

// The pool is bounded. A store's caller that finds it full is refused at once, and one that waits is
// refused at its deadline. A finished caller makes room for the next.
func TestFullPoolRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPasswords(1, 1)
		release := make(chan struct{})
		go func() {
			if err := p.run(store, shoptest.Soonest(), func() { <-release }); err != nil {
				t.Errorf("the first: %v", err)
			}
		}()
		synctest.Wait()
		if err := p.run(store, time.Now().Add(-time.Second), func() { t.Error("worked after its deadline") }); err != engine.PasswordsFull {
			t.Errorf("at its deadline: %v", err)
		}
		go func() {
			if err := p.run(store, shoptest.Soonest(), func() {}); err != nil {
				t.Errorf("the one that waits: %v", err)
			}
		}()
		synctest.Wait()
		if _, err := p.Hash(store, "x", shoptest.Soonest()); err != engine.PasswordsFull {
			t.Errorf("a hash too many: %v", err)
		}
		if _, err := p.Verify(store, "", "x", "", shoptest.Soonest()); err != engine.PasswordsFull {
			t.Errorf("a check too many: %v", err)
		}
		close(release)
		synctest.Wait()
		if err := p.run(store, time.Now(), func() {}); err != nil || p.turns.Users(store) != 0 {
			t.Errorf("afterwards: %v, %d callers are still there", err, p.turns.Users(store))
		}
	})
}

// However many passwords of a store wait, one of another store is next but for the work that is under way.
func TestStoresTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const workers, guesses = 2, 120
		p, other := NewPasswords(workers, workers*WaitingForHash), uuid.UUID{2}
		var order []uuid.UUID
		var mu sync.Mutex
		release, refused := make(chan struct{}), 0
		check := func(of uuid.UUID) {
			err := p.run(of, shoptest.Soonest(), func() {
				mu.Lock()
				order = append(order, of)
				mu.Unlock()
				<-release
			})
			if err != nil {
				mu.Lock()
				refused++
				mu.Unlock()
			}
		}
		for range guesses {
			go check(store)
		}
		synctest.Wait()
		for range workers {
			go check(other)
		}
		synctest.Wait()
		for range workers + workers {
			release <- struct{}{}
			synctest.Wait()
		}
		for _, of := range order[workers : 2*workers] {
			if of != other {
				t.Errorf("the order of work is %v; want the other store's %d after the %d that were under way", order, workers, workers)
				break
			}
		}
		close(release)
		synctest.Wait()
		const want = workers + workers*WaitingForHash
		if len(order) != want+workers || refused != guesses-want {
			t.Errorf("%d worked and %d were refused, want %d and %d", len(order), refused, want+workers, guesses-want)
		}
	})
}

func FuzzParseHash(f *testing.F) {
	f.Add("$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$a2V5a2V5")
	f.Add("$2a$04$abcdefghijklmnopqrstuuZ0Z0Z0Z0Z0Z0Z0Z0Z0Z0Z0Z0Z0Z0Z0Z")
	f.Fuzz(func(t *testing.T, text string) {
		if check, ok := parseHash(text); ok != (check != nil) {
			t.Errorf("parseHash(%q) = %v without saying so", text, ok)
		}
	})
}
