package httpserver

import (
	"testing"
	"time"
)

// An explanation waits for its turn until its deadline. Other requests do not.
func TestExplanationsWaitForTheirTurn(t *testing.T) {
	h := start(t)
	h.server.requestTimeout = 20 * time.Millisecond
	turns, store := h.server.explaining, sampleStore().ID
	for range cap(turns.all) {
		if err := turns.begin(store, time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	explain := call{method: "GET", path: cartsPath + "/" + testCart + "/explain"}
	if got := h.do(explain); got.status != 503 {
		t.Errorf("without a turn until the deadline: %d", got.status)
	}
	if got := h.do(call{method: "GET", path: cartsPath + "/" + testCart}); got.status != 200 {
		t.Errorf("another request: %d", got.status)
	}
	turns.end(store)
	h.server.requestTimeout = time.Minute
	if got := h.do(explain); got.status != 200 || len(turns.all) != cap(turns.all)-1 {
		t.Errorf("with a turn: %d; %d turns are taken afterwards", got.status, len(turns.all))
	}
}
