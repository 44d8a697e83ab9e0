package storefile

import (
	"net/http"

	"cartd/commerce"
	"cartd/internal/openapi"
)

var redirect = objectKind("redirect",
	required("from", location(func(d *document, f field) string { return f.uniqueText(&d.redirects) }).marked(textKey), "",
		func(r *commerce.Redirect) *string { return &r.From }),
	required("to", location(func(_ *document, f field) string { return f.text() }), "", func(r *commerce.Redirect) *string { return &r.To }),
	member("status", codes(http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect), "",
		func(r *commerce.Redirect) *int { return &r.Status }),
)

// location is the kind of the texts that name a page of a shop.
func location(read func(d *document, f field) string) kind[string] {
	return known(openapi.Text.Pattern(`^(?:[Hh][Tt][Tt][Pp][Ss]?://|/$|/[^/\x5c])`, oneLine).About(aLocation).Definition("location"), read).
		then(func(_ *document, f field, text *string) { f.judgeLocation(*text) })
}
