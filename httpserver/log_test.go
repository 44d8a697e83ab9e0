package httpserver

import (
	"errors"
	"strings"
	"testing"

	"cartd/commerce"
	"cartd/engine"
)

// Whatever happens to a request: none of what its client sent is logged.
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
				t.Errorf("the access log does not say what was served:\n%s", log)
			}
		})
	}
}

func TestAccessLogIsOffUnlessAskedFor(t *testing.T) {
	h := start(t, func(c *Config) { c.AccessLog = false })
	h.do(call{method: "GET", path: "/v1/ping"})
	h.stop()
	if strings.Contains(h.log.String(), "msg=request") {
		t.Errorf("logged:\n%s", h.log.String())
	}
}
