package docs

import (
	"io"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// first comes ahead of goldmark's own renderers and transformers.
const first = 0

var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithASTTransformers(util.Prioritized(links{}, first))),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(scrolling{}, first))),
)

// render writes a text as HTML.
func render(out io.Writer, source string) error {
	return markdown.Convert([]byte(source), out, parser.WithContext(parser.NewContext(parser.WithIDs(anchors{}))))
}

// anchors names headings as code hosts do: links in the sources use these names.
type anchors struct{}

func (anchors) Generate(title []byte, _ ast.NodeKind) []byte {
	return []byte(strings.Map(func(c rune) rune {
		switch {
		case c == ' ':
			return '-'
		case unicode.IsLetter(c) || unicode.IsDigit(c) || c == '-' || c == '_':
			return unicode.ToLower(c)
		}
		return -1
	}, string(title)))
}

func (anchors) Put([]byte) {}

// links keeps links to another page, a heading or the web. Other files of the sources are not served:
// of a link to one only the text is left.
type links struct{}

func (links) Transform(page *ast.Document, _ text.Reader, _ parser.Context) {
	var found []*ast.Link
	_ = ast.Walk(page, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if link, ok := n.(*ast.Link); ok && entering {
			found = append(found, link)
		}
		return ast.WalkContinue, nil
	})
	for _, link := range found {
		target := string(link.Destination)
		file, _, _ := strings.Cut(target, "#")
		switch {
		case target == "../openapi.json":
			link.Destination = []byte("/openapi.json")
		case strings.Contains(file, "/") && !strings.HasPrefix(target, "https://"):
			parent := link.Parent()
			for child := link.FirstChild(); child != nil; child = link.FirstChild() {
				parent.InsertBefore(parent, link, child)
			}
			parent.RemoveChild(parent, link)
		}
	}
}

// scrolling lets wide tables and code scroll, also by the keyboard.
type scrolling struct{}

func (scrolling) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(tables.KindTable, around("<div class=\"wide\" tabindex=\"0\"><table>\n", "</table></div>\n"))
	r.Register(ast.KindFencedCodeBlock, renderCode)
}

func around(before, after string) renderer.NodeRendererFunc {
	return func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		tag := after
		if entering {
			tag = before
		}
		_, err := w.WriteString(tag)
		return ast.WalkContinue, err
	}
}

func renderCode(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString("<pre tabindex=\"0\"><code>")
	_, _ = w.Write(util.EscapeHTML(n.Lines().Value(source)))
	_, err := w.WriteString("</code></pre>\n")
	return ast.WalkSkipChildren, err
}
