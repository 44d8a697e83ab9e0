package webhooks

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"cartd/commerce"
)

// maxAnswer is how much of an answer's body is read, and for how long, so that its
// connection can be used again; nobody looks at it.
const (
	maxAnswer    = 4 << 10
	answerWithin = 100 * time.Millisecond
)

// newClient makes the client of all attempts: no proxy, no redirect, no cookie.
func newClient(allowPrivate bool, onSurplus func(host string)) *http.Client {
	return &http.Client{
		Transport:     newTransport(newDialer(allowPrivate, onSurplus)),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// statusError is an answer that is no 2xx: a redirect counts as one.
type statusError int

func (e statusError) Error() string { return "the answer's status is " + strconv.Itoa(int(e)) }

// attempt sends one delivery once. Nil: the receiver has it.
func attempt(ctx context.Context, client *http.Client, r *commerce.Receiver, d *commerce.Delivery) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	req, err := request(ctx, r, d)
	if err != nil {
		return err
	}
	answer, err := client.Do(req)
	if err != nil {
		return cmp.Or(ctx.Err(), err)
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusSwitchingProtocols { // whose body is the connection
		return statusError(answer.StatusCode)
	}
	defer time.AfterFunc(answerWithin, cancel).Stop()
	_, _ = io.CopyN(io.Discard, answer.Body, maxAnswer) // the status has said all
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return statusError(answer.StatusCode)
	}
	return nil
}

// request is a delivery signed by the Standard Webhooks scheme, as of this attempt.
func request(ctx context.Context, r *commerce.Receiver, d *commerce.Delivery) (*http.Request, error) {
	signature, err := sign(r.Secrets, d)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.URL, bytes.NewReader(d.Body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "cartd")
	req.Header.Set(standardwebhooks.HeaderWebhookID, d.ID)
	req.Header.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(d.Now.Unix(), 10))
	req.Header.Set(standardwebhooks.HeaderWebhookSignature, signature)
	return req, nil
}

// sign is a delivery's signatures, one by each secret, separated by spaces.
func sign(secrets [][]byte, d *commerce.Delivery) (string, error) {
	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		signer, err := standardwebhooks.NewWebhookRaw(secret)
		if err != nil {
			return "", err
		}
		if signatures[i], err = signer.Sign(d.ID, d.Now, d.Body); err != nil {
			return "", err
		}
	}
	return strings.Join(signatures, " "), nil
}

// reason says in our own words why an attempt failed: an error's text may hold the
// address with its secrets, or what a receiver sent.
func reason(err error) string {
	var (
		status  statusError
		dns     *net.DNSError
		network *net.OpError
		cert    *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &status):
		return fmt.Sprintf("status %d", int(status))
	case errors.Is(err, errPrivate):
		return "the address is private: see --webhook-allow-private"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return "no answer in time"
	case errors.As(err, &dns):
		return "the name cannot be resolved"
	case errors.As(err, &cert):
		return "the certificate is not valid"
	case errors.As(err, &network) && network.Op == "dial":
		return "no connection"
	}
	return "the connection broke"
}
