package storefile

import (
	"crypto/sha256"
	"encoding/hex"

	"cartd/commerce"
)

// apiKey reads one key. Spec: API key.
func (d *document) apiKey(f field) commerce.APIKey {
	o := f.object()
	defer o.close()
	return commerce.APIKey{
		Name:    o.required("name").uniqueName(&d.keyNames),
		Hash:    secret(o, "key", "key_sha256", &d.keyHashes),
		Scopes:  scopes(o.required("scopes")),
		Revoked: o.get("revoked").boolean(false),
	}
}

// scopes reads a set of scopes. Spec: Scopes named.
func scopes(f field) (set commerce.Scopes) {
	for item := range f.items() {
		name, ok := item.str()
		if !ok {
			continue
		}
		scope, ok := commerce.ParseScope(name)
		if !ok {
			item.unknown(ofShape, "is not a known scope", commerce.AllScopes().Names())
			continue
		}
		set = set.With(scope)
	}
	return set
}

// secret reads a secret that is given in clear text or as its SHA-256 in hex. It returns the hash,
// which must be unique.
func secret(o object, clear, hashed string, in *register[[sha256.Size]byte]) (hash commerce.KeyHash) {
	text, sum := o.get(clear), o.get(hashed)
	clearText, given := text.text(), sum.hash()
	switch {
	case !o.exactlyOne(clear, hashed):
	case clearText != "":
		hash = commerce.HashSecret([]byte(clearText))
		in.unique(text, hash)
	case given != nil:
		hash = *given
		in.unique(sum, hash)
	}
	return hash
}

// hash reads a SHA-256 in hex, nil if it is absent or was refused.
func (f field) hash() *commerce.KeyHash {
	if f.absent() {
		return nil
	}
	decoded, err := hex.DecodeString(f.raw.Text())
	if err != nil || len(decoded) != sha256.Size {
		f.mustBe(aHash)
		return nil
	}
	hash := commerce.KeyHash(decoded)
	return &hash
}
