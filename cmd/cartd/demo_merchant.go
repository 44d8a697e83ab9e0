package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"cartd/httpserver/site"
)

// demoMerchant is the merchant's own system of serve --demo. Like any such system it knows cartd only
// by its routes.
type demoMerchant struct {
	base   string // cartd's address
	client http.Client
}

// The keys of the demo: the first one stands in its shop, the second one in the merchant's system, the
// third one opens its desk.
const (
	demoShopKey     = "demo-storefront-key"
	demoMerchantKey = "demo-merchant-key"
	demoDeskKey     = "demo-desk-key"
)

func newDemoMerchant(base string) *demoMerchant {
	return &demoMerchant{base: base, client: http.Client{Timeout: 8 * time.Second}}
}

// payableOrder is the part of an order's path that the payment page sends: the order's token, or the id
// of an order of the account that is logged in.
var payableOrder = regexp.MustCompile(`^(?:by-token/[A-Za-z0-9_-]{1,200}|[0-9a-f-]{36})$`)

// pay does what a merchant's system does when a provider of payments says that an order is paid: it
// reads the order as the visitor who paid, and records the payment. Its reference is that of the order,
// so that a repetition has no second effect.
func (m *demoMerchant) pay(r site.Request) (status int, answer []byte) {
	var asked struct {
		Order string `json:"order"`
	}
	if err := json.Unmarshal(r.Body, &asked); err != nil || !payableOrder.MatchString(asked.Order) {
		return http.StatusUnprocessableEntity, demoMessage("This is no order.")
	}
	token := r.Header("X-Customer-Token")
	status, read := m.call(http.MethodGet, "commerce/orders/"+asked.Order, demoShopKey, token, nil)
	if status != http.StatusOK {
		return status, read
	}
	var order struct {
		ID     string `json:"id"`
		Totals struct {
			Total struct {
				Amount int64 `json:"amount"`
			} `json:"total"`
		} `json:"totals"`
	}
	if err := json.Unmarshal(read, &order); err != nil {
		return http.StatusBadGateway, demoMessage(err.Error())
	}
	payment := fmt.Appendf(nil, `{"reference": "demo %s", "amount": %d}`, order.ID, order.Totals.Total.Amount)
	status, answer = m.call(http.MethodPost, "orders/"+order.ID+"/payment", demoMerchantKey, "", payment)
	if status == http.StatusOK {
		answer = []byte(`{"status": "paid"}`) // not the order as the merchant sees it
	}
	return status, answer
}

// call asks cartd. Where no answer comes it returns 502.
func (m *demoMerchant) call(method, path, key, token string, body []byte) (status int, answer []byte) {
	request, err := http.NewRequest(method, m.base+"/v1/api/"+path, bytes.NewReader(body))
	if err != nil {
		return http.StatusBadGateway, demoMessage(err.Error())
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("X-Customer-Token", token)
	}
	response, err := m.client.Do(request)
	if err != nil {
		return http.StatusBadGateway, demoMessage("The merchant's system does not reach cartd.")
	}
	defer response.Body.Close()
	if answer, err = io.ReadAll(response.Body); err != nil {
		return http.StatusBadGateway, demoMessage(err.Error())
	}
	return response.StatusCode, answer
}

// baseOf is cartd's address, as a program on this machine reaches it.
func baseOf(listener net.Listener) string {
	at, ok := listener.Addr().(*net.TCPAddr)
	if !ok || !at.IP.IsUnspecified() {
		return "http://" + listener.Addr().String()
	}
	return fmt.Sprintf("http://127.0.0.1:%d", at.Port)
}

func demoMessage(text string) []byte {
	answer, _ := json.Marshal(map[string]string{"message": text}) // a string always has a JSON form
	return answer
}

// demoMail is the mailer of serve --demo. It receives the webhook of a forgotten password. It sends no mail:
// it shows the mail on a page, to anyone who gives the address.
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
