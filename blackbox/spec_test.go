package blackbox_test

import (
	"strings"
)

// wrongToken is a customer token that no store has.
const wrongToken = "secret-token-wrong"

// oneField is the body of a refusal that names a single field; code may be empty.
func oneField(field, message, code string) string {
	body := `{"message":` + quoted(message) + `,"errors":{` + quoted(field) + `:[` + quoted(message) + `]}`
	if code != "" {
		body += `,"code":` + quoted(code)
	}
	return body + "}"
}

// fieldErrors is the body of a plain 422: pairs of field and message, in order. A repeated field
// gets a further message.
func fieldErrors(pairs ...string) string {
	var fields []string
	messages := map[string][]string{}
	for i := 0; i < len(pairs); i += 2 {
		if len(messages[pairs[i]]) == 0 {
			fields = append(fields, pairs[i])
		}
		messages[pairs[i]] = append(messages[pairs[i]], quoted(pairs[i+1]))
	}
	members := make([]string, len(fields))
	for i, f := range fields {
		members[i] = quoted(f) + ":[" + strings.Join(messages[f], ",") + "]"
	}
	return `{"message":` + quoted(pairs[1]) + `,"errors":{` + strings.Join(members, ",") + `}}`
}

const (
	noProduct  = "Product is not available."
	aboveMax   = `{"message":"Quantity exceeds the per-line maximum.","code":"cart_constraint"}`
	lineLimit  = `{"message":"Cart line limit reached.","code":"cart_constraint"}`
	totalLimit = `{"message":"Cart total limit reached.","code":"cart_constraint"}`
	tooLarge   = `{"message":"The cart is too large.","code":"cart_constraint"}`
	cartOwned  = `{"message":"This cart belongs to a customer."}`
	invalid    = "INVALID_CONFIGURATION"
)
