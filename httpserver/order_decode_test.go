package httpserver

import (
	"testing"
	"time"
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
