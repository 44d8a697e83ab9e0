package redisdb

import "strings"

// RedactURL leaves out of a URL what may hold a password: user and query, and all of a
// text that is no URL.
func RedactURL(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	switch {
	case !ok && strings.ContainsAny(url, "@?"), ok && strings.ContainsAny(scheme, ":@,?"):
		return "…"
	case !ok:
		return url
	}
	place, query, asked := strings.Cut(rest, "?")
	if strings.Contains(query, "@") { // or it belongs to a password
		return scheme + "://…"
	}
	if at := strings.LastIndex(place, "@"); at >= 0 {
		place = "…@" + place[at+1:]
	}
	if asked {
		place += "?…"
	}
	return scheme + "://" + place
}
