package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"cartd/persistence/embedded"
)

// demoSales fills the demo's store for --demo-sales: with the orders of thirty days, and a quote whose customer asks for a change. It calls the
// routes that a shop and a merchant's desk call, while the embedded Redis, whose clock is the store's, is at the time of the sale.
type demoSales struct {
	merchant *demoMerchant
	clock    *embedded.Server
}

const (
	salesDays    = 30
	demoParcel   = "70000000-0000-4000-8000-000000000001"
	demoFitting  = "10000000-0000-4000-8000-000000000802"
	demoProjects = "demo-token-projects"
)

// soldGoods are what the demo's customers buy, and how much of it.
var soldGoods = []struct {
	product  string
	quantity float64
}{
	{"10000000-0000-4000-8000-000000000901", 1}, {"10000000-0000-4000-8000-000000000201", 2.5}, {"10000000-0000-4000-8000-000000000405", 2},
	{"10000000-0000-4000-8000-000000000301", 1}, {"10000000-0000-4000-8000-000000000501", 5},
}

var soldTo = []string{"Jan van Dalen", "Grete Hermann", "Emmy Noether", "Chris Jansen", "Maria Sibylla", "Piet de Vries", "Lise Meitner"}

type fields map[string]any

// fill makes all of it. The clock is that of the machine afterwards.
func (d demoSales) fill(now time.Time) error {
	defer d.clock.SetTime(time.Time{})
	for ago := salesDays - 1; ago >= 0; ago-- {
		first, pause := time.Date(now.Year(), now.Month(), now.Day()-ago, 9, 0, 0, 0, now.Location()), 100*time.Minute
		if ago == 0 {
			first, pause = now.Add(-30*time.Minute), 10*time.Minute
		}
		sales := 1 + (3*ago*ago+7*ago+2)%11%6
		for i := range sales {
			d.clock.SetTime(first.Add(time.Duration(i) * pause))
			if err := d.sell(ago, i, ago == 0 && i == sales-1); err != nil {
				return err
			}
		}
		if ago == 2 {
			if err := d.askForAChange(); err != nil {
				return err
			}
		}
	}
	return nil
}

// sell places an order of a day and does with it what the merchant has done by now: all orders but today's last one are paid, and those of
// earlier days have left, most of them have arrived.
func (d demoSales) sell(ago, i int, unpaid bool) error {
	goods, name := soldGoods[(ago*ago+3*i)%len(soldGoods)], soldTo[(3*ago+i)%len(soldTo)]
	quantity := goods.quantity * float64(1+(5*ago+i)%3)
	var cart, order struct {
		Data struct {
			ID     string
			Totals struct{ Total struct{ Amount int64 } }
		}
	}
	if err := d.ask(demoShopKey, "", "commerce/carts", fields{}, &cart); err != nil {
		return err
	}
	path := "commerce/carts/" + cart.Data.ID
	if err := d.ask(demoShopKey, "", path+"/lines", fields{"product_id": goods.product, "quantity": quantity}, nil); err != nil {
		return err
	}
	checkout := fields{"email": fmt.Sprintf("customer%d@mail.example", (3*ago+i)%len(soldTo)), "shipping_method_id": demoParcel, "shipping_address": fields{
		"name": name, "street": fmt.Sprintf("Prinsengracht %d", 100+ago), "postal_code": "1015 XX", "city": "Amsterdam", "country": "NL",
	}}
	if err := d.ask(demoShopKey, "", path+"/checkout", checkout, &order); err != nil {
		return err
	}
	if unpaid {
		return nil
	}
	acts := []struct {
		path string
		body fields
		done bool
	}{
		{"/payment", fields{"reference": fmt.Sprintf("demo %d.%d", ago, i), "amount": order.Data.Totals.Total.Amount}, true},
		{"/cancel", fields{"reason": "Ordered twice"}, ago == 11 && i == 0},
		{"/shipments", fields{"carrier": "PostNL"}, ago > 1 && (ago != 11 || i > 0)},
		{"/delivered", fields{}, ago > 4 && (ago != 11 || i > 0)},
	}
	for _, act := range acts {
		if act.done {
			if err := d.ask(demoDeskKey, "", "orders/"+order.Data.ID+act.path, act.body, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// askForAChange asks for a quote, which the demo's store offers at once, and then for another price: the merchant finds it in the inbox.
func (d demoSales) askForAChange() error {
	var cart, quote struct{ Data struct{ ID, Token string } }
	if err := d.ask(demoShopKey, demoProjects, "commerce/carts", fields{}, &cart); err != nil {
		return err
	}
	path := "commerce/carts/" + cart.Data.ID
	if err := d.ask(demoShopKey, demoProjects, path+"/lines", fields{"product_id": demoFitting, "quantity": 90}, nil); err != nil {
		return err
	}
	if err := d.ask(demoShopKey, demoProjects, path+"/quote-request", fields{"message": "Ninety windows of a hotel, in May."}, &quote); err != nil {
		return err
	}
	change := fields{"message": "Could the hour be 55 euro, as last year?"}
	return d.ask(demoShopKey, "", "sales/quotes/by-token/"+quote.Data.Token+"/change-request", change, nil)
}

// ask sends a request, and reads its answer into a value if that is not nil.
func (d demoSales) ask(key, token, path string, body fields, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	status, answer := d.merchant.call(http.MethodPost, path, key, token, text)
	if status >= http.StatusBadRequest {
		return fmt.Errorf("the demo's sales: POST %s: %d %s", path, status, answer)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer, into)
}
