package convert

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// markup is a tag or an entity of HTML: a text without either is plain.
var markup = regexp.MustCompile(`(?i)</?(?:p|br|div|span|ul|ol|li|b|i|u|s|em|strong|small|h[1-6]|a|img|table|tbody|thead|tr|t[dh]|font|meta|style|script|` +
	`section|article|header|figure|iframe|blockquote|hr|sup|sub|dl|dt|dd|pre|code|center|video|link|button|label|strike|del|ins|mark|o:p)(?:\s[^<>]*)?/?>|` +
	`&(?:[a-z][a-z0-9]+|#[0-9]+|#x[0-9a-f]+);`)

// blocks are the elements that stand on lines of their own.
var blocks = setOf("p div ul ol li h1 h2 h3 h4 h5 h6 table tr section article header footer figure figcaption blockquote hr dl dt dd pre center address")

// unshown are the elements whose content no page shows as text.
var unshown = setOf("script style template iframe noscript title head")

func setOf(names string) map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(names) {
		set[name] = true
	}
	return set
}

// plainText is the text that a page shows of HTML: a line for each block and each break, entities read. Line
// ends of the source count only if it has no blocks and breaks, or if keepLines says so, as WordPress does.
// It returns false with the text as it is if the text is plain already.
func plainText(text string, keepLines bool) (string, bool) {
	if !markup.MatchString(text) {
		return text, false
	}
	w := textWriter{keepLines: keepLines || !hasBlocks(text)}
	w.read(text)
	return w.b.String(), true
}

// hasBlocks reports whether HTML has elements that make lines.
func hasBlocks(text string) bool {
	for z := html.NewTokenizer(strings.NewReader(text)); z.Next() != html.ErrorToken; {
		if name, _ := z.TagName(); blocks[string(name)] || string(name) == "br" {
			return true
		}
	}
	return false
}

// textWriter writes what a page shows of HTML.
type textWriter struct {
	b         strings.Builder
	keepLines bool
	// space and ends are what stands ahead of the next word: a space, or line ends. sourceEnds are those of
	// the source, which add nothing to those of blocks and breaks.
	space            bool
	ends, sourceEnds int
}

func (w *textWriter) read(text string) {
	hidden := ""
	for z := html.NewTokenizer(strings.NewReader(text)); ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return
		}
		token := z.Token()
		switch {
		case hidden != "":
			if kind == html.EndTagToken && token.Data == hidden {
				hidden = ""
			}
		case kind == html.TextToken:
			w.text(token.Data)
		case kind == html.CommentToken, kind == html.DoctypeToken:
		case kind == html.StartTagToken && unshown[token.Data]:
			hidden = token.Data
		case token.Data == "br":
			w.ends++
		case blocks[token.Data]:
			w.ends = max(w.ends, 1)
		case token.Data == "td", token.Data == "th":
			w.space = true
		}
	}
}

// text writes the words of a text.
func (w *textWriter) text(text string) {
	for _, c := range text {
		switch {
		case c == '\n' && w.keepLines:
			w.sourceEnds++
		case unicode.IsSpace(c):
			w.space = true
		default:
			w.word(c)
		}
	}
}

// word writes a character of a word. There is at most one empty line ahead of it.
func (w *textWriter) word(c rune) {
	switch ends := max(w.ends, w.sourceEnds); {
	case w.b.Len() == 0:
	case ends > 0:
		w.b.WriteString("\n\n"[:min(ends, 2)])
	case w.space:
		w.b.WriteByte(' ')
	}
	w.space, w.ends, w.sourceEnds = false, 0, 0
	w.b.WriteRune(c)
}
