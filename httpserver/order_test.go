package httpserver

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/internal/answers"
)

// A date stands for the whole day, in UTC, and a time without a fraction for the whole second.
func TestTheTimesOfAnOrderQuery(t *testing.T) {
	for text, want := range map[string]string{
		"2026-11-20": "2026-11-20T00:00:00Z 2026-11-20T23:59:59.999Z", "2026-11-20T10:00:00Z": "2026-11-20T10:00:00Z 2026-11-20T10:00:00.999Z",
		"0001-01-01T00:00:00Z":            "0001-01-01T00:00:00Z 0001-01-01T00:00:00.999Z",
		"2026-11-20T10:00:00.125%2B02:00": "2026-11-20T08:00:00.125Z 2026-11-20T08:00:00.125Z", "": "0001-01-01T00:00:00Z 0001-01-01T00:00:00Z",
		"2026-02-30": "", "yesterday": "", "1": "", "2026-11-20T10:00:00": "",
		"2026-11-20T9:00:00Z": "", "2026-11-20T10:00:00,5Z": "", "2026-11-20T10:00:00%2B24:00": "", "2026-11-20T10:00:00%2B10:60": "",
	} {
		h := start(t)
		got := h.do(call{method: "GET", path: ordersPath + "?placed_from=" + text + "&placed_to=" + text})
		asked := h.engine.asked
		if want == "" && got.status != 422 || want != "" && asked.From.UTC().Format(time.RFC3339Nano)+" "+asked.To.UTC().Format(time.RFC3339Nano) != want {
			t.Errorf("%s: %d, %v to %v; want %s", text, got.status, asked.From, asked.To, want)
		}
	}
}

// The answer that makes an order, and each of its replays, has the order's token. The token reads
// the bare order without a customer token, also percent-encoded.
func TestOrderTokenReadsTheOrder(t *testing.T) {
	h := start(t)
	order := sampleOrder(uuid.MustParse(testQuote))
	h.engine.reply.Order = order
	h.engine.admission.Store.Secret[0] = 7
	token := h.engine.admission.Store.OrderToken(order.ID)
	for _, path := range []string{cartsPath + "/" + testCart + "/checkout", quotesPath + "/by-token/" + quoteToken + "/accept"} {
		got := h.do(call{method: "POST", path: path})
		var body struct {
			Data, Order struct{ ID uuid.UUID }
		}
		if err := json.Unmarshal([]byte(got.body), &body); err != nil {
			t.Fatal(err)
		}
		made := body.Data.ID
		if strings.HasSuffix(path, "accept") {
			made = body.Order.ID
		}
		if sent := got.header.Get("X-Order-Token"); got.status != 201 || sent != h.engine.admission.Store.OrderToken(made) {
			t.Errorf("%s: %d, token %q; want that of %s", path, got.status, sent, made)
		}
	}
	h.engine.reply.Existing, h.engine.reply.Replayed = true, true
	if got := h.do(call{method: "POST", path: cartsPath + "/" + testCart + "/checkout"}); got.status != 200 || got.header.Get("X-Order-Token") != token {
		t.Errorf("a replay: %d, token %q; want 200, %q", got.status, got.header.Get("X-Order-Token"), token)
	}
	want := string(answers.Order.Append(nil, order))
	encoded := ""
	for i := range token {
		encoded += "%" + strings.ToUpper(string("0123456789abcdef"[token[i]>>4])) + string("0123456789abcdef"[token[i]&15])
	}
	path := ordersPath + "/by-token/"
	tag := h.expect(call{method: "GET", path: path + token, header: []string{"X-Customer-Token: wrong"}}, 200, want).header.Get("ETag")
	h.expect(call{method: "GET", path: path + encoded}, 200, want)
	if got := h.do(call{method: "GET", path: path + token, header: []string{"If-None-Match: " + tag}}); got.status != 304 {
		t.Errorf("with its ETag: %d", got.status)
	}
	for sent, shown := range map[string]string{
		"x": "x", token[:63]: token[:63], strings.ReplaceAll(encoded, "%", "%25"): encoded, "%41%": "%41%", "%2F": "/", quoteToken: quoteToken, testQuote: testQuote,
		sampleStore().OrderToken(order.ID): sampleStore().OrderToken(order.ID), // another store's
	} {
		h.expect(call{method: "GET", path: path + sent}, 404, message("No query results for model [Order] "+shown))
	}
	h.stop()
	if log := h.log.String(); strings.Contains(log, token) || strings.Contains(log, encoded) {
		t.Errorf("the token is in the log:\n%s", log)
	}
}
