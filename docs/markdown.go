package docs

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"unicode"
)

// The part of Markdown that the pages use: headings, paragraphs, lists, tables, code, bold, emphasis,
// links. A test fails for a page that uses more.

var (
	heading  = regexp.MustCompile(`^(#{1,6}) (.*)$`)
	listItem = regexp.MustCompile(`^(- |[0-9]+\. )`)
	link     = regexp.MustCompile(`^\[([^\]]+)\]\(([^)\s]+)\)`)
)

// render writes the blocks of a text.
func render(out *strings.Builder, text string) {
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	for len(lines) > 0 {
		first := lines[0]
		switch found := heading.FindStringSubmatch(first); {
		case first == "":
			lines = lines[1:]
		case found != nil:
			fmt.Fprintf(out, "<h%d id=\"%s\">%s</h%[1]d>\n", len(found[1]), anchor(found[2]), inline(found[2]))
			lines = lines[1:]
		case strings.HasPrefix(first, "```"):
			lines = renderCode(out, lines)
		case strings.HasPrefix(first, "|"):
			lines = renderTable(out, lines)
		case listItem.MatchString(first):
			lines = renderList(out, lines)
		default:
			lines = renderParagraph(out, lines)
		}
	}
}

// take splits off the first lines, as long as they belong to the block.
func take(lines []string, belongs func(string) bool) (block, rest []string) {
	n := 0
	for n < len(lines) && belongs(lines[n]) {
		n++
	}
	return lines[:n], lines[n:]
}

func renderCode(out *strings.Builder, lines []string) (rest []string) {
	block, rest := take(lines[1:], func(line string) bool { return line != "```" })
	fmt.Fprintf(out, "<pre tabindex=\"0\"><code>%s</code></pre>\n", html.EscapeString(strings.Join(block, "\n")))
	return rest[min(1, len(rest)):]
}

// renderTable writes a table. Its second line separates the head from the rows.
func renderTable(out *strings.Builder, lines []string) (rest []string) {
	block, rest := take(lines, func(line string) bool { return strings.HasPrefix(line, "|") })
	out.WriteString("<div class=\"wide\" tabindex=\"0\"><table>\n")
	for i, row := range block {
		cell := "td"
		if i == 0 {
			cell = "th"
		} else if i == 1 {
			continue
		}
		out.WriteString("<tr>")
		for _, text := range strings.Split(strings.Trim(row, "|"), "|") {
			fmt.Fprintf(out, "<%s>%s</%[1]s>", cell, inline(strings.TrimSpace(text)))
		}
		out.WriteString("</tr>\n")
	}
	out.WriteString("</table></div>\n")
	return rest
}

// renderList writes a list. Indented lines after an item belong to it.
func renderList(out *strings.Builder, lines []string) (rest []string) {
	kind := "ul"
	if !strings.HasPrefix(lines[0], "- ") {
		kind = "ol"
	}
	fmt.Fprintf(out, "<%s>\n", kind)
	for len(lines) > 0 && listItem.MatchString(lines[0]) {
		first := lines[0]
		more, after := take(lines[1:], func(line string) bool { return strings.HasPrefix(line, "  ") })
		text, below := []string{listItem.ReplaceAllString(first, "")}, more
		for len(below) > 0 && !listItem.MatchString(strings.TrimSpace(below[0])) {
			text, below = append(text, strings.TrimSpace(below[0])), below[1:]
		}
		out.WriteString("<li>" + inline(strings.Join(text, " ")))
		if len(below) > 0 {
			out.WriteByte('\n')
			indent := below[0][:len(below[0])-len(strings.TrimLeft(below[0], " "))]
			for i := range below {
				below[i] = strings.TrimPrefix(below[i], indent)
			}
			render(out, strings.Join(below, "\n"))
		}
		out.WriteString("</li>\n")
		lines = after
	}
	fmt.Fprintf(out, "</%s>\n", kind)
	return lines
}

func renderParagraph(out *strings.Builder, lines []string) (rest []string) {
	block, rest := take(lines, func(line string) bool {
		return line != "" && !strings.HasPrefix(line, "```") && !strings.HasPrefix(line, "|") && !listItem.MatchString(line) && !heading.MatchString(line)
	})
	fmt.Fprintf(out, "<p>%s</p>\n", inline(strings.Join(block, " ")))
	return rest
}

// inline returns a text with its code, bold, emphasis and links.
func inline(text string) string {
	var out strings.Builder
	strong, emphasis := false, false
	toggle := func(on *bool, tag string) {
		if *on = !*on; *on {
			out.WriteString("<" + tag + ">")
		} else {
			out.WriteString("</" + tag + ">")
		}
	}
	for text != "" {
		switch found := link.FindStringSubmatch(text); {
		case found != nil:
			out.WriteString(reference(found[2], inline(found[1])))
			text = text[len(found[0]):]
		case strings.HasPrefix(text, "**"):
			toggle(&strong, "strong")
			text = text[2:]
		case text[0] == '*':
			toggle(&emphasis, "em")
			text = text[1:]
		case text[0] == '`' && strings.Contains(text[1:], "`"):
			code, rest, _ := strings.Cut(text[1:], "`")
			out.WriteString("<code>" + html.EscapeString(code) + "</code>")
			text = rest
		default:
			end := strings.IndexAny(text[1:], "*`[") + 1
			if end == 0 {
				end = len(text)
			}
			out.WriteString(html.EscapeString(text[:end]))
			text = text[end:]
		}
	}
	return out.String()
}

// reference returns a link to another page, a heading or the web. Other files of the sources are not
// served: of a link to one only the text is left.
func reference(target, text string) string {
	file, _, _ := strings.Cut(target, "#")
	switch {
	case target == "../openapi.json":
		target = "/openapi.json"
	case strings.Contains(file, "/") && !strings.HasPrefix(target, "https://"):
		return text
	}
	return `<a href="` + html.EscapeString(target) + `">` + text + "</a>"
}

// anchor returns the name of a heading, as code hosts make it: links in the sources use it.
func anchor(title string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == ' ':
			return '-'
		case unicode.IsLetter(c) || unicode.IsDigit(c) || c == '-' || c == '_':
			return unicode.ToLower(c)
		}
		return -1
	}, title)
}
