package blackbox_test

import (
	"strings"
)

// batchBody is the body of a batch of these adds.
func batchBody(adds ...string) string { return `{"lines":[` + strings.Join(adds, ",") + `]}` }
