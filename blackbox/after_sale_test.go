package blackbox_test

import (
	"encoding/json"
)

const keyOffice = "office-key"

// office adds the key of the merchant's own systems, and orders that must be paid.
func office(document object) {
	document["api_keys"] = append(document["api_keys"].(list), apiKey("office", keyOffice, "orders:read", "orders:write"))
	setting("orders", object{"payment_minutes": 60})(document)
}

// soldOrder is an order as the merchant sees it.
type soldOrder struct {
	ID, Status string
	Number     int
	Payment    struct {
		Status    string
		Reference *string
		PaidAt    *string `json:"paid_at"`
		DueAt     *string `json:"due_at"`
	}
	Shipment     *struct{ Carrier *string }
	CancelReason *string `json:"cancel_reason"`
	Restocked    bool
	Lines        []line
	Totals       struct{ Total money }
}

func (a answer) soldOrder() (o soldOrder) {
	a.t.Helper()
	if err := json.Unmarshal(a.wantStatus(200).body, &o); err != nil || o.ID == "" {
		a.t.Fatalf("%v\nwant an order: %v", a, err)
	}
	return o
}
