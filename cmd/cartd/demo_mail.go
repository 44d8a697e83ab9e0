package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"cartd/httpserver/site"
)

// demoMail is the mailer of serve --demo: it receives the webhook of a forgotten password, and shows
// the mail to whoever asks for the address, instead of sending it.
type demoMail struct {
	secret [32]byte

	mu sync.Mutex
	// sent are the last mails, the oldest first.
	sent []resetMail
}

const (
	// mailPath receives the webhook, mailboxPath shows the mails of an address.
	mailPath    = "/mail"
	mailboxPath = "/mail/box"
	// maxMails is the number of mails that are kept.
	maxMails = 100
	// maxWebhookAge is how old a delivery may be.
	maxWebhookAge = 5 * time.Minute
)

// resetMail is the mail with which a customer chooses a new password.
type resetMail struct {
	Email     string `json:"email"`
	Token     string `json:"token"`
	ExpiresAt string `json:"expires_at"`
}

func newDemoMail() *demoMail {
	m := &demoMail{}
	rand.Read(m.secret[:]) // never fails
	return m
}

// webhook is the webhook with which a store at an address tells the mailer.
func (m *demoMail) webhook(base string) demoWebhook {
	return demoWebhook{
		URL:    base + mailPath,
		Secret: "whsec_" + base64.StdEncoding.EncodeToString(m.secret[:]),
		Events: []string{"contact.password_reset_requested"},
	}
}

// receive takes a delivery, as docs/api/webhooks.md says.
func (m *demoMail) receive(r site.Request) (status int, answer []byte) {
	if !m.signed(r, time.Now()) {
		return http.StatusUnauthorized, demoMessage("This is no delivery of the demo's store.")
	}
	var event struct {
		Event string `json:"event"`
		resetMail
	}
	if err := json.Unmarshal(r.Body, &event); err != nil || event.Event != "contact.password_reset_requested" {
		return http.StatusNoContent, nil // nothing to send a mail for
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sent = append(m.sent, event.resetMail)
	if len(m.sent) > maxMails {
		m.sent = m.sent[1:]
	}
	return http.StatusNoContent, nil
}

// signed reports whether the store has signed a delivery, just now.
func (m *demoMail) signed(r site.Request, now time.Time) bool {
	id, at := r.Header("webhook-id"), r.Header("webhook-timestamp")
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > maxWebhookAge {
		return false
	}
	mac := hmac.New(sha256.New, m.secret[:])
	mac.Write([]byte(id + "." + at + "."))
	mac.Write(r.Body)
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for signature := range strings.FieldsSeq(r.Header("webhook-signature")) {
		if hmac.Equal([]byte(signature), []byte(want)) {
			return true
		}
	}
	return false
}

// show answers the mails of an address, the newest first.
func (m *demoMail) show(r site.Request) (status int, answer []byte) {
	var asked struct {
		Email string `json:"email"`
	}
	if json.Unmarshal(r.Body, &asked) != nil {
		return http.StatusUnprocessableEntity, demoMessage("This is no address.")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	mails := []resetMail{}
	for i := len(m.sent) - 1; i >= 0; i-- {
		if strings.EqualFold(m.sent[i].Email, asked.Email) {
			mails = append(mails, m.sent[i])
		}
	}
	return http.StatusOK, mustJSON(map[string][]resetMail{"data": mails})
}
