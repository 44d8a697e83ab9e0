package storefile

import (
	"crypto/sha256"
	"encoding/hex"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
)

// apiKey is one key. Spec: API key.
var apiKey = exportedKind("api_key",
	field.Required("name", uniqueName(func(d *document) *register[string] { return &d.keyNames }), "", func(k *commerce.APIKey) *string { return &k.Name }),
	described[commerce.APIKey]("key", marked(text, confidential), "In clear text."),
	field.IfSet("key_sha256", writtenHash, "", func(k *commerce.APIKey) *commerce.KeyHash { return &k.Hash }),
	eitherOf("key", "key_sha256", func(d *document, o value, k *commerce.APIKey) { k.Hash = secret(o, "key", "key_sha256", &d.keyHashes) }),
	field.Required("scopes", written(setOf("scope", commerce.AllScopes(), commerce.ParseScope), func(s commerce.Scopes) any { return s.Names() }), "",
		func(k *commerce.APIKey) *commerce.Scopes { return &k.Scopes }),
	field.Optional("revoked", boolean(false), "", func(k *commerce.APIKey) *bool { return &k.Revoked }),
	field.Optional("client_limit", exempting, "False for the key of a merchant's own server: `store.limits.per_client` is not for its requests.",
		func(k *commerce.APIKey) *bool { return &k.NoClientLimit }),
)

// exempting is the kind of true and false that an export writes only if it is false. The value is true then.
var exempting = func() kind[bool] {
	k := zero(judged(openapi.Boolean, func(f value) bool { return !f.boolean(true) }), true)
	k.Omit = func(exempt bool) bool { return !exempt }
	return written(k, func(exempt bool) any { return !exempt })
}()

// secret reads a secret that is given in clear text or as its SHA-256 in hex. It returns the hash,
// which must be unique.
func secret(o value, clear, hashed string, in *register[[sha256.Size]byte]) (hash commerce.KeyHash) {
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

var hash = marked(judged(openapi.Text.Pattern(`^[0-9A-Fa-f]{64}$`).About(aHash).Definition("sha256"), value.hash), confidential)

// writtenHash is the kind of hashes as an export writes them. A rule reads them.
var writtenHash = kind[commerce.KeyHash]{Schema: hash.Schema.OrNull(), Append: func(dst []byte, hash commerce.KeyHash) []byte {
	return AppendText(dst, hex.EncodeToString(hash[:]))
}}

// hash reads a SHA-256 in hex, nil if it is absent or was refused.
func (f value) hash() *commerce.KeyHash {
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
