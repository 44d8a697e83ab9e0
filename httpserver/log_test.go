package httpserver

import (
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// No part of a request's head or body is logged, also if the request fails.
func TestNoSecretIsLogged(t *testing.T) {
	const secret = "sesame"
	failures := map[string]func(*harness){
		"success": func(*harness) {},
		"refusal": func(h *harness) { h.engine.err = commerce.CartOwned },
		"fault":   func(h *harness) { h.engine.err = errors.New("disk full") },
		"panic":   func(h *harness) { h.engine.during = func() { panic("index out of range") } },
		"away":    func(h *harness) { h.engine.admitErr = engine.ErrUnavailable },
	}
	for name, arrange := range failures {
		t.Run(name, func(t *testing.T) {
			h := start(t)
			arrange(h)
			for _, path := range []string{cartsPath + "/" + testCart, linePathOf(secret), "/v1/api/" + secret, "/v1/ping?key=" + secret} {
				for _, method := range []string{"PATCH", "GET", "DELETE", "PUT"} {
					h.do(call{method: method, path: path, body: `{"email":"` + secret + `"`, anonymous: true,
						header: []string{"Authorization: Bearer " + secret, "X-Customer-Token: " + secret, "Cookie: " + secret}})
				}
			}
			for _, broken := range []string{"\x01", "GET", "GET " + secret, "GET /v1/ping?" + secret + " HTTP/9"} {
				h.raw("GET", broken+"\r\nAuthorization: Bearer "+secret+"\r\nX: "+secret+"\x01\r\n\r\n")
			}
			h.stop()
			log := h.log.String()
			for _, hidden := range []string{secret, testCart} {
				if strings.Contains(log, hidden) {
					t.Errorf("%s was logged:\n%s", hidden, log)
				}
			}
			if !strings.Contains(log, "route="+cartPath+" ") || !strings.Contains(log, "method=PATCH") || !strings.Contains(log, "status=") {
				t.Errorf("the access log lacks the request:\n%s", log)
			}
		})
	}
}

// A line names the store, the key, the client and the path, with the first characters of ids.
func TestAccessLogNamesClientAndPath(t *testing.T) {
	h := start(t)
	got := h.do(call{method: "GET", path: "/v1/api/customers/me/addresses?page=1"})
	h.do(call{method: "GET", path: cartsPath + "/" + testCart + "/"})
	h.do(call{method: "GET", path: quotesPath + "/by-token/" + quoteToken})
	token := sampleStore().OrderToken(uuid.MustParse(testQuote))
	h.do(call{method: "GET", path: ordersPath + "/by-token/" + token})
	h.do(call{method: "GET", path: ordersPath + "/by-token/" + token[:40] + "%41" + token[41:]})
	h.do(call{method: "GET", path: "/v1/sesame"})
	h.stop()
	for _, want := range []string{
		"msg=request request_id=" + got.header.Get("X-Request-Id") + " store=" + sampleStore().ID.String() +
			" key=storefront client=0.0.0.0 method=GET path=/v1/api/customers/me/addresses route=" + addressesPath + " status=200 bytes=" +
			strconv.Itoa(len(got.body)) + " duration_ms=",
		" path=" + cartsPath + "/" + testCart[:8] + "… route=" + cartPath + " ",
		" path=" + quotesPath + "/by-token/{token} ",
		" path=" + ordersPath + "/by-token/{token} ",
		" store=\"\" key=\"\" client=0.0.0.0 method=GET path=\"\" route=\"\" status=404 ",
	} {
		if !strings.Contains(h.log.String(), want) {
			t.Errorf("got\n%s\nwant %s in it", h.log.String(), want)
		}
	}
}

// The level debug asks for the access log, too, as lines of that level.
func TestAccessLogIsOffUnlessAskedFor(t *testing.T) {
	for level, want := range map[slog.Level]bool{slog.LevelInfo: false, slog.LevelDebug: true} {
		book := new(logBook)
		h := start(t, func(c *Config) {
			c.AccessLog, c.Logger = false, slog.New(slog.NewTextHandler(book, &slog.HandlerOptions{Level: level}))
		})
		h.do(call{method: "GET", path: "/v1/ping"})
		h.stop()
		if got := strings.Contains(book.String(), "level=DEBUG msg=request"); got != want || strings.Contains(book.String(), "level=INFO msg=request") {
			t.Errorf("level %v: logged:\n%s", level, book)
		}
	}
}
