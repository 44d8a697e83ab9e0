package accounts

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/bcrypt"
	"golang.org/x/text/unicode/norm"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/turns"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

// Passwords hashes and checks passwords, of all stores a few at a time, because that costs much time and
// memory.
type Passwords struct{ turns *turns.Turns }

// WaitingForHash is the maximum number of requests of a store, for each worker, that wait for a password
// hash. The next request of the store is answered 503.
const WaitingForHash = 32

// NewPasswords makes a pool in which workers callers work, all of one store if no other has one, and of
// each store waiting more wait.
func NewPasswords(workers, waiting int) *Passwords {
	return &Passwords{turns.New(workers, workers, waiting)}
}

// Hash returns the argon2id text of a new password. Errors: PasswordsFull if too many requests of the
// store wait, or if the deadline passes first.
func (p *Passwords) Hash(store uuid.UUID, password string, deadline time.Time) (hash string, err error) {
	poolErr := p.run(store, deadline, func() { hash, err = HashPassword(password) })
	if poolErr != nil {
		return "", poolErr
	}
	return hash, err
}

// Verify reports whether a password matches a hash. An empty hash, or one that cannot be read,
// costs the work of a new one and matches nothing. If the password does not match, Verify also does the
// work of the costliest cost, so that it takes as long for every hash. Errors: PasswordsFull, as Hash.
func (p *Passwords) Verify(store uuid.UUID, hash, password string, costliest commerce.HashCost, deadline time.Time) (ok bool, err error) {
	err = p.run(store, deadline, func() {
		check, known := parseHash(hash)
		if !known {
			check, _ = parseHash(dummyHash)
		}
		for _, spelling := range spellings(password) {
			ok = check(spelling) && known || ok
		}
		if also := furtherWork(commerce.HashCostOf(hash), costliest); also != "" && !ok {
			check, _ = parseHash(dummyOf(also))
			for _, spelling := range spellings(password) {
				check(spelling)
			}
		}
	})
	return ok, err
}

// furtherWork is the cost of the second hash of a refusal, in a store with dearer hashes than new ones:
// of each refusal one hash costs the costliest, the other one less. Empty for no second hash.
func furtherWork(own, costliest commerce.HashCost) commerce.HashCost {
	switch {
	case !costliest.Exceeds(commerce.NewHashCost):
		return ""
	case costliest.Exceeds(own):
		return costliest
	}
	return commerce.NewHashCost
}

// run does work in the turn of a store.
func (p *Passwords) run(store uuid.UUID, deadline time.Time, work func()) error {
	if !p.turns.Begin(store, deadline) {
		return engine.PasswordsFull
	}
	defer p.turns.End(store)
	work()
	return nil
}

// Cost of argon2id: 19 MiB, two passes, one lane (OWASP's first choice).
const (
	argonMemory  = 19 * 1024
	argonPasses  = 2
	argonLanes   = 1
	argonKeySize = 32
)

// maxArgonKeySize is the max size of a checked hash's key or salt, in bytes.
const maxArgonKeySize = 128

// dummyHash costs as much as a new hash, and matches nothing.
var dummyHash = dummyOf(commerce.NewHashCost)

// dummyOf is a hash of a cost that matches nothing: its key is zeros.
func dummyOf(cost commerce.HashCost) string {
	if commerce.BcryptCost(string(cost)) > 0 {
		return string(cost) + strings.Repeat(".", bcryptRest)
	}
	b64 := base64.RawStdEncoding
	return string(cost) + b64.EncodeToString(make([]byte, 16)) + "$" + b64.EncodeToString(make([]byte, argonKeySize))
}

// bcryptRest is the length of a bcrypt hash's salt and key.
const bcryptRest = 53

// HashPassword returns the usual $argon2id$… text of a clear-text password, which counts in NFC.
func HashPassword(password string) (string, error) {
	var salt [16]byte
	if _, err := rand.Read(salt[:]); err != nil {
		return "", err
	}
	key := argon2.IDKey([]byte(norm.NFC.String(password)), salt[:], argonPasses, argonMemory, argonLanes, argonKeySize)
	return argonText(salt[:], key), nil
}

func argonText(salt, key []byte) string {
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version,
		argonMemory, argonPasses, argonLanes, b64.EncodeToString(salt), b64.EncodeToString(key))
}

// spellings are the texts that a stored hash may have been made of: the password in NFC, as it was
// sent, and in NFD. Texts without accents have one.
func spellings(password string) []string {
	all := []string{norm.NFC.String(password), password, norm.NFD.String(password)}
	slices.Sort(all)
	return slices.Compact(all)
}

// parseHash returns the check of a bcrypt or argon2id text. It returns false for any other
// text, or if the cost exceeds the limits of commerce. Such an account cannot log in.
func parseHash(text string) (check func(password string) bool, ok bool) {
	if strings.HasPrefix(text, "$argon2id$") {
		return parseArgon(text)
	}
	cost, err := bcrypt.Cost([]byte(text))
	if err != nil || cost > commerce.MaxBcryptCost {
		return nil, false
	}
	return func(password string) bool {
		return bcrypt.CompareHashAndPassword([]byte(text), []byte(password)) == nil
	}, true
}

func parseArgon(text string) (check func(password string) bool, ok bool) {
	fields := strings.Split(text, "$") // "", argon2id, v=19, m=…,t=…,p=…, salt, key
	if len(fields) != 6 || fields[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return nil, false
	}
	cost, ok := commerce.ParseArgonCost(fields[3])
	if !ok || !cost.WithinLimits() || cost.Passes < 1 || cost.Lanes < 1 {
		return nil, false
	}
	salt, saltErr := base64.RawStdEncoding.DecodeString(strings.TrimRight(fields[4], "="))
	key, keyErr := base64.RawStdEncoding.DecodeString(strings.TrimRight(fields[5], "="))
	if saltErr != nil || keyErr != nil || len(key) == 0 || len(key) > maxArgonKeySize || len(salt) > maxArgonKeySize {
		return nil, false
	}
	return func(password string) bool {
		got := argon2.IDKey([]byte(password), salt, cost.Passes, cost.Memory, uint8(cost.Lanes), uint32(len(key)))
		return subtle.ConstantTimeCompare(got, key) == 1
	}, true
}

// sampled is the number of accounts of a sample.
const sampled = 16

// SampleHashes is part of engine.Storage. It takes two round trips.
func (a *Accounts) SampleHashes(store uuid.UUID, deadline time.Time) ([]string, error) {
	customers := CustomersKey(store)
	found, err := a.client.ReadAll([]*redisdb.Call{redisdb.KeyCall("SRANDMEMBER", customers, sampled)}, deadline)
	if err != nil {
		return nil, err
	}
	ids, _ := found[0].([]any)
	calls := make([]*redisdb.Call, len(ids))
	for i, id := range ids {
		text, _ := id.(string)
		calls[i] = redisdb.KeyCall("GET", records.ContactPrefix(store)+text)
	}
	texts, err := a.client.ReadAll(calls, deadline)
	if err != nil {
		return nil, err
	}
	var hashes []string
	for _, text := range texts {
		text, _ := text.(string)
		if contact, err := records.Contacts.Decode(engine.RecordKey{Store: store}, text); err == nil { // a broken one is reported where it is needed
			hashes = append(hashes, contact.State.PasswordHash)
		}
	}
	return hashes, nil
}
