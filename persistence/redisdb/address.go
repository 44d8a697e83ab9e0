package redisdb

import "strings"

// RedactURL removes from a URL the parts that may hold a password: user and query. Of a text
// that is no URL it keeps nothing if the text may hold one.
func RedactURL(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	switch {
	case !ok && strings.ContainsAny(url, "@?"), ok && strings.ContainsAny(scheme, ":@,?"):
		return "…"
	case !ok:
		return url
	}
	address, query, hasQuery := strings.Cut(rest, "?")
	if strings.Contains(query, "@") { // the @ may belong to a password
		return scheme + "://…"
	}
	if at := strings.LastIndex(address, "@"); at >= 0 {
		address = "…@" + address[at+1:]
	}
	if hasQuery {
		address += "?…"
	}
	return scheme + "://" + address
}
