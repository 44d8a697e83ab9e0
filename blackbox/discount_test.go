package blackbox_test

import (
	"fmt"
)

// discountRow is a discount of a test store; more has further members.
func discountRow(n int, kind, name, code string, more object) object {
	d := object{"id": fmt.Sprintf("60000000-0000-4000-8000-%012d", n), "name": name, "kind": kind, "code": code}
	if code == "" {
		d["code"] = nil
	}
	for key, value := range more {
		d[key] = value
	}
	return d
}

func percentOff(p string) object { return object{"type": "percent", "percent": p} }

func fixedOff(amount int) object { return object{"type": "fixed", "amount": amount} }

// withDiscounts gives a store a discount for every rule.
func withDiscounts(document object) {
	past, future := "2020-01-01T00:00:00Z", "2040-01-01T00:00:00Z"
	document["discounts"] = list{
		discountRow(1, "bogo", "Two nails, one free", "",
			object{"buy": object{"product_ids": list{nails}, "min_quantity": "2"}, "get": object{"product_ids": list{nails}}}),
		discountRow(2, "products", "Paper", "", object{"value": percentOff("10"), "product_ids": list{paper}}),
		discountRow(3, "shipping", "Free shipping", "", object{"value": percentOff("100"), "min_order_amount": 5000}),
		discountRow(4, "order", "Ten", "Ten10", object{"value": percentOff("10")}),
		discountRow(5, "order", "Five euro", "FIVE", object{"value": fixedOff(500), "min_order_amount": 2000}),
		discountRow(6, "products", "Cable", "cable", object{"value": fixedOff(100), "product_ids": list{cable}}),
		discountRow(7, "bogo", "Half a hammer", "HALF", object{"buy": object{"min_quantity": "3"}, "get": object{"product_ids": list{hammer}, "percent": "50"}}),
		discountRow(8, "shipping", "Three off", "SHIP", object{"value": fixedOff(300)}),
		discountRow(9, "order", "Off", "OFF", object{"value": percentOff("10"), "active": false}),
		discountRow(10, "order", "Over", "OVER", object{"value": percentOff("10"), "ends_at": past}),
		discountRow(11, "order", "Soon", "SOON", object{"value": percentOff("10"), "starts_at": future}),
		discountRow(12, "order", "Used", "USED", object{"value": percentOff("10"), "usage_limit": 2, "used": 2}),
		discountRow(13, "order", "Trade", "TRADE", object{"value": percentOff("10"), "customer_group_ids": list{groupTrade}}),
		discountRow(14, "order", "All of it", "ALL", object{"value": fixedOff(100_000_000)}),
	}
}

// attach attaches a code.
func (c client) attach(path, code string) answer {
	c.t.Helper()
	return c.post(path+"/discount", `{"code":`+quoted(code)+`}`)
}
