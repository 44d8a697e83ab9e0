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
	for turns.Begin(store, time.Now()) { // until none is free
	}
	all := turns.Users(store)
	explain := call{method: "GET", path: cartsPath + "/" + testCart + "/explain"}
	if got := h.do(explain); got.status != 503 {
		t.Errorf("without a turn until the deadline: %d", got.status)
	}
	if got := h.do(call{method: "GET", path: cartsPath + "/" + testCart}); got.status != 200 {
		t.Errorf("another request: %d", got.status)
	}
	turns.End(store)
	h.server.requestTimeout = time.Minute
	if got := h.do(explain); got.status != 200 || all == 0 || turns.Users(store) != all-1 {
		t.Errorf("with a turn: %d; %d turns are taken afterwards", got.status, turns.Users(store))
	}
}
