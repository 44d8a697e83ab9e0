package storefile

import (
	"net/http"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
)

var redirect = objectKind("redirect",
	field.Required("from", marked(location(then(text, (*document).uniquePath)), textKey|pathKey),
		"Percent escapes count decoded, once: /caf%C3%A9 is /café.",
		func(r *commerce.Redirect) *string { return &r.From }),
	field.Required("to", location(text), "", func(r *commerce.Redirect) *string { return &r.To }),
	field.Optional("status", codes(http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect), "",
		func(r *commerce.Redirect) *int { return &r.Status }),
)

// uniquePath refuses a path that another redirect has, in any spelling.
func (d *document) uniquePath(f value, path *string) {
	if *path != "" {
		d.redirects.unique(f, commerce.PathKey(*path))
	}
}

// location is the kind of such texts that name a page of a shop.
func location(k kind[string]) kind[string] {
	k.Schema = openapi.Text.Pattern(`^(?:[Hh][Tt][Tt][Pp][Ss]?://|/$|/[^/\x5c])`, oneLine).About(aLocation).Definition("location")
	return then(k, func(_ *document, f value, text *string) { f.judgeLocation(*text) })
}
