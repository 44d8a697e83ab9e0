package httpserver

import (
	"strconv"

	"cartd/engine"
	"cartd/internal/openapi"
)

// The headers of requests and answers, for the description.

var (
	customerToken = openapi.Parameter{
		In: "header", Name: headerToken, Component: "CustomerToken", Schema: openapi.Text,
		About: "The token of a logged-in customer. It selects the pricing context, and opens carts that belong to the customer.",
	}
	customerTokenNeeded = openapi.Parameter{
		In: "header", Name: headerToken, Component: "CustomerTokenRequired", Required: true, Schema: openapi.Text,
		About: "The token of a logged-in customer, from the answer to register or login.",
	}
	idempotencyKey = openapi.Parameter{
		In: "header", Name: headerIdempotencyKey, Component: "IdempotencyKey",
		Schema: openapi.Text.MinLength(1).MaxLength(engine.MaxIdempotencyKey),
		About: "Makes a repetition safe: for 24 hours the same request with the same key changes nothing and answers again, with " +
			"`Idempotent-Replayed: true`. Printable ASCII; at least " + strconv.Itoa(engine.MinCreationKey) + " characters where a request creates a cart.",
	}
	ifMatch = openapi.Parameter{
		In: "header", Name: "If-Match", Component: "IfMatch", Schema: openapi.Text,
		About: "An ETag of an earlier answer, or `*`. The write happens only if the record still has that version; else the answer is 412.",
	}
	ifNoneMatch = openapi.Parameter{
		In: "header", Name: "If-None-Match", Component: "IfNoneMatch", Schema: openapi.Text,
		About: "An ETag of an earlier answer. If nothing has changed since, the answer is 304 without a body.",
	}
)

// lastEvent is a parameter of streams of events.
var lastEvent = openapi.Parameter{
	In: "header", Name: headerLastEvent, Schema: openapi.Text,
	About: "The id of the last event that the client has, as browsers send it. If it is the cart's version, the stream begins without a first event.",
}

var (
	requestIDHeader = openapi.Header{Name: "X-Request-Id", Required: true, Schema: openapi.Text,
		About: "Names the request in the server's log. Quote it when you report a fault."}
	limitHeader = openapi.Header{Name: "X-RateLimit-Limit", Required: true, Schema: openapi.Integer,
		About: "Requests that the store may make in any 60 seconds, over all of its keys; or those of the client, where that limit leaves less."}
	remainingHeader = openapi.Header{Name: "X-RateLimit-Remaining", Required: true, Schema: openapi.Integer.Min(0),
		About: "How many of them are left for the request's key and route, at most the limit. Keys with orders:read, orders:write or catalog:manage may go a " +
			"quarter beyond the limit."}
	resetHeader = openapi.Header{Name: "X-RateLimit-Reset", Required: true, Schema: openapi.Integer,
		About: "The time from which requests are accepted again, in Unix seconds."}
	retryAfterHeader = openapi.Header{Name: "Retry-After", Required: true, Schema: openapi.Integer.Min(1), About: "Seconds to wait."}
	tagHeader        = openapi.Header{Name: "ETag", Required: true, Schema: openapi.Text,
		About: "Version and content of the answer, for If-Match and If-None-Match. Absent beside X-Customer-Token-Status."}
	replayedHeader = openapi.Header{Name: "Idempotent-Replayed", Schema: openapi.Names("true"),
		About: "The request was applied earlier, under the same Idempotency-Key. Absent otherwise."}
	orderTokenHeader = openapi.Header{Name: "X-Order-Token", Required: true, Schema: openapi.Text,
		About: "The order's token. A client that has it can read the order, at commerce/orders/by-token."}
	ignoredHeader = openapi.Header{
		Name: "X-Ignored-Fields", Schema: openapi.Text,
		About: "Fields of the body that the route does not know, separated by commas: misplaced or misspelt ones, which had no effect. At most five are named, " +
			"and only names of at most 64 letters, digits, `_`, `-` and `.`. Absent if there are none.",
	}
	tokenStatusHeader = openapi.Header{Name: "X-Customer-Token-Status", Schema: openapi.Names("invalid"),
		About: "The customer token that was sent does not resolve, and the request went on as a guest's. Such an answer is `no-store`, without ETag, and " +
			"never a 304. Absent otherwise."}
	bufferingHeader = openapi.Header{Name: "X-Accel-Buffering", Required: true, Schema: openapi.Names("no"),
		About: "Asks a proxy to pass each event on at once."}
	ignoredParametersHeader = openapi.Header{
		Name: "X-Ignored-Parameters", Schema: openapi.Text,
		About: "Parameters of the query that the operation does not know, and unknown values of `include` as `include.VALUE`, separated by commas. They had no " +
			"effect. They are named by the rules of X-Ignored-Fields. Absent if there are none.",
	}
)

// pathNotes describes the ids in paths, by the model that each id names.
var pathNotes = map[string]string{
	"Cart":     "The cart's id, a UUID in any letter case.",
	"CartLine": "The line's id, of the same cart.",
	"Address":  "The id of one of the customer's addresses.",
	"Product":  "The product's id; in the catalogue also its slug.",
	"Category": "The category's id or slug.",
	"Discount": "The id of a discount of the store's document, active or not.",
	"Order":    "The order's id; under by-token its token.",
	"Quote":    "The quote's token; its id where the path has no by-token.",
	"Contact":  "The account's id.",
	"List":     "A list that a change set can set: its name in the document, or `settings`.",
	"Entry":    "The entry's id, code or from, percent-encoded; of `settings` the word itself.",

	"DiscountCode": "An attached code, percent-encoded. Letter case, and spaces around it, do not matter.",

	// Where a placeholder names no record:
	"external_id": "The external id of the account, percent-encoded: 1 to 255 characters.",
}

// pageQuery returns the parameters of a list that has this page size.
func pageQuery(rows perPage, others ...openapi.Parameter) []openapi.Parameter {
	return append(others,
		queryOf("page", openapi.Integer.Default(1), "The page, from 1. Any value that is not an integer of at least 1 counts as 1."),
		queryOf("per_page", openapi.Integer.Min(1).Max(rows.max).Default(rows.standard), "Rows on a page. A number out of range is clamped."))
}

func queryOf(name string, shape *openapi.Schema, about string) openapi.Parameter {
	return openapi.Parameter{In: "query", Name: name, Schema: shape, About: about}
}

// descriptionIntro is the text at the top of the description.
const descriptionIntro = `Carts, lines, discounts, catalogue, stock and customer accounts of many stores.

**Keys.** Every request to /v1/api carries ` + "`Authorization: Bearer KEY`" + `. A key belongs to one store and has scopes; each operation names its scopes,
of which the key needs one. Ids of another store are 404.

**Customers.** ` + "`X-Customer-Token`" + ` names a logged-in customer. A cart that belongs to a customer is 403 without that customer's token.

**Amounts** are integers in minor units (cents), quantities JSON numbers with up to three decimals, times UTC as in 2026-11-20T10:00:00Z.

**Lists** answer ` + "`data`, `links` and `meta`" + `; the address list answers ` + "`data`" + ` alone.

**Limits.** A store has a number of requests in any 60 seconds, over all of its keys; a 429 has Retry-After.

**Faults.** 503 means that nothing was done: repeat the request. 504 means that the outcome of a write is not known: repeat it with the same
` + "`Idempotency-Key`" + `, or read the record.

**Samples.** Paste a curl sample into a shell while ` + "`make run`" + ` serves the demo store: it makes what it needs, with curl and jq, then sends its
request. Keys and tokens of the demo are for the demo only. Each operation links to its rules.

**Growth.** Within /v1 fields, values, operations and optional parameters are only added. Ignore fields and values that you do not know.`
