//go:build long

package blackbox_test

// unknownAddress is the 404 of an address.
func unknownAddress(id string) string {
	return `{"message":"No query results for model [Address] ` + id + `"}`
}
