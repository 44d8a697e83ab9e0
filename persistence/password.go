package persistence

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"

	"golang.org/x/crypto/argon2"
)

// Cost of argon2id: 19 MiB, two passes, one lane (OWASP's first choice).
const (
	argonMemory  = 19 * 1024
	argonPasses  = 2
	argonLanes   = 1
	argonKeySize = 32
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
