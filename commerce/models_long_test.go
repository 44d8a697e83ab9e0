//go:build long

package commerce

import (
	"testing"
)

func TestLongOrdersMatchTheModel(t *testing.T) { compareOrders(t, 100_000) }

func TestLongDiscountsMatchTheModel(t *testing.T) { compareDiscounts(t, 100_000) }

func TestLongOrderTotalsOfDeliveryOptions(t *testing.T) { compareDeliveryOptions(t, 50_000) }

func TestLongLinePricesMatchTheModel(t *testing.T) { comparePrices(t, 2_000) }

func TestLongOrdersAreCutAtRandom(t *testing.T) { cutOrders(t, 20_000) }

func TestLongTaxesMatchTheModel(t *testing.T) { compareTaxes(t, 1_000_000) }

func TestLongBasketsCostWhatCartsCost(t *testing.T) { compareBaskets(t, 50_000) }
