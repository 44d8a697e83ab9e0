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
	"net/http/httptrace"
	"net/netip"
	"net/textproto"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"cartd/commerce"
)

const (
	// connectWithin bounds the time of the TCP connect, and again the time of the TLS handshake.
	connectWithin = 5 * time.Second
	maxHeader     = 256 << 10
	// maxInformational is the number of 1xx answers that may precede the answer.
	maxInformational = 100
	// An answer's body is read and dropped, up to maxAnswer bytes and for answerWithin, so that the
	// receiver can end its answer.
	maxAnswer    = 4 << 10
	answerWithin = 100 * time.Millisecond
)

// newClient makes the client of all attempts: no proxy, no redirect, no cookie, and a connection for
// each attempt. A receiver may close a kept connection at the moment when the next event is sent on it,
// and then nobody knows whether the event arrived. TestLongDeliveriesToFarReceivers shows that new
// connections are fast enough.
func newClient(allowPrivate bool) *http.Client {
	dialer := &net.Dialer{Timeout: connectWithin, Control: refusePrivate}
	if allowPrivate {
		dialer.Control = nil
	}
	return &http.Client{
		Transport: &http.Transport{
			DialContext:            dialer.DialContext,
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout:    connectWithin,
			DisableKeepAlives:      true,
			DisableCompression:     true,
			MaxResponseHeaderBytes: maxHeader,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// statusError is an answer with a status other than 2xx. A redirect is one too.
type statusError int

func (e statusError) Error() string { return "the answer's status is " + strconv.Itoa(int(e)) }

// attempt sends one delivery once. It returns nil if the receiver answered with a 2xx status.
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
	if answer.StatusCode == http.StatusSwitchingProtocols { // its body is the connection itself
		return statusError(answer.StatusCode)
	}
	defer time.AfterFunc(answerWithin, cancel).Stop()
	_, _ = io.CopyN(io.Discard, answer.Body, maxAnswer) // only the status counts
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return statusError(answer.StatusCode)
	}
	return nil
}

// request is a delivery, signed by the Standard Webhooks scheme with the time of this attempt.
func request(ctx context.Context, r *commerce.Receiver, d *commerce.Delivery) (*http.Request, error) {
	signature, err := sign(r.Secrets, d)
	if err != nil {
		return nil, err
	}
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{Got1xxResponse: skipInformational()})
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

// skipInformational skips the 1xx answers that may precede the answer. Other 1xx answers are a failure,
// and so are too many. net/http treats 101 as the answer; attempt refuses it.
func skipInformational() func(int, textproto.MIMEHeader) error {
	skipped := 0
	return func(status int, _ textproto.MIMEHeader) error {
		switch status {
		case http.StatusContinue, http.StatusProcessing, http.StatusEarlyHints:
			if skipped++; skipped <= maxInformational {
				return nil
			}
		}
		return statusError(status)
	}
}

// sign makes a delivery's signatures, one for each secret, separated by spaces.
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

// reason names the cause of a failed attempt in fixed words: an error's text may contain the
// receiver's address, which may have secrets, or bytes that the receiver sent.
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

// Try sends one delivery once, outside any queue, for an operator who tests a receiver. The
// error's text contains nothing of the receiver's address or answer.
func Try(r *commerce.Receiver, d *commerce.Delivery, timeout time.Duration, allowPrivate bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	if err := attempt(ctx, newClient(allowPrivate), r, d); err != nil {
		return errors.New(reason(err))
	}
	return nil
}

const (
	// The n-th retry comes firstRetry × 2^(n−1) after the failure, at most longestRetry. A random
	// jitter of up to spread is added or subtracted.
	firstRetry   = time.Second
	longestRetry = 2 * time.Hour
	spread       = 0.25
	// giveUpAfter is the time after which an event is not retried any more.
	giveUpAfter = 24 * time.Hour
)

// retryAfter is the pause after a delivery's failures-th failure. age is the time since the
// delivery was first due, dice a random number in [0, 1). It returns false if the delivery is
// given up.
func retryAfter(failures int, age time.Duration, dice float64) (time.Duration, bool) {
	wait := longestRetry
	if doublings := failures - 1; doublings < 13 { // 2^13 s are more than two hours
		wait = min(firstRetry<<doublings, longestRetry)
	}
	wait = time.Duration(float64(wait) * (1 - spread + 2*spread*dice))
	return wait, age+wait <= giveUpAfter
}

// errPrivate means that a receiver's name resolves to an address that is not public.
var errPrivate = errors.New("the address is not public")

// notPublic are the special-purpose networks of the IANA registries for which netip has no
// method. No receiver on the Internet can be in them.
var notPublic = prefixes(
	"0.0.0.0/8",       // this network
	"100.64.0.0/10",   // carriers' NAT
	"192.0.0.0/24",    // protocol assignments
	"192.0.2.0/24",    // documentation
	"192.88.99.0/24",  // 6to4 relays
	"198.18.0.0/15",   // benchmarks
	"198.51.100.0/24", // documentation
	"203.0.113.0/24",  // documentation
	"240.0.0.0/4",     // reserved, broadcast
	"64:ff9b:1::/48",  // NAT64 of a local network
	"100::/64",        // discarded
	"2001::/23",       // protocol assignments, Teredo
	"2001:db8::/32",   // documentation
	"3fff::/20",       // documentation
	"5f00::/16",       // segment routing
	"fec0::/10",       // site-local
)

// embeddings are the IPv6 networks whose addresses contain an IPv4 address, and its first byte.
var embeddings = []struct {
	in   netip.Prefix
	from int
}{
	{netip.MustParsePrefix("::/96"), 12},           // IPv4-compatible
	{netip.MustParsePrefix("::ffff:0:0:0/96"), 12}, // IPv4-translated
	{netip.MustParsePrefix("64:ff9b::/96"), 12},    // NAT64
	{netip.MustParsePrefix("2002::/16"), 2},        // 6to4
}

func prefixes(texts ...string) (all []netip.Prefix) {
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// public reports whether an address can belong to a receiver on the Internet.
func public(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if !a.IsGlobalUnicast() || a.IsPrivate() { // neither loopback, link-local, multicast nor unspecified
		return false
	}
	for _, network := range notPublic {
		if network.Contains(a) {
			return false
		}
	}
	for _, e := range embeddings {
		if e.in.Contains(a) {
			bytes := a.As16()
			return public(netip.AddrFrom4([4]byte(bytes[e.from : e.from+4])))
		}
	}
	return true
}

// refusePrivate checks the address that a dialer connects to, after the name was resolved. A name
// that resolves to another address the next time cannot pass.
func refusePrivate(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !public(at.Addr()) {
		return errPrivate
	}
	return nil
}
