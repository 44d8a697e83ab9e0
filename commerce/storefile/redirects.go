package storefile

import (
	"net/http"

	"cartd/commerce"
)

func (d *document) redirect(f field) commerce.Redirect {
	o := f.object()
	defer o.close()
	return commerce.Redirect{
		From:   o.required("from").uniqueText(&d.redirects),
		To:     o.required("to").text(),
		Status: redirectStatus(o.get("status")),
	}
}

func redirectStatus(f field) int {
	if f.absent() {
		return http.StatusMovedPermanently
	}
	for _, status := range []int{
		http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect,
	} {
		if f.is(status) {
			return status
		}
	}
	f.fault("must be one of 301, 302, 307, 308")
	return 0
}
