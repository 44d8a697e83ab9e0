package model

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
)

// The store of the sellers has orders that must be paid, and a code for some of them.
const (
	SalesStore = "f0000000-0000-4000-8000-000000000004"
	SalesKey   = "fault-suite-sales-key"
	// OfficeKey is the key of the merchant's own systems.
	OfficeKey = "fault-suite-office-key"
	// SalesCode is a code for a number of orders, SalesEach one for a number of orders of each customer.
	SalesCode, SalesEach = "SPRING", "EACH"
	// SalesStock is the stock of each of SalesProducts, in pieces; more than all orders sell.
	SalesStock = 1_000_000
	// SalesMinutes is the maximum time of a payment.
	SalesMinutes = 600
)

// The discounts of SalesCode, of SalesEach, and of codes for one order each.
const (
	SalesSpring = "60000000-0000-4000-8000-000000000041"
	SalesByEach = "60000000-0000-4000-8000-000000000042"
	SalesSingle = "60000000-0000-4000-8000-000000000043"
)

// SalesAccount is an account of the store. One with a VAT id has reverse charge.
type SalesAccount struct{ ID, Email, Token, VATID string }

// SalesAccounts have the first of SalesAddresses. Guests buy under any of them.
var (
	SalesAccounts  []SalesAccount
	SalesAddresses []string
)

func init() {
	for i := range 8 {
		SalesAddresses = append(SalesAddresses, fmt.Sprintf("buyer%d@example.com", i))
	}
	for i := range 4 {
		SalesAccounts = append(SalesAccounts, SalesAccount{
			ID: fmt.Sprintf("d0000000-0000-4000-8000-0000000000%02d", 41+i), Email: SalesAddresses[i], Token: fmt.Sprintf("fault-suite-sales-token-%d", i),
		})
	}
	SalesAccounts[3].VATID = "BE0123456789"
}

// SalesUses are the limits of the discounts: the orders of SalesCode, and those of each customer of SalesEach.
type SalesUses struct{ Spring, Each int }

// salesSecret makes the codes for one order each.
const salesSecret = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// SingleCode is the code for one order with a serial: docs/api/discounts.md, batches of codes.
func SingleCode(serial uint32) string {
	secret, _ := base64.StdEncoding.DecodeString(salesSecret)
	id := uuid.MustParse(SalesSingle)
	mac := hmac.New(sha256.New, secret)
	mac.Write(append([]byte("code\x00"), id[:]...))
	mac.Write(binary.BigEndian.AppendUint32([]byte{0, 1}, serial))
	check := binary.BigEndian.Uint64(mac.Sum(nil)) >> (64 - 45)
	const symbols = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	code := []byte("ONE-")
	for i := range 4 {
		code = append(code, symbols[serial>>(15-5*i)&31])
	}
	for i := range 9 {
		code = append(code, symbols[check>>(40-5*i)&31])
	}
	return string(code)
}

// SalesProducts are sold by the piece, at 10.00. The last one, SalesShipped, requires shipping.
var SalesProducts = []string{"a0000000-0000-4000-8000-000000000021", SalesShipped}

// SalesShipped is the product that requires shipping.
const (
	SalesShipped = "a0000000-0000-4000-8000-000000000022"
	salesParcel  = "70000000-0000-4000-8000-000000000041"
)

// The prices of a product and of its delivery, in cents.
const salesPrice, salesParcelPrice = 1000, 495

// SalesDelivery are the fields of a checkout that has an order shipped to a country.
func SalesDelivery(country string) string {
	return `"shipping_method_id":"` + salesParcel +
		`","shipping_address":{"name":"B","street":"Dam 1","postal_code":"1012","city":"Amsterdam","country":"` + country + `"}`
}

// SalesTaxes are the rows of an order's breakdown. tenths are the discounts of ten per cent.
func SalesTaxes(quantity, tenths int, shipped bool, country, exemption string) []TaxRow {
	sum := int64(quantity * salesPrice * (10 - tenths) / 10)
	if shipped {
		sum += salesParcelPrice
	}
	return Taxes(map[string]int64{"standard": sum}, country, exemption)
}

// SalesEvents are the events that the store's receiver gets.
var SalesEvents = []string{
	"order.placed", "order.paid", "order.cancelled", "order.refunded", "order.shipped", "order.delivered", "order.returned", "stock.adjusted",
}

// SalesDocument is the store's document, with the address of its receiver and the uses of its codes.
func SalesDocument(receiver string, uses SalesUses) []byte {
	var products []any
	for _, id := range SalesProducts {
		products = append(products, map[string]any{
			"id": id, "name": id, "slug": id, "tax": "standard", "price_amount": salesPrice, "requires_shipping": id == SalesShipped, "track_stock": true,
			"stock": "1000000",
		})
	}
	var customers []any
	for _, a := range SalesAccounts {
		customer := map[string]any{
			"id": a.ID, "email": a.Email, "tokens": []any{map[string]any{"token": a.Token, "expires_at": "2090-01-01T00:00:00Z"}},
		}
		if a.VATID != "" {
			customer["vat_id"], customer["reverse_charge"] = a.VATID, true
		}
		customers = append(customers, customer)
	}
	tenth := map[string]any{"type": "percent", "percent": "10"}
	text, err := json.Marshal(map[string]any{
		"format": 1,
		"store": taxByCountry(map[string]any{
			"id": SalesStore, "name": "Sales", "modules": []string{"commerce", "customers", "sales", "stock"}, "quotes": map[string]any{"enabled": true},
			"orders": map[string]any{"payment_minutes": SalesMinutes}, "rate_limit_per_minute": noLimit,
			"webhooks": []any{map[string]any{"url": receiver, "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "events": SalesEvents}},
		}),
		"api_keys": []any{
			map[string]any{"name": "shop", "key": SalesKey, "scopes": []string{"commerce:read", "commerce:write"}},
			map[string]any{"name": "office", "key": OfficeKey, "scopes": []string{"orders:read", "orders:write", "catalog:write", "store:read"}},
		},
		"tax_rates":        rateDocuments(),
		"products":         products,
		"customers":        customers,
		"shipping_methods": []any{map[string]any{"id": salesParcel, "name": "Parcel", "price_amount": salesParcelPrice, "tax": "standard"}},
		"discounts": []any{
			map[string]any{"id": SalesSpring, "name": "Spring", "kind": "order", "code": SalesCode, "usage_limit": uses.Spring, "value": tenth},
			map[string]any{"id": SalesByEach, "name": "Each", "kind": "order", "code": SalesEach, "usage_limit_per_customer": uses.Each, "value": tenth},
			map[string]any{"id": SalesSingle, "name": "Single", "kind": "order", "value": tenth, "code_batches": []any{
				map[string]any{"number": 1, "prefix": "ONE", "secret": "whsec_" + salesSecret},
			}},
		},
	})
	if err != nil {
		panic(err) // cannot happen: texts and numbers
	}
	return text
}
