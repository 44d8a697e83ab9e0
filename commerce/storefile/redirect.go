package storefile

import (
	"net/http"

	"cartd/commerce"
)

func (d *document) redirect(f field) commerce.Redirect {
	o := f.object()
	defer o.close()
	return commerce.Redirect{
		From: o.required("from").uniqueText(&d.redirects),
		To:   o.required("to").text(),
		Status: o.get("status").code(
			http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect,
		),
	}
}
