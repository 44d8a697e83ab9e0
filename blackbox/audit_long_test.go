//go:build long

package blackbox_test

import (
	"strings"
	"testing"

	"cartd/internal/redistest"
)

// A command whose entry cannot be written is done and says so: it prints what it made, and does not ask to
// be repeated.
func TestLongDeedsThatTheTrailDoesNotTake(t *testing.T) {
	t.Parallel()
	r := redistest.Mini(t)
	const voucher = "d6000000-0000-4000-8000-000000000001"
	batch := func(d object) {
		d["discounts"] = list{discountRow(1, "order", "Voucher", "", object{"id": voucher, "value": object{"type": "fixed", "amount": 100},
			"code_batches": list{object{"number": 0, "prefix": "SPRING", "secret": "whsec_QmF0Y2ggMCBvZiB0aGUgcmFpbHMuIE5vLg=="}}})}
	}
	operates(t, r, "import", storeFile(t, base(), batch)).wants(t, "imported")
	if err := r.Client().Set(t.Context(), "audit", "no list", 0).Err(); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		typed, out string
		args       []string
	}{
		{"", "cartd_", []string{"key", "--store", storeBase, "--name", "made", "--scopes", "commerce:read"}},
		{"", "SPRING-0000WAKGBXZN4\n", []string{"codes", "--store", storeBase, "--discount", voucher, "--batch", "0", "--count", "1"}},
		{"", "contacts: 1", []string{"erase", "--store", storeBase, "--customer", ada, "--yes"}},
		{"Base Tools\n", "deleted, ", []string{"stores", "--drop", storeBase}},
	} {
		f := pipes(t, []byte(row.typed), append([]string{row.args[0], "--redis", r.URL()}, row.args[1:]...)...)
		says := strings.Contains(f.stderr, "done, but the audit trail does not have it: WRONGTYPE")
		if f.code != 1 || !strings.Contains(f.stdout, row.out) || f.audit == "" || !says || strings.Contains(f.stderr, ": run ") {
			t.Errorf("cartd %v: exit %d\n%s%s%s\nwant exit 1, %q, and that the trail does not have it", row.args, f.code, f.stdout, f.audit, f.stderr, row.out)
		}
	}
}
