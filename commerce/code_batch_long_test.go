//go:build long

package commerce

import "testing"

// docs/api/discounts.md#batches-of-codes: no two codes of a batch are the same. The last nine characters
// of a million codes, which cannot be predicted, are spread over all that there are.
func TestLongAMillionCodesAreDifferent(t *testing.T) {
	d := &batchShop(t).Discounts[0]
	codes, checks := make(map[string]bool, BatchCodes), make(map[string]bool, BatchCodes)
	for code := range d.Codes(&d.CodeBatches[0], 0) {
		codes[code] = true
		checks[code[len(code)-checkBits/symbolBits:]] = true
	}
	// Of 2^20 random numbers of 45 bits 2^39/2^45 = 1/64 pair is expected to be equal.
	if len(codes) != BatchCodes || len(checks) < BatchCodes-2 {
		t.Errorf("%d codes, %d checks; want %d of each", len(codes), len(checks), BatchCodes)
	}
}
