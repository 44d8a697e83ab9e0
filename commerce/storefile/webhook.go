package storefile

import (
	"encoding/base64"
	"net/url"
	"strings"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
)

// The bounds of a webhook secret's bytes. A secret is whsec_ and the base64 of its bytes.
const (
	secretPrefix   = "whsec_"
	minSecretBytes = 24
	maxSecretBytes = 64
)

// maxWebhooks is the number of webhooks that a store may have. Each event may go to each of them.
const maxWebhooks = 100

var webhook = objectKind("webhook",
	field.Required("url", marked(judged(openapi.Text.Pattern(`^[Hh][Tt][Tt][Pp][Ss]?://`).About(aWebhookURL).Definition("url"), webhookURL), confidential), "",
		func(w *commerce.Webhook) *string { return &w.URL }),
	described[commerce.Webhook]("secret", signingKey, ""),
	described[commerce.Webhook]("secrets", webhookSecrets, "Two while a new one replaces the old one."),
	eitherOf("secret", "secrets", func(d *document, o value, w *commerce.Webhook) { w.Secrets = secretsOf(d, o) }),
	field.Required("events", listOf(judged(openapi.Names(commerce.EventNames...), event)), "", func(w *commerce.Webhook) *[]string { return &w.Events }),
)

// maxSecrets is the number of secrets of a webhook: two while a new one replaces the old one.
const maxSecrets = 2

var signingKey = marked(judged(openapi.Text.About(aWebhookSecret).Definition("webhook_secret").Pattern(
	`^whsec_(?:(?:[A-Za-z0-9+/]{4}){8,20}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?|(?:[A-Za-z0-9+/]{4}){21}(?:[A-Za-z0-9+/]{2}==)?)$`),
	webhookSecret), confidential|inClear)

var webhookSecrets = atMost(filled(listOf(signingKey)), maxSecrets, "secrets")

// secretsOf reads one secret, or a list of one or two.
func secretsOf(d *document, o value) (secrets [][]byte) {
	one, several := o.get("secret"), o.get("secrets")
	secret := webhookSecret(one)
	webhookSecrets.Read(several, &secrets)
	if o.exactlyOne("secret", "secrets") && !one.absent() {
		return [][]byte{secret}
	}
	return secrets
}

func webhookURL(f value) string {
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

func webhookSecret(f value) []byte {
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

// secretText is the text of a secret.
func secretText(secret []byte) string {
	return secretPrefix + base64.StdEncoding.EncodeToString(secret)
}

func event(f value) string {
	return f.word(commerce.EventNames...)
}
