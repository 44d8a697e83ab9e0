package suite

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"cartd/bench"
	"cartd/internal/process"
	"cartd/internal/unitcosts"
)

// merchantItems measures an account with its names, an offered quote with its token and lists, and a day of a store's sales.
func (u *unitRunner) merchantItems(ctx context.Context) error {
	const store = "be000000-0000-4000-8000-700300000000"
	redis, err := u.stand.newRedis(everysec...)
	if err != nil {
		return err
	}
	empty, _, err := redisBytes(redis.Addr)
	if err != nil {
		return err
	}
	if err := u.load(ctx, redis, map[string][]byte{"accounts": bench.AccountDocument(store, itemCount)}); err != nil {
		return err
	}
	accounts, _, err := redisBytes(redis.Addr)
	if err != nil {
		return err
	}
	on, err := u.stand.serve(redis, u.Cartd, "serve")
	if err != nil {
		return err
	}
	for range itemCount {
		if err := offerQuote(ctx, on.target); err != nil {
			return err
		}
	}
	log, err := logBytes(redis.Addr, store)
	if err != nil {
		return err
	}
	quotes, _, err := redisBytes(redis.Addr)
	if err != nil {
		return err
	}
	sales, err := salesBytes(redis.Addr)
	u.costs.Items = append(u.costs.Items,
		unitcosts.Item{Name: unitcosts.Account, Redis: (accounts - empty) / itemCount},
		unitcosts.Item{Name: unitcosts.Quote, Redis: (quotes - log - accounts) / itemCount},
		unitcosts.Item{Name: unitcosts.SalesDay, Redis: sales})
	return err
}

// offerQuote writes a quote of three lines, and offers it.
func offerQuote(ctx context.Context, target string) error {
	line := `{"name": "Measuring and fitting on site", "sku": "W-100", "tax": "standard", "quantity": 3, "unit_price_amount": 12500}`
	made, err := askMerchant(ctx, target+"/v1/api/quotes",
		`{"email": "buyer@example.com", "name": "A. Buyer", "reference": "RFQ 7", "lines": [`+line+","+line+","+line+`]}`)
	if err == nil {
		_, err = askMerchant(ctx, target+"/v1/api/quotes/"+made+"/offer", `{}`)
	}
	return err
}

// askMerchant sends a request of the merchant, and returns the id of the quote that it answers.
func askMerchant(ctx context.Context, url, body string) (id string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewBufferString(body))
	if err != nil {
		return "", err
	}
	r.Header.Set("Authorization", "Bearer "+bench.MerchantKey)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return "", err
	}
	var quote struct{ ID string }
	if answer.StatusCode >= http.StatusBadRequest {
		return "", fmt.Errorf("POST %s: %d %.200s", url, answer.StatusCode, text)
	}
	err = json.Unmarshal(text, &quote)
	return quote.ID, err
}

// salesBytes is the size of a day of sales with orders and cancels in all hours.
func salesBytes(addr string) (float64, error) {
	const key = "{be000000-0000-4000-8000-700300000000}:sales:2026-11-30"
	hset := []string{"HSET", key}
	for hour := range 24 {
		for field, value := range map[string]int{"orders": 100, "amount": 1_000_000, "cancelled": 10, "cancelled_amount": 100_000} {
			hset = append(hset, fmt.Sprintf("%02d:%s", hour, field), strconv.Itoa(value))
		}
	}
	if _, err := process.AskRedis(addr, hset...); err != nil {
		return 0, err
	}
	size, err := process.AskRedis(addr, "MEMORY", "USAGE", key, "SAMPLES", "0")
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(size, 64)
}
