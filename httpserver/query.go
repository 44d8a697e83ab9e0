package httpserver

import (
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/answers"
	"cartd/internal/openapi"
)

// lastArg returns a query parameter. If it is sent more than once, the last value counts.
func lastArg(x *exchange, name string) string {
	all := x.ctx.QueryArgs().PeekMulti(name)
	if len(all) == 0 {
		return ""
	}
	return string(all[len(all)-1])
}

// wholeNumber reads digits, with an optional minus. A number beyond the range of int is clamped.
func wholeNumber(text string) (int, bool) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, _ := strconv.Atoi(text) // clamped if out of range
	return n, true
}

// numberArg reads a number of at least least; 0 if it is absent, blank or faulty.
func numberArg(x *exchange, faults *commerce.Faults, name string, least int64) int64 {
	text := commerce.Trim(lastArg(x, name))
	if text == "" {
		return 0
	}
	n, whole := commerce.ParseWhole(text)
	switch {
	case !whole:
		faults.Add(name, commerce.MsgInteger(name))
	case n < least:
		faults.Add(name, commerce.MsgMin(name, int(least)))
	}
	return max(0, min(n, maxPage))
}

// idArg reads an id; zero if it is absent, blank or faulty.
func idArg(x *exchange, faults *commerce.Faults, name string) uuid.UUID {
	text := commerce.Trim(lastArg(x, name))
	id, ok := commerce.ParseID(text)
	if text != "" && !ok {
		faults.Add(name, commerce.MsgUUID(name))
	}
	return id
}

// statusArg reads a filter by status; nil if it is absent or blank.
func statusArg[S any](x *exchange, faults *commerce.Faults, name string, parse func(string) (S, bool)) *S {
	text := commerce.Trim(lastArg(x, name))
	if text == "" {
		return nil
	}
	status, ok := parse(text)
	if !ok {
		faults.Add(name, commerce.MsgIn(name))
	}
	return &status
}

// amountArg reads an amount in minor units, nil if it is not sent.
func amountArg(x *exchange, faults *commerce.Faults, name string) *commerce.Amount {
	text := lastArg(x, name)
	if blankText(text) {
		return nil
	}
	n, ok := wholeNumber(text)
	if !ok {
		faults.Add(name, commerce.MsgInteger(name))
	}
	amount := commerce.Amount(n)
	return &amount
}

// blankText reports whether a query parameter is empty or has only spaces.
func blankText(text string) bool { return commerce.Trim(text) == "" }

// tooLong refuses a parameter with more than so many characters.
func tooLong(name, text string, most int) error {
	var faults commerce.Faults
	commerce.AtMost(most)(&faults, name, text)
	if refusal := faults.Refusal(); refusal != nil {
		return refusal
	}
	return nil
}

func appendID(ids []uuid.UUID, text []byte) []uuid.UUID {
	if id, ok := commerce.ParseID(string(text)); ok {
		return append(ids, id)
	}
	return ids
}

// listName removes the brackets from the name of a list's entry.
func listName(key string) string {
	name, index, bracketed := strings.Cut(key, "[")
	if bracketed && strings.Trim(strings.TrimSuffix(index, "]"), "0123456789") == "" && strings.HasSuffix(index, "]") {
		return name
	}
	return key
}

// includeParameter is the query parameter that lists additions to an answer, separated by commas.
const includeParameter = "include"

// include is an addition to the answers of a route.
type include struct{ name, about string }

// allIncludes returns the additions that the route has.
func (r *route) allIncludes() []include {
	all := slices.Clone(r.api.includes)
	if r.showsCart() {
		all = append(all, cartDetails, cartStock)
	}
	return append(all, include{answers.IncludeErrorCodes, "adds the codes of `errors` to a refusal that has them."})
}

// includeQuery describes the parameter include of the route.
func (r *route) includeQuery() openapi.Parameter {
	var names, about []string
	for _, i := range r.allIncludes() {
		names, about = append(names, i.name), append(about, "`"+i.name+"` "+i.about)
	}
	return openapi.Parameter{In: "query", Name: includeParameter, Commas: true, Schema: openapi.List(openapi.Names(names...)),
		About: "Additions to the answer, separated by commas. " + strings.Join(about, " ")}
}

// appendUnknownIncludes collects the values of a list that the route does not have.
func (r *route) appendUnknownIncludes(names []string, list string) []string {
	for value := range strings.SplitSeq(list, ",") {
		if value != "" && !slices.ContainsFunc(r.allIncludes(), func(i include) bool { return i.name == value }) {
			names = appendName(names, includeParameter+"."+value)
		}
	}
	return names
}

// includes reports whether the request asks for an addition.
func (x *exchange) includes(name string) bool {
	for value := range strings.SplitSeq(lastArg(x, includeParameter), ",") {
		if value == name {
			return true
		}
	}
	return false
}

// taxCountryParameter is the parameter that decodeTaxCountry reads.
var taxCountryParameter = queryOf("country", openapi.Text,
	"The country of the tax, two letters in any case; absent: the store's. Ignored in a store without `country`.")

// taxCountryRefusals is an example of the refusals of taxCountry.
var taxCountryRefusals = shippingQueryRefusals

// decodeTaxCountry reads the tax country of an answer of the catalogue: the query's, else the store's; zero in a
// store that does not tax by country. docs/api/tax.md#catalogue.
func decodeTaxCountry(x *exchange, faults *commerce.Faults) commerce.Country {
	s := x.facts.Store
	if (s.Country == commerce.Country{}) {
		return s.Country
	}
	return s.CountryOr(faults.Country(taxCountryParameter.Name, commerce.Trim(lastArg(x, taxCountryParameter.Name))))
}

// taxCountry is decodeTaxCountry for a route without other parameters.
func (x *exchange) taxCountry() (commerce.Country, *commerce.Refusal) {
	var faults commerce.Faults
	country := decodeTaxCountry(x, &faults)
	return country, faults.Refusal()
}

// decodeCountry reads the country of delivery; nil if it is absent or blank.
func decodeCountry(x *exchange) (*commerce.Country, *commerce.Refusal) {
	var faults commerce.Faults
	country := faults.Country("country", commerce.Trim(lastArg(x, "country")))
	return country, faults.Refusal()
}
