package convert

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

// picture is a picture of a product or variant.
type picture struct {
	place
	position int // in the order of the table, 0 if it gives none
	url, alt string
}

func (p picture) members() members {
	m := members{{"url", p.url}}
	if p.alt != "" {
		m.set("alt", p.alt)
	}
	return m
}

// picture adds a picture of a product or variant. Those of a table take the place of the earlier ones.
func (d *Document) picture(p *product, to *goods, at place, address, alt string, position int) {
	if address == "" {
		return
	}
	if reason := refusedPicture(address); reason != "" {
		d.sayOf(at, p.handle, leftOut, "the picture %q is left out: %s", shown(address), reason)
		return
	}
	if !to.pictured {
		to.media, to.pictured = nil, true
	}
	if to == &p.goods {
		if p.pictures == nil {
			p.pictures = map[string]bool{}
		}
		if p.pictures[address] {
			return // a repetition of one that the product has
		}
		p.pictures[address] = true
	}
	to.media = append(to.media, picture{place: at, position: position, url: address, alt: d.text(at, p.handle, "the alt text", alt, storefile.MaxAlt)})
}

// listedAddress begins an address that follows another one behind a comma, semicolon or bar.
var listedAddress = regexp.MustCompile(`[,;|]+(https?://|$)`)

// addresses splits a cell of pictures at spaces and line ends, and at a comma, semicolon or bar ahead of
// one of them or of the next URL: an address may have them elsewhere.
func addresses(cell string) (all []string) {
	for _, text := range strings.Fields(cell) {
		all = append(all, strings.Fields(listedAddress.ReplaceAllString(text, " $1"))...)
	}
	return all
}

// refusedPicture says why an address cannot be that of a picture, "" if it can.
func refusedPicture(address string) string {
	u, err := url.Parse(address)
	_, long := shortened(address, storefile.MaxMediaURL)
	switch {
	case long:
		return "its address is too long"
	case strings.ContainsFunc(address, commerce.IsControl):
		return "its address has control characters"
	case strings.HasPrefix(address, "https://") && err == nil && u.Hostname() != "":
		return ""
	case strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//"):
		return ""
	}
	return "its address must begin with https:// or be a path"
}

// order puts the pictures into the order of their positions, and leaves out those beyond the limit. A
// picture without a position follows the one ahead of it.
func (d *Document) order(p *product, g *goods) {
	last := 0
	for i := range g.media {
		if g.media[i].position == 0 {
			g.media[i].position = last
		}
		last = g.media[i].position
	}
	slices.SortStableFunc(g.media, func(a, b picture) int { return a.position - b.position })
	for i := storefile.MaxMedia; i < len(g.media); i++ {
		d.sayOf(g.media[i].place, p.handle, leftOut, "the picture %q is left out: there are at most %d", shown(g.media[i].url), storefile.MaxMedia)
	}
	g.media = g.media[:min(len(g.media), storefile.MaxMedia)]
}
