//go:build long

package blackbox_test

func noQuote(token string) string {
	return `{"message":"No query results for model [Quote] ` + token + `"}`
}
