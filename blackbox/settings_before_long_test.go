//go:build long

package blackbox_test

import (
	"net/http"
	"os/exec"
	"testing"

	"cartd/internal/redistest"
)

// Settings that the release before does not know: its node answers 503 for the store as long as the
// document has them, and today's node serves it. Without them both serve it.
func TestLongSettingsThatTheReleaseBeforeDoesNotKnow(t *testing.T) {
	t.Parallel()
	r := redistest.Real(t)
	plain := storeFile(t, base())
	o := options{redis: r.URL(), stores: []string{plain}}
	old := exec.Command(programBefore(t), o.args()...)
	old.Env = []string{"CARTD_REDIS_TIMEOUT=8s"}
	before, now := listens(t, old), start(t, options{redis: r.URL()})
	before.before = true
	shop := now.client(t)
	cart := shop.newCart()
	shop.add(cart, hammer, "1")
	period := object{"from": "2026-01-01T00:00:00Z", "until": "2096-01-01T00:00:00Z", "price_amount": 1500}
	for name, file := range map[string]string{
		"line_prices":   storeFile(t, base(), setting("policy", object{"line_prices": "follow"})),
		"limits":        storeFile(t, base(), setting("limits", object{"per_client": 600})),
		"price_periods": storeFile(t, base(), func(d object) { d["products"].(list)[0].(object)["price_periods"] = list{period} }),
		"text_fields":   storeFile(t, base(), changed(hammer, "text_fields", list{object{"key": "engraving", "label": "Engraving"}})),
		"empty":         storeFile(t, base(), changed(hammer, "text_fields", list{}), changed(cable, "price_periods", list{})),
	} {
		for _, step := range []struct {
			file   string
			status int
		}{{file, http.StatusServiceUnavailable}, {plain, http.StatusOK}} {
			if f := runs(t, "import", "--redis", r.URL(), step.file); f.code != 0 {
				t.Fatalf("%s: %s", name, f.stderr)
			}
			poll(t, name, func() bool {
				a, err := shop.on(before).try("GET", cart, "")
				return err == nil && a.status == step.status
			})
			shop.get(cart).wantStatus(http.StatusOK)
		}
	}
}
