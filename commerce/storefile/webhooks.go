package storefile

import (
	"encoding/base64"
	"net/url"
	"strings"

	"cartd/commerce"
)

// A webhook secret is whsec_ and the base64 of as many bytes.
const (
	secretPrefix   = "whsec_"
	minSecretBytes = 24
	maxSecretBytes = 64
)

func webhook(f field) commerce.Webhook {
	o := f.object()
	defer o.close()
	return commerce.Webhook{
		URL:    webhookURL(o.required("url")),
		Secret: webhookSecret(o.required("secret")),
		Events: list(o.required("events"), event),
	}
}

func webhookURL(f field) string {
	text, ok := f.note()
	if !ok {
		return ""
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		f.fault("must be an absolute http or https URL")
	}
	return text
}

func webhookSecret(f field) []byte {
	text, ok := f.note()
	if !ok {
		return nil
	}
	encoded, prefixed := strings.CutPrefix(text, secretPrefix)
	secret, err := base64.StdEncoding.DecodeString(encoded)
	broken := strings.ContainsAny(encoded, "\r\n") // which the decoder skips
	if !prefixed || broken || err != nil || len(secret) < minSecretBytes || len(secret) > maxSecretBytes {
		f.fault("must be whsec_ and the base64 of 24 to 64 bytes")
	}
	return secret
}

func event(f field) string {
	return f.word("stock.adjusted", "contact.password_reset_requested")
}
