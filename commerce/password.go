package commerce

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MinPassword is the minimum number of code points in a password.
const MinPassword = 8

// NewPassword checks a new password.
func (f *Faults) NewPassword(field, text string) {
	if utf8.RuneCountInString(text) < MinPassword {
		f.Add(field, MsgMinCharacters(field, MinPassword))
	}
}

// ChangePassword replaces the password that the contact has just proved to know. It ends all
// sessions except its own.
type ChangePassword struct {
	// Verified is the hash that the given password matched. Hash is the hash of the new password.
	Verified, Hash string
}

func (ChangePassword) Locate(*Contact) *Refusal { return nil }

func (p ChangePassword) Apply(next *Contact, in *Input) (Effects, *Refusal) {
	if next.PasswordHash != p.Verified { // changed meanwhile
		return Effects{}, PasswordIncorrect
	}
	ended := in.Visitor.Session
	next.setPassword(p.Hash)
	kept := ended
	kept.Number = next.Session
	return Effects{Session: &SessionMove{From: ended, To: kept}}, nil
}

// RehashPassword replaces the hash of a password that is the same. Sessions and resets stay.
type RehashPassword struct{ Verified, Hash string }

func (RehashPassword) Locate(*Contact) *Refusal { return nil }

func (p RehashPassword) Apply(next *Contact, _ *Input) (Effects, *Refusal) {
	if next.PasswordHash != p.Verified { // changed meanwhile
		return Effects{}, PasswordIncorrect
	}
	next.PasswordHash = p.Hash
	return Effects{}, nil
}

// setPassword sets a hash and ends all sessions and all resets. The resets still count for
// MaxResets.
func (c *Contact) setPassword(hash string) {
	c.PasswordHash = hash
	c.Resets = slices.Clone(c.Resets)
	for i := range c.Resets {
		c.Resets[i].Hash = KeyHash{}
	}
	c.Session++
}

// The maximum cost of a password hash. A login does not check a costlier one, because anyone who tries
// a password makes a node do this work.
const (
	MaxBcryptCost  = 12
	MaxArgonMemory = 64 * 1024 // KiB
	MaxArgonPasses = 4
	MaxArgonLanes  = 4
)

// BcryptCost reads the cost in a bcrypt hash: $2b$12$…; 0 if the text is none.
func BcryptCost(hash string) int {
	fields := strings.SplitN(hash, "$", 4)
	if !strings.HasPrefix(hash, "$2") || len(fields) < 4 {
		return 0
	}
	cost, _ := strconv.Atoi(fields[2])
	return cost
}

// HashCost is what a check of a hash costs: the start of the hash, up to its salt; empty if the hash is
// not checked.
type HashCost string

// NewHashCost is the cost of new hashes: argon2id with 19 MiB, two passes, one lane (OWASP's first choice).
const NewHashCost HashCost = "$argon2id$v=19$m=19456,t=2,p=1$"

// HashCostOf reads the cost in a hash.
func HashCostOf(hash string) HashCost {
	if cost := BcryptCost(hash); cost > 0 && cost <= MaxBcryptCost && len(hash) > bcryptCostEnd {
		return HashCost(hash[:bcryptCostEnd])
	}
	fields := strings.SplitAfterN(hash, "$", 5) // "$", "argon2id$", "v=19$", "m=…,t=…,p=…$", salt and key
	if len(fields) != 5 || fields[1] != "argon2id$" {
		return ""
	}
	if cost, ok := ParseArgonCost(strings.TrimSuffix(fields[3], "$")); !ok || !cost.WithinLimits() {
		return ""
	}
	return HashCost(strings.Join(fields[:4], ""))
}

// bcryptCostEnd is the length of the cost in a bcrypt hash: $2b$12$.
const bcryptCostEnd = 7

// bcryptWork is the work of a bcrypt hash of cost 0, in passes over a KiB of argon2id. Measured in processor time:
// bcrypt takes 47 to 73 µs × 2^cost, argon2id 0.65 to 1.8 µs × KiB × passes, the more the busier the memory is and
// whatever the lanes are. So a pass over a KiB is 1/41 to 1/72 of it; 50 ranks argon2id with 64 MiB and four passes
// (0.47 s) above bcrypt 12 (0.30 s): docs/decisions.md, Hashes beyond.
const bcryptWork = 50

// work is the work of a check, in passes over a KiB.
func (c HashCost) work() int {
	if n := BcryptCost(string(c)); n > 0 {
		return bcryptWork << n
	}
	fields := strings.Split(string(c), "$")
	if len(fields) < 4 {
		return 0
	}
	cost, _ := ParseArgonCost(fields[3])
	return int(cost.Memory * cost.Passes)
}

// Exceeds reports whether a check costs more than another one.
func (c HashCost) Exceeds(other HashCost) bool { return c.work() > other.work() }

// ArgonCost is the cost of an argon2id hash.
type ArgonCost struct{ Memory, Passes, Lanes uint32 }

// ParseArgonCost reads the cost in a hash: m=19456,t=2,p=1. Numbers beyond 32 bits are cut off. It
// returns false if the text is no cost.
func ParseArgonCost(text string) (c ArgonCost, ok bool) {
	fields := strings.SplitN(text, ",", 4)
	if len(fields) != 3 {
		return ArgonCost{}, false
	}
	for i, part := range []struct {
		name  string
		value *uint32
	}{{"m=", &c.Memory}, {"t=", &c.Passes}, {"p=", &c.Lanes}} {
		digits, named := strings.CutPrefix(fields[i], part.name)
		n, err := strconv.ParseUint(digits, 10, 32)
		if !named || errors.Is(err, strconv.ErrSyntax) {
			return ArgonCost{}, false
		}
		*part.value = uint32(n)
	}
	return c, true
}

// WithinLimits reports whether a hash of this cost is accepted.
func (c ArgonCost) WithinLimits() bool {
	return c.Memory <= MaxArgonMemory && c.Passes <= MaxArgonPasses && c.Lanes <= MaxArgonLanes
}
