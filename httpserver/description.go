package httpserver

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"cartd/commerce"
	"cartd/httpserver/site"
	"cartd/internal/answers"
	"cartd/internal/openapi"
)

// examplesFile has a request, a command to paste and an answer of each operation, by its id. A test of blackbox writes
// it by running the demo store: see `make openapi`.
//
//go:embed examples.json
var examplesFile []byte

// exchanged is one entry of examplesFile. Sample is the request as a command of a shell.
type exchanged struct {
	Sample   string          `json:"sample"`
	Request  json.RawMessage `json:"request,omitempty"`
	Response json.RawMessage `json:"response,omitempty"`
}

// securityScheme is the name of the API key in the description.
const securityScheme = "apiKey"

// sections are the parts of the description, in its order. A route belongs to the section with the
// longest matching prefix.
var sections = []struct{ name, about, prefixes string }{
	{"Store", "The store and the key that a request speaks for.", "/v1/api/me"},
	{"Carts", "A cart becomes an order. Keep its id secret: a visitor needs no more to use the cart.", cartsPath + " " + pricePath},
	{"Cart lines", "Products in a cart: standard ones, variants, and products made to measure.", linesPath},
	{"Discount codes", "A cart holds one code, or as many as the store allows. Automatic discounts need none.", discountPath},
	{"Orders", "The orders of the customer whose token is sent.", "/v1/api/commerce/orders"},
	{"Quotes", "Quotes. Their token is in the answer to the request for the quote.", "/v1/api/sales/"},
	{"Catalogue", "Products, categories, redirects and the sitemap of a store.", "/v1/api/catalog/"},
	{"Configurator", "The dimensions and choices of products made to measure, and their prices.", "/v1/api/configurator/"},
	{"Stock", "The stock of items, and its changes.", "/v1/api/stock/ " + adjustmentsPath},
	{"Accounts", "Registration, login, profile and passwords of a store's customers.", contactsPath},
	{"Addresses", "The postal addresses of the customer whose token is sent.", addressesPath},
	{"Service", "Health of the service, and this description. No key is needed.", "/"},
}

// describe returns the table of routes as an OpenAPI document.
func describe(table []route, version string) ([]byte, error) {
	examples := map[string]exchanged{}
	if err := json.Unmarshal(examplesFile, &examples); err != nil {
		return nil, err
	}
	d := openapi.Document{
		Title: "cartd storefront API", Version: version, About: descriptionIntro,
		Rules:    site.SampleOrigin + site.RulesPath + "contract.md",
		Security: securityScheme, SecurityAbout: "The API key of a store, sent as `Authorization: Bearer KEY`.",
	}
	used := map[int]bool{}
	for i := range table {
		r, section := &table[i], sectionOf(table[i].path)
		used[section] = true
		d.Operations = append(d.Operations, r.describe(sections[section].name, examples[r.api.id]))
	}
	for i := range sections {
		if used[i] {
			d.Tags = append(d.Tags, openapi.Tag{Name: sections[i].name, About: sections[i].about})
		}
	}
	return d.JSON()
}

func sectionOf(path string) (found int) {
	longest := 0
	for i := range sections {
		for _, prefix := range strings.Fields(sections[i].prefixes) {
			if strings.HasPrefix(path, prefix) && len(prefix) > longest {
				found, longest = i, len(prefix)
			}
		}
	}
	return found
}

func (r *route) describe(section string, example exchanged) openapi.Operation {
	return openapi.Operation{
		Method: r.method, Path: r.path, Aliases: r.allPaths()[1:],
		ID: r.api.id, Summary: r.api.about, About: r.notes(), Tag: section,
		Sample: example.Sample,
		Rules:  site.SampleOrigin + site.RulesPath + r.api.rules,
		Key:    r.limited(), Scopes: r.scopes(), Parameters: r.parameters(),
		Body: r.api.in, BodyExample: example.Request, BodyRequired: r.needsBody(),
		Responses: r.responses(example.Response),
	}
}

func (r *route) scopes() []string {
	if r.guards == nil {
		return nil
	}
	return r.guards.Scopes.Names()
}

func (r *route) needsBody() bool {
	return r.api.in != nil && slices.ContainsFunc(r.api.in.Fields(), func(f openapi.Field) bool { return !f.Optional })
}

// notes returns the row's own notes, the scopes and modules that the request needs, and its aliases.
func (r *route) notes() string {
	var all []string
	if r.api.notes != "" {
		all = append(all, r.api.notes)
	}
	switch scopes := r.scopes(); {
	case !r.limited():
		all = append(all, "Needs no key.")
	case len(scopes) == 0:
		all = append(all, "Needs a key with any scope.")
	default:
		all = append(all, "Needs a key with the scope `"+strings.Join(scopes, "` or `")+"`.")
	}
	if r.guards != nil && len(r.guards.Modules) > 0 {
		var names []string
		for _, m := range r.guards.Modules {
			names = append(names, m.String())
		}
		all = append(all, "Needs the store's module `"+strings.Join(names, "` and `")+"`.")
	}
	for _, alias := range r.allPaths()[1:] {
		all = append(all, "Also served at `"+alias+"`.")
	}
	return strings.Join(all, "\n\n")
}

// parameters returns the parameters of the path, of the query and of the headers, in this order.
func (r *route) parameters() (all []openapi.Parameter) {
	for _, name := range placeholders(r.path) {
		all = append(all, openapi.Parameter{In: "path", Name: name, Required: true, Schema: openapi.Text, About: pathNotes[cmp.Or(r.model(name), name)]})
	}
	all = append(all, r.api.query...)
	if r.limited() {
		all = append(all, r.includeQuery())
	}
	if g := r.guards; g != nil && g.Token != nil {
		all = append(all, customerTokenNeeded)
	} else if g != nil && !g.TokenIgnored {
		all = append(all, customerToken)
	}
	if r.repeatable() {
		all = append(all, idempotencyKey)
	}
	if r.conditional() {
		all = append(all, ifMatch)
	}
	if r.method == "GET" && r.hasTag() {
		all = append(all, ifNoneMatch)
	}
	if r.api.media == eventStream {
		all = append(all, lastEvent)
	}
	return all
}

// responses returns the success, 304, and the refusals by their status.
func (r *route) responses(example json.RawMessage) []openapi.Response {
	success := openapi.Response{Status: r.status, About: http.StatusText(r.status) + ".", Headers: r.headers(r.status), Media: r.media(), Body: r.api.out}
	if example != nil {
		success.Examples = []openapi.Example{{Value: example}}
	}
	all := []openapi.Response{success}
	if r.api.repeated != 0 {
		again := success
		again.Status, again.About, again.Examples = r.api.repeated, "OK: what the request makes is there already.", nil
		all = append(all, again)
	}
	if r.method == "GET" && r.hasTag() {
		all = append(all, openapi.Response{Status: 304, About: "The client has the current representation already (`If-None-Match`). There is no body.",
			Headers: r.headers(304)})
	}
	byStatus := map[int][]*commerce.Refusal{}
	for _, refusal := range r.allRefusals() {
		status := statusOf[refusal.Kind]
		byStatus[status] = append(byStatus[status], refusal)
	}
	validated := r.validation()
	for status := 400; status < 500; status++ {
		var fields []*commerce.Refusal
		if status == 422 && validated != nil {
			fields = []*commerce.Refusal{validated}
		}
		if refusals := append(fields, byStatus[status]...); len(refusals) > 0 {
			all = append(all, r.refusalResponse(status, refusals))
		}
	}
	all = append(all, responseOf(serverError, "ServerError"), r.unavailable(byStatus[503]))
	if r.limited() && r.method != "GET" {
		all = append(all, responseOf(gatewayTimeout, "OutcomeUnknown"))
	}
	return append(all, otherAnswers)
}

// unavailable returns the 503: the common one, or one that also shows the route's own refusals.
func (r *route) unavailable(refusals []*commerce.Refusal) openapi.Response {
	if len(refusals) == 0 {
		return responseOf(unavailable, "Unavailable")
	}
	own := r.refusalResponse(503, refusals)
	own.Headers = responseOf(unavailable, "").Headers
	own.Examples = append(own.Examples, openapi.Example{Name: "unavailable", Summary: unavailable.when, Value: appendProblem(nil, unavailable)})
	own.About += "\n\nOr, as everywhere: " + unavailable.when + " " + unavailable.then
	return own
}

// validation returns an example of the 422 for a faulty field: the first field of the body. It is
// nil if the route reads no body.
func (r *route) validation() *commerce.Refusal {
	if r.api.in == nil {
		return nil
	}
	name := r.api.in.Fields()[0].Name
	if r.needsBody() {
		return faultOf(name, commerce.MsgRequired(name))
	}
	return faultOf(name, commerce.MsgString(name))
}

// faultOf returns the refusal of a faulty field or query parameter, as an example.
func faultOf(name string, message commerce.Message) *commerce.Refusal {
	refusal := commerce.FaultOf(name, message)
	refusal.When = "A field is missing or faulty, as in the example; `errors` names every such field."
	return refusal
}

func (r *route) refusalResponse(status int, refusals []*commerce.Refusal) openapi.Response {
	response := openapi.Response{Status: status, Media: string(contentType), Body: answers.Refusal.Schema, Headers: r.headers(status)}
	var about strings.Builder
	about.WriteString(http.StatusText(status) + ".\n")
	for _, refusal := range refusals {
		if refusal.BareError {
			response.Body = answers.AnyRefusal.Schema
		}
		about.WriteString("\n- " + refusalNote(refusal))
		response.Examples = append(response.Examples, openapi.Example{
			Name: refusalName(refusal), Summary: refusal.When, Value: appendRefusal(nil, refusal, false),
		})
	}
	response.About = about.String()
	return response
}

// refusalNote returns one line of a response's description: text, code, and when it occurs.
func refusalNote(r *commerce.Refusal) string {
	note := "`" + r.Message + "`"
	if r.Code != "" {
		note += ", code `" + r.Code + "`"
	}
	return note + ": " + r.When
}

// refusalName returns a name for the example of a refusal, from its text and its code.
func refusalName(r *commerce.Refusal) string {
	words := strings.FieldsFunc(r.Message, func(c rune) bool { return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') })
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	name := strings.Join(words, "")
	if r.Code != "" {
		name += "." + r.Code
	}
	return name
}

// responseOf describes a fault of the server. All operations share it under its name.
func responseOf(p *problem, name string) openapi.Response {
	response := openapi.Response{
		Status: p.status, About: p.when + " " + p.then, Component: name, Media: string(contentType), Body: answers.Refusal.Schema,
		Headers:  []openapi.Header{requestIDHeader, limitHeader.Always(false), remainingHeader.Always(false), ignoredHeader, ignoredParametersHeader},
		Examples: []openapi.Example{{Value: appendProblem(nil, p)}},
	}
	if p.retryAfter > 0 {
		response.Headers = append(response.Headers, retryAfterHeader)
	}
	return response
}

// otherAnswers are the answers about HTTP itself, which belong to no route.
var otherAnswers = openapi.Response{
	About:     "Another answer about HTTP itself, such as 400 for a request that cannot be read or 431 for a head above 16 KiB. docs/api/errors.md lists them.",
	Component: "Other", Media: string(contentType), Body: answers.Refusal.Schema, Headers: []openapi.Header{requestIDHeader},
}

func (r *route) media() string {
	if r.api.media != "" {
		return r.api.media
	}
	return string(contentType)
}

// headers returns the headers of an answer with this status.
func (r *route) headers(status int) (all []openapi.Header) {
	all = append(all, requestIDHeader)
	if sometimes := status == 400 || status == 413; r.limited() {
		all = append(all, limitHeader.Always(!sometimes), remainingHeader.Always(!sometimes))
	}
	if r.limited() && status == 429 {
		all = append(all, retryAfterHeader, resetHeader)
	}
	if status < 400 && r.hasTag() || status == 412 {
		all = append(all, tagHeader.Always(!r.asGuest() || status == 304))
	}
	if status < 300 && r.repeatable() {
		all = append(all, replayedHeader)
	}
	if status < 300 && (r.api.out == answers.OrderAnswer.Schema || r.api.out == answers.QuoteAccepted.Schema) {
		all = append(all, orderTokenHeader)
	}
	if r.api.in != nil && status != 413 {
		all = append(all, ignoredHeader)
	}
	if status != 413 {
		all = append(all, ignoredParametersHeader)
	}
	if r.asGuest() && status != 304 && status != 401 && status != 413 {
		all = append(all, tokenStatusHeader)
	}
	if status == 200 && r.api.media == eventStream {
		all = append(all, bufferingHeader)
	}
	return all
}
