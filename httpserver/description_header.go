package httpserver

import (
	"strconv"

	"cartd/engine"
	"cartd/httpserver/openapi"
)

// The headers that requests and answers carry, for the description.

var (
	customerToken = openapi.Parameter{
		In: "header", Name: headerToken, Component: "CustomerToken", Schema: openapi.Text,
		About: "The token of a logged-in customer. It selects the pricing context, and opens carts that belong to the customer.",
	}
	customerTokenNeeded = openapi.Parameter{
		In: "header", Name: headerToken, Component: "CustomerTokenRequired", Required: true, Schema: openapi.Text,
		About: "The token of a logged-in customer, as register or login answered it.",
	}
	idempotencyKey = openapi.Parameter{
		In: "header", Name: headerIdempotencyKey, Component: "IdempotencyKey",
		Schema: openapi.Text.MinLength(1).MaxLength(engine.MaxIdempotencyKey),
		About: "Makes a repetition safe: for 24 hours the same request with the same key changes nothing and answers again, with " +
			"`Idempotent-Replayed: true`. Printable ASCII; at least " + strconv.Itoa(engine.MinCreationKey) + " characters where a request creates a cart.",
	}
	ifMatch = openapi.Parameter{
		In: "header", Name: "If-Match", Component: "IfMatch", Schema: openapi.Text,
		About: "An ETag of an earlier answer, or `*`: the write happens only if the record still has that version, else 412.",
	}
	ifNoneMatch = openapi.Parameter{
		In: "header", Name: "If-None-Match", Component: "IfNoneMatch", Schema: openapi.Text,
		About: "An ETag of an earlier answer: where nothing has changed the answer is 304 without a body.",
	}
)

var (
	requestIDHeader  = openapi.Header{Name: "X-Request-Id", Required: true, Schema: openapi.Text, About: "Names the request in the server's log. Quote it when you report a fault."}
	limitHeader      = openapi.Header{Name: "X-RateLimit-Limit", Required: true, Schema: openapi.Integer, About: "Requests that the store may make in any 60 seconds, over all of its keys."}
	remainingHeader  = openapi.Header{Name: "X-RateLimit-Remaining", Required: true, Schema: openapi.Integer.Min(0), About: "How many of them are left."}
	resetHeader      = openapi.Header{Name: "X-RateLimit-Reset", Required: true, Schema: openapi.Integer, About: "When requests are let through again, in Unix seconds."}
	retryAfterHeader = openapi.Header{Name: "Retry-After", Required: true, Schema: openapi.Integer.Min(1), About: "Seconds to wait."}
	tagHeader        = openapi.Header{Name: "ETag", Required: true, Schema: openapi.Text, About: "Version and content of what is shown, for If-Match and If-None-Match."}
	replayedHeader   = openapi.Header{Name: "Idempotent-Replayed", Schema: openapi.Names("true"), About: "The request was applied before, under the same Idempotency-Key. Absent else."}
	ignoredHeader    = openapi.Header{
		Name: "X-Ignored-Fields", Schema: openapi.Text,
		About: "Fields of the body that the route does not know, separated by commas: a misplaced or misspelt one. They had no effect. At most five, and none with a name of more than 64 characters or with others than letters, digits, `_`, `-` and `.`. Absent if there are none.",
	}
)

// pathNotes describes the ids of paths by the model that they name.
var pathNotes = map[string]string{
	"Cart":     "The cart's id, a UUID in any letter case.",
	"CartLine": "The line's id, of the same cart.",
	"Address":  "The id of one of the customer's addresses.",
	"Product":  "The product's id, or where the catalogue is asked its slug.",
	"Category": "The category's id or slug.",
	"Order":    "The order's id.",
	"Quote":    "The quote's token.",
}

// pageQuery are the parameters of a list with so many rows a page.
func pageQuery(rows perPage, others ...openapi.Parameter) []openapi.Parameter {
	return append(others,
		queryOf("page", openapi.Integer.Default(1), "The page, from 1. Anything that is no integer of at least 1 is 1."),
		queryOf("per_page", openapi.Integer.Min(1).Max(rows.max).Default(rows.standard), "Rows a page. A number out of range is clamped."))
}

func queryOf(name string, shape *openapi.Schema, about string) openapi.Parameter {
	return openapi.Parameter{In: "query", Name: name, Schema: shape, About: about}
}

// descriptionIntro stands above the operations.
const descriptionIntro = `Carts, lines, discounts, catalogue, stock and customer accounts of many stores.

**Keys.** Every request to /v1/api carries ` + "`Authorization: Bearer KEY`" + `. A key belongs to one store and has scopes; each operation names those of
which it needs any one. Ids of another store are 404.

**Customers.** ` + "`X-Customer-Token`" + ` names a logged-in customer. A cart that belongs to a customer is 403 without that customer's token.

**Amounts** are integers in minor units (cents), quantities JSON numbers with up to three decimals, times UTC as in 2026-11-20T10:00:00Z.

**Lists** answer ` + "`data`, `links` and `meta`" + `; the address list answers ` + "`data`" + ` alone.

**Limits.** A store has a number of requests in any 60 seconds, over all of its keys; 429 says when to come back.

**Faults.** 503 means that nothing was done: repeat the request. 504 means that the outcome of a write is not known: repeat it with the same
` + "`Idempotency-Key`" + `, or look.

**Growth.** Within /v1 fields, values, operations and optional parameters are only added. Ignore what you do not know.`
