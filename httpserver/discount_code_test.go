package httpserver

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
)

// docs/api/limits.md#limits: the smaller remaining number is shown, and a 429 has Retry-After. If the
// budget is used up, every code is refused, known or not, unless an earlier rule refuses the request:
// docs/api/contract.md#the-order-of-judgement.
func TestBudgetOfUnknownCodes(t *testing.T) {
	spent := engine.Budget{Limit: 20, RetryAfter: 90500 * time.Millisecond, Reset: testNow.Add(91 * time.Second)}
	reset := decimal(int(testNow.Add(91 * time.Second).Unix()))
	nothing := func(*fakeEngine) {}
	for _, row := range []struct {
		name, body, header string
		guesses            engine.Budget
		raise              func(*fakeEngine)
		status             int
		budget             [4]string
	}{
		{"unknown", `{"code":"guess"}`, "", engine.Budget{Granted: true, Limit: 20, Remaining: 7}, nothing, 200, [4]string{"20", "6"}},
		{"known", `{"code":"WELCOME10"}`, "", engine.Budget{Granted: true, Limit: 20, Remaining: 7}, nothing, 200, [4]string{"120", "119"}},
		{"spent, unknown", `{"code":"guess"}`, "", spent, nothing, 429, [4]string{"20", "0", "91", reset}},
		{"spent, known", `{"code":"WELCOME10"}`, "", spent, nothing, 429, [4]string{"20", "0", "91", reset}},
		{"fields", `{"code":1}`, "", spent, nothing, 422, [4]string{"120", "119"}},
		{"no JSON", `[`, "", spent, nothing, 400, [4]string{"120", "119"}},
		{"no key", `{"code":"guess"}`, "Idempotency-Key:", spent, nothing, 400, [4]string{"120", "119"}},
		{"another version", `{"code":"guess"}`, `If-Match: "0000000000000001.0000000000000001"`, spent, nothing, 412, [4]string{"120", "119"}},
		{"another customer's", `{"code":"guess"}`, "", spent, func(e *fakeEngine) { e.reply.Cart.Customer.ID = uuid.UUID{1} }, 403, [4]string{"120", "119"}},
		{"no cart", `{"code":"guess"}`, "", spent, func(e *fakeEngine) { e.reply.Cart = nil }, 404, [4]string{"120", "119"}},
		{"the store's limit", `{"code":"guess"}`, "", spent, func(e *fakeEngine) {
			e.admission.Budget = engine.Budget{Limit: 120, RetryAfter: time.Second, Reset: testNow}
		}, 429, [4]string{"120", "0", "1", decimal(int(testNow.Unix()))}},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := start(t)
			h.engine.judge = h.engine.judgeCart
			_, h.engine.admission.Store = discountedCart(1)
			h.engine.reply.Stamp, h.engine.guesses = engine.Stamp{Counter: 1}, row.guesses
			row.raise(h.engine)
			c := call{method: "POST", path: cartURL + "/discount", body: row.body}
			if row.header != "" {
				c = c.with(row.header)
			}
			got := h.do(c)
			if got.status != row.status {
				t.Errorf("got %d %s, want %d", got.status, got.body, row.status)
			}
			wantBudget(t, got, row.budget[0], row.budget[1], row.budget[2], row.budget[3])
		})
	}
}

// The shape of an explanation is read with encoding/json, and one cart is compared by hand.
func TestExplanation(t *testing.T) {
	c, s := discountedCart(3)
	c.Lines[0].Configuration = &commerce.Configuration{Breakdown: []commerce.PricePart{{Label: "Std", Amount: 1999}}}
	h := start(t)
	h.engine.reply, h.engine.admission.Store = engine.Reply{Cart: c, Stamp: engine.Stamp{Counter: 1}}, s
	path := cartsPath + "/" + testCart + "/explain"
	got := h.do(call{method: "GET", path: path})
	var shape struct {
		Data struct{ Steps []map[string]any }
	}
	in := json.NewDecoder(strings.NewReader(got.body))
	in.UseNumber()
	if err := in.Decode(&shape); err != nil || got.status != 200 {
		t.Fatalf("got %d %s: %v", got.status, got.body, err)
	}
	var steps []string
	for _, step := range shape.Data.Steps {
		steps = append(steps, step["step"].(string))
		for name, value := range step {
			if n, ok := value.(json.Number); ok && strings.ContainsAny(n.String(), ".eE") {
				t.Errorf("%s is %s, want an integer", name, n)
			}
		}
	}
	if want := "line line line code" + strings.Repeat(" discount", 10) + " tax tax totals"; strings.Join(steps, " ") != want {
		t.Errorf("steps %s; want %s", steps, want)
	}
	first := `{"data":{"steps":[{"step":"line","line_id":"` + c.Lines[0].ID.String() + `","name":"Roller blind 0","price_from":"configuration",` +
		`"breakdown":[{"label":"Std","amount":1999}],"unit_price_amount":1999,"quantity_thousandths":1000,"of":1999,"multiply":1000,"divide":1000,` +
		`"quotient":1999,"remainder":0,"extra":0,"amount":1999},`
	if !strings.HasPrefix(got.body, first) {
		t.Errorf("got  %.400s\nwant %s", got.body, first)
	}
	again := h.do(call{method: "GET", path: path, header: []string{"If-None-Match: " + got.header.Get("Etag")}})
	if again.status != 304 || again.body != "" {
		t.Errorf("again: got %d %s; want 304", again.status, again.body)
	}
	h.engine.err = commerce.CartOwned
	h.expect(call{method: "GET", path: path}, 403, message("This cart belongs to a customer."))
}

// A discount that begins or ends at midnight changes the next read of an unchanged cart.
func TestMidnightChangesARead(t *testing.T) {
	h := start(t)
	c, s := discountedCart(2)
	midnight := testNow.Truncate(24 * time.Hour).Add(24 * time.Hour)
	s.Discounts[7].StartsAt, s.Discounts[8].EndsAt = midnight, midnight
	s.Index()
	h.engine.reply = engine.Reply{Cart: c, Stamp: engine.Stamp{Counter: 1}}
	h.engine.admission.Store, h.engine.admission.Now = s, midnight.Add(-time.Millisecond)
	read := call{method: "GET", path: cartsPath + "/" + testCart}
	before := h.do(read)
	read.header = []string{"If-None-Match: " + before.header.Get("Etag")}
	if got := h.do(read); got.status != 304 {
		t.Errorf("before midnight: got %d", got.status)
	}
	h.engine.admission.Now = midnight
	got := h.do(read)
	if got.status != 200 || !strings.Contains(before.body, `"discount_code_error":"expired"`) || !strings.Contains(got.body, `"discount_code_error":null`) ||
		strings.Contains(got.body, "Discount 8") {
		t.Errorf("at midnight: got %d %s\nearlier %s", got.status, got.body, before.body)
	}
}
