package main

import (
	"fmt"
	"net/url"
	"strings"
)

// originFlag collects web origins.
type originFlag struct {
	given
	list listFlag
}

func (o *originFlag) String() string { return o.list.String() }

func (o *originFlag) Set(value string) error {
	value, err := o.text(value)
	if err != nil {
		return err
	}
	var texts listFlag
	texts.Set(value)
	for _, text := range texts {
		if !isOrigin(text) {
			return fmt.Errorf("%q is no origin: give scheme://host[:port] as browsers send it, e.g. https://shop.example", text)
		}
	}
	o.list = append(o.list, texts...)
	return nil
}

// isOrigin reports whether a browser may send the text as Origin: in lower case, without a path and
// without the scheme's default port. Origins are compared byte by byte.
func isOrigin(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || text != u.Scheme+"://"+u.Host {
		return false
	}
	usual := map[string]string{"http": "80", "https": "443"}[u.Scheme]
	ownPort := u.Port() != "" && u.Port() == usual || strings.HasSuffix(u.Host, ":")
	return !ownPort && !strings.ContainsFunc(text, neverSent)
}

// neverSent reports characters that no browser sends in an origin: letters are small, other
// alphabets are in Punycode, and a pattern would match nothing.
func neverSent(r rune) bool {
	return r > '~' || 'A' <= r && r <= 'Z' || strings.ContainsRune("*%", r)
}
