package blackbox_test

import (
	"fmt"
	"strings"
)

// metadataOf returns a metadata map of n keys as JSON.
func metadataOf(n int) string {
	members := make([]string, n)
	for i := range members {
		members[i] = fmt.Sprintf(`"k%d":%d`, i, i)
	}
	return "{" + strings.Join(members, ",") + "}"
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
	quantityRequired = "The quantity field is required."
	quantityNumber   = "The quantity field must be a number."
	quantityPositive = "The quantity field must be greater than 0."
)
