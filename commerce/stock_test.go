package commerce

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/google/uuid"
)

func TestParseStockDelta(t *testing.T) {
	const million = 1_000_000
	for _, c := range []struct {
		isString bool
		text     string
		want     StockDelta
		faults   []QuantityFault
	}{
		{false, "2", 2 * million, nil}, {false, "-2.5", -2.5 * million, nil}, {false, "2e3", 2000 * million, nil}, {false, "0.0010", 1000, nil},
		{false, "-0", 0, nil}, {false, "0e9", 0, nil}, {false, "9000000000", StockDelta(MaxStock), nil},
		{false, "9000000000.001", beyondStock, nil}, {false, "-1e300", -beyondStock, nil}, {false, "99999999999", beyondStock, nil},
		{false, "0.0001", 0, []QuantityFault{TooManyDecimals}}, {false, "1e-4", 0, []QuantityFault{TooManyDecimals}},
		{true, "-2.500", -2.5 * million, nil}, {true, "007", 7 * million, nil}, {true, "-0.001", -1000, nil},
		{true, "2.5000", 0, []QuantityFault{TooManyDecimals}}, {true, "0.0000", 0, []QuantityFault{TooManyDecimals}},
		{true, "", 0, []QuantityFault{NotANumber}}, {true, "-", 0, []QuantityFault{NotANumber}}, {true, "+1", 0, []QuantityFault{NotANumber}},
		{true, "1e3", 0, []QuantityFault{NotANumber}}, {true, " 1", 0, []QuantityFault{NotANumber}}, {true, "--1", 0, []QuantityFault{NotANumber}},
		{true, "1.", 0, []QuantityFault{NotANumber}}, {true, "00000000000000000000000001", million, nil}, {true, "10000000000000000000000000", beyondStock, nil},
	} {
		if got, faults := parseStockDelta(c.isString, c.text); got != c.want || !reflect.DeepEqual(faults, c.faults) {
			t.Errorf("parseStockDelta(%v, %q) = %d, %v; want %d, %v", c.isString, c.text, got, faults, c.want, c.faults)
		}
	}
}

func TestStockDeltasAreJSONNumbers(t *testing.T) {
	for delta, want := range map[StockDelta]string{-2_500_000: "-2.5", -1: "-0.000001", 1000: "0.001", 3_000_000: "3", StockDelta(MaxStock): "9000000000"} {
		if got := string(delta.AppendJSON(nil)); got != want {
			t.Errorf("%d: %s, want %s", delta, got, want)
		}
	}
}

func TestItemsThatCanBeAdjusted(t *testing.T) {
	for _, c := range []struct {
		product, variant uuid.UUID
		item             uuid.UUID
		refusal          *Refusal
	}{
		{tile, uuid.Nil, tile, nil}, {withdrawn, uuid.Nil, withdrawn, nil}, {drill, white, white, nil}, {drill, red, red, nil},
		{nowhere, uuid.Nil, uuid.Nil, ProductUnavailable}, {gift, uuid.Nil, uuid.Nil, StockUntracked}, {tile, white, uuid.Nil, NoVariants.Plain()},
		{drill, uuid.Nil, uuid.Nil, ChooseVariant.Plain()}, {drill, nowhere, uuid.Nil, VariantUnavailable.Plain()},
	} {
		a := &StockAdjustment{ProductID: c.product, VariantID: c.variant, VariantSent: c.variant != uuid.Nil}
		if item, refusal := a.Item(stockedShop()); item != c.item || !reflect.DeepEqual(refusal, c.refusal) {
			t.Errorf("%v %v: %v, %v; want %v, %v", c.product, c.variant, item, refusal, c.item, c.refusal)
		}
	}
}

func TestTheFirstStockOfAStore(t *testing.T) {
	shop := stockedShop()
	shop.Products[0].Stock, shop.Products[2].Variants[1].Stock, shop.Products[8].Stock = 7, 8, 9
	want := []Stocked{{tile, 7}, {cord, 0}, {drill, 0}, {white, 0}, {grey, 8}, {red, 0}, {withdrawn, 0}}
	if got := shop.FirstStock(); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if plain := testShop(); plain.FirstStock() != nil || plain.HoldsStock() {
		t.Error("a store that tracks nothing holds stock")
	}
}

// An adjustment may leave less on hand than carts hold.
func TestAvailableStock(t *testing.T) {
	levels := []StockLevel{{OnHand: 10, Held: 4, Own: 1}, {OnHand: 2, Held: 5}, {OnHand: 2, Held: 5, Own: 4}, {}}
	var got []Micros
	for _, l := range levels {
		got = append(got, l.Available())
	}
	if want := []Micros{7, 0, 1, 0}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	sumOf := func(levels []StockLevel) (sum Micros) {
		for _, l := range levels {
			sum = sum.Plus(l.Available())
		}
		return sum
	}
	if sum := sumOf(levels); sum != 8 {
		t.Errorf("the sum is %d, want 8", sum)
	}
	if sum := sumOf([]StockLevel{{OnHand: MaxStock}, {OnHand: MaxStock}}); sum != 2*MaxStock {
		t.Errorf("two of the maximum make %d, want %d", sum, 2*MaxStock)
	}
	if sum := sumOf(slices.Repeat([]StockLevel{{OnHand: MaxStock}}, 10_000)); sum != math.MaxInt64 {
		t.Errorf("the maximum sum is %d, want %d", sum, int64(math.MaxInt64))
	}
}
