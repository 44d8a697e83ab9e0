package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/commerce/storefile/convert"
	"cartd/internal/commandline"
	"cartd/internal/strictjson"
)

const convertUsage = "cartd convert csv|shopify FILE… --out store.json [--base EARLIER.json], or cartd convert csv --template"

// convertConfig has the flags of cartd convert.
type convertConfig struct {
	limit                       documentLimit
	out, base, store, name, tax string
	template                    bool
}

// converters are the tables that can be converted, by the command's first argument.
var converters = map[string]func(*convert.Document, string, []byte) error{
	"csv": (*convert.Document).CSV, "shopify": (*convert.Document).Shopify,
}

func defineConvert(fs *flag.FlagSet) func(*call) error {
	config := &convertConfig{}
	config.limit.flag(fs)
	fs.StringVar(&config.out, "out", "", "`FILE` to write. One that is there is replaced; if it is a document of the same store, it is the --base")
	fs.StringVar(&config.base, "base", "", "earlier `DOCUMENT` of the store, also of cartd export: what the tables do not say stays as it is there")
	fs.StringVar(&config.store, "store", "",
		"`ID` of the store; without it that of the --base, else a new one. The same id gives products the same ids at a later conversion")
	fs.StringVar(&config.name, "name", "", "`NAME` of the store; without it that of the --base, else Shop")
	fs.StringVar(&config.tax, "tax", "", "tax `RATE` in percent of products that name none; prices include it. Without it the first rate of the --base, else 21")
	fs.BoolVar(&config.template, "template", false, "print an example of the table csv, with all columns")
	return func(c *call) error { return runConvert(c, config) }
}

// runConvert makes a store document of tables, and lists what it could not take over as it stands.
func runConvert(c *call, config *convertConfig) error {
	if len(c.args) == 1 && c.args[0] == "csv" && config.template {
		_, err := io.WriteString(c.stdout, convert.Template)
		return err
	}
	if err := config.check(c); err != nil {
		return err
	}
	base, err := config.earlier(c)
	if err != nil {
		return err
	}
	doc, err := config.convert(c.args[0], c.args[1:], base)
	if err != nil {
		showNotes(c.stdout, doc)
		return fmt.Errorf("%w: nothing was written", err)
	}
	text, err := doc.JSON()
	if err != nil {
		showNotes(c.stdout, doc)
		return fmt.Errorf("%s: %w: nothing was written", strings.Join(c.args[1:], ", "), err)
	}
	written, err := storefile.Parse(text)
	if err != nil {
		reportFaults(c.stderr, config.out, err, ", nothing was written: report it as a fault of cartd convert")
		return errReported
	}
	if err := writeFile(config.out, func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
		return fmt.Errorf("--out %s: %w", config.out, withoutPath(err))
	}
	if base != nil && config.base == "" {
		fmt.Fprintf(c.stdout, "%s: it was a document of store %s: what the tables do not say is kept, as with --base\n", base.file, base.store)
	}
	showNotes(c.stdout, doc)
	out, changed := doc.Counts()
	fmt.Fprintf(c.stdout, "%s: store %s with %s and %s, %d left out, %d changed\n", config.out, written.Store.ID,
		numberOf(doc.Products(), "product"), plural(doc.Categories(), "category", "categories"), out, changed)
	if base == nil && config.store == "" {
		fmt.Fprintf(c.stdout, "The next conversion keeps all ids with --store %s, and what you add to the document with --base %s\n", written.Store.ID, config.out)
	}
	return nil
}

func showNotes(w io.Writer, doc *convert.Document) {
	out := bufio.NewWriter(w)
	defer out.Flush()
	for _, note := range doc.Notes() {
		fmt.Fprintln(out, string(commandline.AppendPrintable(nil, []byte(note.String()))))
	}
}

// earlierDocument is a document that tables are laid over.
type earlierDocument struct {
	file  string
	text  []byte
	store uuid.UUID
}

// convert reads all tables. With an error it returns the notes so far.
func (config *convertConfig) convert(kind string, files []string, base *earlierDocument) (*convert.Document, error) {
	options := convert.Options{Store: uuid.New(), Name: config.name, Tax: config.tax}
	switch id, given := commerce.ParseID(config.store); {
	case given:
		options.Store = id
	case base != nil:
		options.Store = base.store
	}
	doc := convert.New(options)
	if base != nil {
		if err := doc.Base(base.file, base.text); err != nil {
			return doc, err
		}
	}
	for _, file := range files {
		data, err := config.limit.readAll("table", file, func(string, ...any) {})
		if err == nil {
			err = converters[kind](doc, file, data)
		}
		if err != nil {
			return doc, err
		}
	}
	return doc, nil
}

// earlier reads the document of --base, or else that of --out if it is one of the same store; nil if
// there is none.
func (config *convertConfig) earlier(c *call) (*earlierDocument, error) {
	e := &earlierDocument{file: config.base}
	if config.base == "" {
		e.file = config.out
		if info, err := os.Stat(e.file); err != nil || !info.Mode().IsRegular() {
			return nil, nil
		}
	}
	var err error
	if e.text, err = config.limit.readAll("store document", e.file, func(string, ...any) {}); err != nil {
		return nil, err
	}
	if config.base == "" && !config.isOwn(e.text) {
		return nil, nil
	}
	parsed, err := storefile.Parse(e.text)
	if err != nil {
		reportFaults(c.stderr, e.file, err, ", nothing was written: mend this earlier document, or name another --out")
		return nil, errReported
	}
	e.store = parsed.Store.ID
	if id, given := commerce.ParseID(config.store); given && id != e.store {
		return nil, commandline.Usage("--store %s is not the store of %s, which is %s", config.store, e.file, e.store)
	}
	return e, nil
}

// isOwn reports whether a text is a document of the store that is converted, or one that is damaged.
func (config *convertConfig) isOwn(text []byte) bool {
	text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))
	root, err := strictjson.Parse(text)
	if err != nil {
		return bytes.HasPrefix(text, []byte("{"))
	}
	store, _ := root.Get("store")
	id, _ := store.Get("id")
	is, ok := commerce.ParseID(id.Text())
	wanted, given := commerce.ParseID(config.store)
	return ok && (!given || is == wanted)
}

// plural returns a number with the words for one or for several.
func plural(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}

// check refuses invalid arguments.
func (config *convertConfig) check(c *call) error {
	switch {
	case len(c.args) == 0 || converters[c.args[0]] == nil:
		return commandline.Usage("name the table's kind, csv or shopify: %s", convertUsage)
	case len(c.args) == 1:
		return commandline.Usage("name at least one table: %s", convertUsage)
	case config.template:
		return commandline.Usage("--template stands alone: cartd convert csv --template")
	case config.out == "":
		return commandline.Usage("--out is missing: %s", convertUsage)
	case slices.Contains(c.args[1:], config.out):
		return commandline.Usage("--out %s is one of the tables: name another file", config.out)
	}
	if _, err := commerce.ParsePercent(config.tax); config.tax != "" && err != nil {
		return commandline.Usage("--tax %q is no rate in percent, such as 21 or 5.5", config.tax)
	}
	if _, ok := commerce.ParseID(config.store); config.store != "" && !ok {
		return commandline.Usage("--store %q is no id of a store", config.store)
	}
	if utf8.RuneCountInString(config.name) > commerce.MaxName || strings.ContainsFunc(config.name, unicode.IsControl) {
		return commandline.Usage("--name is longer than %d characters or has control characters", commerce.MaxName)
	}
	return nil
}
