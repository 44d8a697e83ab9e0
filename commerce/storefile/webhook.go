package storefile

import (
	"encoding/base64"
	"net/url"
	"strings"

	"cartd/commerce"
)

// The bounds of a webhook secret's bytes. A secret is whsec_ and the base64 of its bytes.
const (
	secretPrefix   = "whsec_"
	minSecretBytes = 24
	maxSecretBytes = 64
)

// maxWebhooks is the number of webhooks that a store may have. Each event may go to each of them.
const maxWebhooks = 100

func webhooks(f field) []commerce.Webhook {
	all := list(f, webhook)
	f.notMore(maxWebhooks, "webhooks")
	return all
}

func webhook(f field) commerce.Webhook {
	o := f.object()
	defer o.close()
	return commerce.Webhook{
		URL:     webhookURL(o.required("url")),
		Secrets: webhookSecrets(o),
		Events:  list(o.required("events"), event),
	}
}

// maxSecrets is the number of secrets of a webhook: two while a new one replaces the old one.
const maxSecrets = 2

// webhookSecrets reads one secret, or a list of one or two.
func webhookSecrets(o object) (secrets [][]byte) {
	one, several := o.get("secret"), o.get("secrets")
	secret := webhookSecret(one)
	secrets = list(several, webhookSecret)
	several.notEmpty()
	several.notMore(maxSecrets, "secrets")
	if o.exactlyOne("secret", "secrets") && !one.absent() {
		return [][]byte{secret}
	}
	return secrets
}

func webhookURL(f field) string {
	text, ok := f.str()
	if !ok {
		return ""
	}
	scheme, _, absolute := strings.Cut(text, "://")
	if !absolute || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		f.mustBe(aWebhookURL)
	} else if !commerce.IsLine(text) && f.judged() {
		f.conflict(noControls)
	} else if u, err := url.Parse(text); err != nil || u.Hostname() == "" {
		f.conflict("must be " + aWebhookURL)
	}
	return text
}

func webhookSecret(f field) []byte {
	text, ok := f.str()
	if !ok {
		return nil
	}
	encoded, prefixed := strings.CutPrefix(text, secretPrefix)
	secret, err := base64.StdEncoding.DecodeString(encoded)
	broken := strings.ContainsAny(encoded, "\r\n") // the decoder would skip them
	if !prefixed || broken || err != nil || len(secret) < minSecretBytes || len(secret) > maxSecretBytes {
		f.mustBe(aWebhookSecret)
	}
	return secret
}

func event(f field) string {
	return f.word(commerce.EventNames...)
}
