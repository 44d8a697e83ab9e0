package storefile

import (
	"net/http"

	"cartd/commerce"
	"cartd/internal/openapi"
)

var redirect = objectKind("redirect",
	required("from", location(unique(text, func(d *document) *register[string] { return &d.redirects })).marked(textKey), "",
		func(r *commerce.Redirect) *string { return &r.From }),
	required("to", location(text), "", func(r *commerce.Redirect) *string { return &r.To }),
	member("status", codes(http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect), "",
		func(r *commerce.Redirect) *int { return &r.Status }),
)

// location is the kind of such texts that name a page of a shop.
func location(k kind[string]) kind[string] {
	k.schema = openapi.Text.Pattern(`^(?:[Hh][Tt][Tt][Pp][Ss]?://|/$|/[^/\x5c])`, oneLine).About(aLocation).Definition("location")
	return k.then(func(_ *document, f field, text *string) { f.judgeLocation(*text) })
}
