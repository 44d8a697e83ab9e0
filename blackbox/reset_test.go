package blackbox_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cartd/internal/redistest"
)

const (
	resetSent   = `{"message":"If the address is known, a reset link has been sent."}`
	resetFailed = "This password reset token is invalid."
)

// hooked is the base store with a webhook for resets. The webhook's address refuses connections, so
// its events can be read in Redis.
func hooked(document object) {
	setting("webhooks", list{object{
		"url": "http://127.0.0.1:9/hook", "secret": hookSecret, "events": list{"contact.password_reset_requested"},
	}})(document)
}

// outbox reads the events that wait for the base store's webhooks, in the outbox and as deliveries,
// the oldest first.
func outbox(t *testing.T, r *redistest.Server) []string {
	t.Helper()
	const read = `local all = redis.call('LRANGE', KEYS[1], 0, -1)
		for _, key in ipairs(redis.call('KEYS', '{' .. ARGV[1] .. '}:webhook:*')) do
			local list = redis.call('TYPE', key).ok == 'list'
			for _, text in ipairs(redis.call(list and 'LRANGE' or 'ZRANGE', key, 0, -1)) do all[#all + 1] = text end
		end
		return all`
	texts, err := r.Client().Eval(context.Background(), read, []string{"{" + storeBase + "}:outbox"}, storeBase).StringSlice()
	if err != nil {
		t.Fatal(err)
	}
	since := func(text string) string { // a delivery has its failures, its time and the event
		if text[0] == '{' {
			return "later than any delivery"
		}
		return strings.SplitN(text, " ", 3)[1]
	}
	slices.SortStableFunc(texts, func(a, b string) int { return strings.Compare(since(a), since(b)) })
	for i, text := range texts {
		texts[i] = text[strings.Index(text, "{"):]
	}
	return texts
}

// resetToken asks for a reset and returns the token in the event for the webhook.
func (c client) resetToken(r *redistest.Server, email string) string {
	c.t.Helper()
	before := len(outbox(c.t, r))
	c.post("contacts/forgot-password", `{"email":"`+email+`"}`).want(202, resetSent)
	entries := outbox(c.t, r)
	var entry struct {
		Event string
		Body  struct {
			Event, Email, Token string
			StoreID             string `json:"store_id"`
			ContactID           string `json:"contact_id"`
		}
	}
	if len(entries) != before+1 || json.Unmarshal([]byte(entries[before]), &entry) != nil || len(entry.Body.Token) != 43 ||
		entry.Event != "contact.password_reset_requested" || entry.Body.Event != entry.Event || entry.Body.StoreID != storeBase || entry.Body.ContactID != ada {
		c.t.Fatalf("the outbox holds %q, want one more reset of %s", entries, ada)
	}
	return entry.Body.Token
}

func resetBody(token, email, password string) string {
	return fmt.Sprintf(`{"token":%q,"email":%q,"password":%q,"password_confirmation":%q}`, token, email, password, password)
}

func TestAResetEndsAllSessionsAndWorksOnce(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	c := start(t, options{redis: r.URL(), stores: []string{storeFile(t, base(), hooked)}}).client(t).withKey(keyAll)
	session := c.login(adaEmail, adaPassword).signedIn(200).Token
	replaced, last := c.resetToken(r, adaEmail), c.resetToken(r, adaEmail)
	token := c.withToken(tokenTess).resetToken(r, "ADA@example.com") // the token of another customer changes nothing
	for _, body := range []string{resetBody(replaced, adaEmail, newPassword), resetBody(token, "tess@example.com", newPassword)} {
		c.post("contacts/reset-password", body).want(422, oneField("token", resetFailed, ""))
	}
	c.withToken(session).wantBook()
	if gone := c.post("customers/reset-password", resetBody(token, adaEmail, newPassword)).wantStatus(204); len(gone.body) != 0 {
		t.Errorf("%v\nwant: no body", gone)
	}
	c.wantUnresolved(session)
	c.wantUnresolved(tokenAda)
	for _, used := range []string{token, last} {
		c.post("contacts/reset-password", resetBody(used, adaEmail, adaPassword)).want(422, oneField("token", resetFailed, ""))
	}
	c.login(adaEmail, adaPassword).wantStatus(422)
	c.withToken(c.login(adaEmail, newPassword).signedIn(200).Token).wantBook()
}

// Spec: Errors, the forgot-password endpoint answers 202 with the same body.
func TestForgotPasswordAnswersUnknownAddressesAlike(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	n := start(t, options{redis: r.URL(), stores: append(storeFiles(t, keyOther), storeFile(t, base(), hooked))})
	c := n.client(t).withKey(keyAll)
	path := c.newCart()
	c.patch(path, `{"email":"guest@example.com"}`).wantStatus(200)
	for _, email := range []string{"nobody@example.com", "guest@example.com"} {
		c.post("contacts/forgot-password", `{"email":"`+email+`"}`).want(202, resetSent)
	}
	c.withKey(keyOther).post("contacts/forgot-password", `{"email":"`+adaEmail+`"}`).want(202, resetSent) // its store has no webhook
	if entries := outbox(t, r); len(entries) != 0 {
		t.Errorf("the outbox holds %q, want nothing", entries)
	}
	// Known and unknown addresses are answered at the same step of time.
	var took [2]time.Duration
	for i, email := range []string{adaEmail, "nobody@example.com"} {
		began := time.Now()
		c.post("contacts/forgot-password", `{"email":"`+email+`"}`).want(202, resetSent)
		took[i] = time.Since(began)
	}
	if took[0] < answerStep || took[1] < answerStep {
		t.Errorf("answered after %v and %v, want no earlier than %v", took[0], took[1], answerStep)
	}
}

// answerStep is the step of time in which requests for a reset are answered.
const answerStep = 250 * time.Millisecond
