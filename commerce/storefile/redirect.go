package storefile

import (
	"net/http"

	"cartd/commerce"
)

func (d *document) redirect(f field) commerce.Redirect {
	o := f.object()
	defer o.close()
	from, to := o.required("from"), o.required("to")
	r := commerce.Redirect{
		From: from.uniqueText(&d.redirects),
		To:   to.text(),
		Status: o.get("status").code(
			http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect,
		),
	}
	from.judgeLocation(r.From)
	to.judgeLocation(r.To)
	return r
}
