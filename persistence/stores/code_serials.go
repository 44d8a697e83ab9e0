package stores

import (
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cartd/persistence/records"
)

// CodeSerialsKey is the key of the next serial of each batch of codes: {<store>}:code-serials, a hash
// of engine.BatchField → the number of serials from 0 on that were given.
func CodeSerialsKey(store uuid.UUID) string { return records.SingleKey(store, "code-serials") }

// GivenCodes are codes of a batch in a store's history, without the codes.
type GivenCodes struct {
	At       time.Time `json:"-"`
	Discount uuid.UUID `json:"discount"`
	Batch    int64     `json:"batch"`
	Count    int64     `json:"count"`
	// By is the command, or the name of the API key.
	By string `json:"by"`
	// Next is the serial after the last one. It stands last, where the script can place it.
	Next int64 `json:"next"`
}

// WriteCodes adds given codes to a plan, which writes them into the store's history. The next serial is
// the n-th text that the plan makes; for n = 0 it is that of the entry.
func WriteCodes(plan *records.Plan, store uuid.UUID, given GivenCodes, n int, now time.Time) {
	key := codeHistory.key(store)
	line := records.Millis(now) + " " + makeLine(codeHistory, given).text
	if n == 0 {
		plan.List("RPUSH", key, line)
	} else {
		plan.Place("RPUSH", key, strings.TrimSuffix(line, "0}"), records.Placed{Made: n, Suffix: "}"})
	}
	plan.List("LTRIM", key, strconv.Itoa(-codeHistory.max), "-1")
}
