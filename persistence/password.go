package persistence

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/bcrypt"
)

// Cost of argon2id: 19 MiB, two passes, one lane (OWASP's first choice).
const (
	argonMemory  = 19 * 1024
	argonPasses  = 2
	argonLanes   = 1
	argonKeySize = 32
)

// The dearest hashes that are checked; an account with a dearer one cannot log in.
const (
	maxArgonMemory  = 256 * 1024 // KiB
	maxArgonPasses  = 16
	maxArgonKeySize = 128 // bytes, of key and salt
	maxBcryptCost   = 14
)

// hashPassword returns the usual $argon2id$… text of a clear-text password.
func hashPassword(password string) (string, error) {
	var salt [16]byte
	if _, err := rand.Read(salt[:]); err != nil {
		return "", err
	}
	key := argon2.IDKey([]byte(password), salt[:], argonPasses, argonMemory, argonLanes, argonKeySize)
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version,
		argonMemory, argonPasses, argonLanes, b64.EncodeToString(salt[:]), b64.EncodeToString(key)), nil
}

// parseHash returns the check of a bcrypt or argon2id text. False: it is neither, or
// too dear.
func parseHash(text string) (check func(password string) bool, ok bool) {
	if strings.HasPrefix(text, "$argon2id$") {
		return parseArgon(text)
	}
	cost, err := bcrypt.Cost([]byte(text))
	if err != nil || cost > maxBcryptCost {
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
	var memory, passes uint32
	var lanes uint8
	if n, err := fmt.Sscanf(fields[3]+"$", "m=%d,t=%d,p=%d$", &memory, &passes, &lanes); n != 3 || err != nil {
		return nil, false
	}
	salt, saltErr := base64.RawStdEncoding.DecodeString(strings.TrimRight(fields[4], "="))
	key, keyErr := base64.RawStdEncoding.DecodeString(strings.TrimRight(fields[5], "="))
	cheap := memory <= maxArgonMemory && passes <= maxArgonPasses && len(key) <= maxArgonKeySize && len(salt) <= maxArgonKeySize
	if saltErr != nil || keyErr != nil || !cheap || passes < 1 || lanes < 1 || len(key) == 0 {
		return nil, false
	}
	return func(password string) bool {
		got := argon2.IDKey([]byte(password), salt, passes, memory, lanes, uint32(len(key)))
		return subtle.ConstantTimeCompare(got, key) == 1
	}, true
}
