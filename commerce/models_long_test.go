//go:build long

package commerce

import "testing"

func TestLongOrdersMatchTheModel(t *testing.T) { compareOrders(t, 100_000) }

func TestLongDiscountsMatchTheModel(t *testing.T) { compareDiscounts(t, 100_000) }

func TestLongOrderTotalsOfDeliveryOptions(t *testing.T) { compareDeliveryOptions(t, 50_000) }

func TestLongLinePricesMatchTheModel(t *testing.T) { comparePrices(t, 2_000) }
