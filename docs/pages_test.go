package docs

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What is not goldmark's own: the names of headings, what scrolls, and where links lead.
func TestRender(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"# Carts: a `b` & c_d\n", "<h1 id=\"carts-a-b--c_d\">Carts: a <code>b</code> &amp; c_d</h1>\n"},
		{"```sh\n<a> | b\n\n# **c**\n```\n", "<pre tabindex=\"0\"><code>&lt;a&gt; | b\n\n# **c**\n</code></pre>\n"},
		{"| a |\n| --- |\n", "<div class=\"wide\" tabindex=\"0\"><table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n</table></div>\n"},
		{"[a `b`](lines.md#lines), [c](#d), [e **f**](../demo.md), [f](../openapi.json), [g](https://example.org), h[0]",
			`<p><a href="lines.md#lines">a <code>b</code></a>, <a href="#d">c</a>, e <strong>f</strong>, <a href="/openapi.json">f</a>, <a href="https://example.org">g</a>, h[0]</p>` + "\n"},
	} {
		var out strings.Builder
		if err := render(&out, c.text); err != nil || out.String() != c.want {
			t.Errorf("%q: %v\n got %q\nwant %q", c.text, err, &out, c.want)
		}
	}
}

var (
	goesTo = regexp.MustCompile(`href="([^"]*)"`)
	named  = regexp.MustCompile(`id="([^"]*)"`)
)

// Every link between pages has a target, and no text looks like HTML, which is left out.
func TestPages(t *testing.T) {
	pages, err := Pages()
	if err != nil || len(pages) < 10 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	const omitted = "raw HTML omitted"
	targets, shown := map[string]bool{"/": true, "/docs": true, "/openapi.json": true, "data:,": true}, map[string]string{}
	for _, page := range pages {
		body, err := page.HTML(true)
		if err != nil {
			t.Fatal(err)
		}
		shown[page.Path] = string(body)
		if comments := strings.Count(page.text, "<!--"); strings.Count(string(body), omitted) > comments {
			t.Errorf("%s has HTML outside code", page.Path)
		}
		targets[page.Path] = true
		for _, id := range named.FindAllStringSubmatch(string(body), -1) {
			at := page.Path + "#" + id[1]
			if targets[at] {
				t.Errorf("%s: two headings have this name", at)
			}
			targets[at] = true
		}
	}
	for path, body := range shown {
		for _, link := range goesTo.FindAllStringSubmatch(body, -1) {
			target := link[1]
			switch {
			case strings.HasPrefix(target, "https://"):
				continue
			case strings.HasPrefix(target, "#"):
				target = path + target
			case !strings.HasPrefix(target, "/") && !strings.HasPrefix(target, "data:"):
				target = "/docs/api/" + target
			}
			if !targets[target] {
				t.Errorf("%s links to %s, which does not exist", path, target)
			}
		}
	}
}

// root is the folder of the whole project.
const root = ".."

var (
	// inCode is a file or a folder in a document, <noun> being any noun; inComment a file in a comment.
	inCode    = regexp.MustCompile("`([a-z<][a-z_<>/-]*/[a-z_<>./-]*[a-z>]|[a-z_<>]+\\.[a-z]+)`")
	inComment = regexp.MustCompile(`[a-z_*/.]+\.(?:go|lua|json)\b`)
	anyNoun   = regexp.MustCompile("<[a-z]+>")
	// cited is a document, perhaps with one of its headings.
	cited = regexp.MustCompile(`\bdocs/[a-z/-]+\.md(?:#[a-z0-9_-]+)?`)
	// linked is the target of a link to another document, or to a heading.
	linked = regexp.MustCompile(`\]\(([a-z./-]*\.md)?(#[^)]+)?\)`)
)

// absent returns the names in a text that are in none of the folders, and the number of all names.
func absent(t *testing.T, text string, name *regexp.Regexp, folders ...string) (lacking []string, names int) {
	for _, found := range name.FindAllStringSubmatch(text, -1) {
		names++
		pattern, there := anyNoun.ReplaceAllString(found[len(found)-1], "*"), false
		for _, folder := range folders {
			files, err := filepath.Glob(filepath.Join(folder, pattern))
			if err != nil {
				t.Fatal(err)
			}
			there = there || len(files) > 0
		}
		if !there {
			lacking = append(lacking, found[len(found)-1])
		}
	}
	return lacking, names
}

// eachSource reads the project's own sources with one of the extensions.
func eachSource(t *testing.T, read func(file, text string), extensions ...string) {
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (slices.Contains([]string{"node_modules", "dist", "testdata"}, entry.Name()) || strings.HasPrefix(entry.Name(), ".") && file != root):
			return filepath.SkipDir
		case !entry.Type().IsRegular() || !slices.Contains(extensions, path.Ext(file)):
			return nil
		}
		text, err := os.ReadFile(file)
		read(file, string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Every file and folder that docs/contributing.md names exists.
func TestFilesOfContributing(t *testing.T) {
	text, err := os.ReadFile("contributing.md")
	if err != nil {
		t.Fatal(err)
	}
	// A name without a folder belongs to the folder of its row.
	folders := []string{root, "../commerce", "../persistence", "../blackbox/shop"}
	if lacking, names := absent(t, string(text), inCode, folders...); len(lacking) > 0 || names < 60 {
		t.Errorf("docs/contributing.md names %d files, %q do not exist; want at least 60", names, lacking)
	}
	for _, wrong := range []string{"commerce/lines.go", "line_of_no_file.go", "commerce/<noun>_of_none.go", "persistence/no_folder"} {
		if lacking, _ := absent(t, "in `"+wrong+"` is", inCode, folders...); !slices.Equal(lacking, []string{wrong}) {
			t.Errorf("of %s %q is absent", wrong, lacking)
		}
	}
}

// Every file that the comment of a package names exists: in the package, in one below it, or from the
// root.
func TestFilesOfPackageComments(t *testing.T) {
	all := 0
	eachSource(t, func(file, text string) {
		comment, _, _ := strings.Cut(text, "\npackage ")
		if !strings.HasPrefix(comment, "// ") {
			return
		}
		lacking, names := absent(t, comment, inComment, filepath.Dir(file), filepath.Join(filepath.Dir(file), "*"), root)
		if all += names; len(lacking) > 0 {
			t.Errorf("%s names %q, which do not exist", file, lacking)
		}
	}, ".go")
	if all < 100 {
		t.Errorf("%d names, want at least 100", all)
	}
	if lacking, _ := absent(t, "// Open first: pages.go, then page.go.", inComment, ".", root); !slices.Equal(lacking, []string{"page.go"}) {
		t.Errorf("%q are absent, want page.go", lacking)
	}
}

// headings are the documents of the project, each with its headings as file#heading.
func headings(t *testing.T) map[string]bool {
	all := map[string]bool{}
	eachSource(t, func(file, text string) {
		var body strings.Builder
		if err := render(&body, text); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		file, _ = filepath.Rel(root, file)
		all[file] = true
		for _, id := range named.FindAllStringSubmatch(body.String(), -1) {
			all[file+"#"+id[1]] = true
		}
	}, ".md")
	return all
}

// Every document that a source cites exists, and has the heading: docs/api/carts.md#claim.
func TestCitations(t *testing.T) {
	known, citations := headings(t), 0
	eachSource(t, func(file, text string) {
		for _, target := range cited.FindAllString(text, -1) {
			if citations++; !known[target] {
				t.Errorf("%s cites %s, which does not exist", file, target)
			}
		}
	}, ".go", ".lua", ".ts", ".js", ".sh", ".yaml")
	if citations < 150 {
		t.Errorf("%d citations, want at least 150", citations)
	}
	const page = "docs/api/carts.md"
	for _, wrong := range []string{page + "#claims", strings.Replace(page, "carts", "cars", 1)} {
		if found := cited.FindString("// Claims: " + wrong + ", Report."); found != wrong || known[found] {
			t.Errorf("%s: found %q, known %t", wrong, found, known[found])
		}
	}
}

// titles are the words by which a comment could cite a page or a heading without its address: the headings
// of the documents, and those of pages that are not in the repository.
func titles(t *testing.T) (all []string) {
	all = []string{"Store document", "After the sale", "Showing a cart", "Showing products", "Conventions", "Lifecycle", "Offers",
		"Orders and quotes that are found again"}
	eachSource(t, func(_, text string) {
		for _, heading := range heading.FindAllStringSubmatch(text, -1) {
			if title := strings.ReplaceAll(heading[1], "`", ""); !slices.Contains(all, title) {
				all = append(all, title)
			}
		}
	}, ".md")
	return all
}

var (
	heading = regexp.MustCompile(`(?m)^#+ ([A-Z][^\n]*)$`)
	// byTitle is a sentence that begins with a title of several words, as a citation does. One word alone
	// begins many sentences: it must be followed by the name of a part.
	byTitle = regexp.MustCompile(`^([A-Z][a-z]+ [A-Za-z -]+?)(?:[,:] .*)?\.?$|^([A-Z][a-z]+): (?:[A-Z][a-z]+\.$|[A-Z]{3,} )`)
	// comments are the lines of comments that follow each other.
	comments = regexp.MustCompile(`(?m)(?:^[\t ]*(?://|--|#) [^\n]*\n)+`)
	mark     = regexp.MustCompile(`(?m)^[\t ]*(?://|--|#) `)
)

// citedByTitle returns the sentences of a source's comments that cite one of the titles.
func citedByTitle(text string, titles []string) (found []string) {
	for _, block := range comments.FindAllString(text, -1) {
		block = strings.Join(strings.Fields(mark.ReplaceAllString(block, " ")), " ")
		for sentence := range strings.SplitSeq(block, ". ") {
			if m := byTitle.FindStringSubmatch(strings.TrimSuffix(sentence, ".") + "."); m != nil && slices.Contains(titles, m[1]+m[2]) {
				found = append(found, sentence)
			}
		}
	}
	return found
}

// A comment cites a page by its address, which TestCitations follows: never by the page's title, which
// nobody finds, and never a page outside the repository.
func TestNoCitationByTitle(t *testing.T) {
	all := titles(t)
	eachSource(t, func(file, text string) {
		for _, sentence := range citedByTitle(text, all) {
			t.Errorf("%s cites %q: give the address, docs/….md#…", file, sentence)
		}
	}, ".go", ".lua", ".ts", ".js", ".sh", ".txt")
	for sentence, want := range map[string]bool{
		"Store document, Discounts.": true, "After the sale: GET orders/{id}.": true, "Stock: Adjustment.": true, "Showing a cart, GET commerce/carts.": true,
		"Store document, stock_hold_minutes.": true, "Store document: codes match without regard to case.": true, "Store document, store.orders.": true,
		"After the sale.": true, "Orders and quotes that are found again.": true, "Spec: Limits, Request rate.": false, "Errors: ErrNotFound.": false,
		"See docs/api/stock.md#rules, Adjustment.": false, "Carts, contacts and quotes leave in turn.": false,
	} {
		if got := len(citedByTitle("// It is so. "+sentence+"\n", all)) > 0; got != want {
			t.Errorf("%q is a citation by title: %v, want %v", sentence, got, want)
		}
	}
}

// Every link from one document to another has its target, also outside docs/api.
func TestLinksOfDocuments(t *testing.T) {
	known, links := headings(t), 0
	eachSource(t, func(file, text string) {
		file, _ = filepath.Rel(root, file)
		for _, link := range linked.FindAllStringSubmatch(text, -1) {
			target := file
			if link[1] != "" {
				target = path.Join(path.Dir(file), link[1])
			}
			if links++; !known[target+link[2]] {
				t.Errorf("%s links to %s, which does not exist", file, target+link[2])
			}
		}
	}, ".md")
	if links < 100 {
		t.Errorf("%d links, want at least 100", links)
	}
}
