package main

import (
	"flag"
	"fmt"
	"io"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/commerce/storefile/convert"
	"cartd/internal/commandline"
)

const convertUsage = "cartd convert csv|shopify FILE… --out store.json, or cartd convert csv --template"

// convertConfig has the flags of cartd convert.
type convertConfig struct {
	limit                 documentLimit
	out, store, name, tax string
	template              bool
	// storeID is the store's id; isNewStore is true if no --store gave it.
	storeID    uuid.UUID
	isNewStore bool
}

// converters are the tables that can be converted, by the command's first argument.
var converters = map[string]func(*convert.Document, string, []byte) error{
	"csv": (*convert.Document).CSV, "shopify": (*convert.Document).Shopify,
}

func defineConvert(fs *flag.FlagSet) func(*call) error {
	config := &convertConfig{}
	config.limit.flag(fs)
	fs.StringVar(&config.out, "out", "", "`FILE` to write; an existing one is replaced")
	fs.StringVar(&config.store, "store", "", "`ID` of the store; without it a new one. The same id gives products the same ids at a later conversion")
	fs.StringVar(&config.name, "name", "Shop", "`NAME` of the store")
	fs.StringVar(&config.tax, "tax", "21", "tax `RATE` in percent of products that name none; prices include it")
	fs.BoolVar(&config.template, "template", false, "print an example of the table csv, with all columns")
	return func(c *call) error { return runConvert(c, config) }
}

// runConvert makes a store document of tables, and lists what it could not take over.
func runConvert(c *call, config *convertConfig) error {
	if len(c.args) == 1 && c.args[0] == "csv" && config.template {
		_, err := io.WriteString(c.stdout, convert.Template)
		return err
	}
	if err := config.check(c); err != nil {
		return err
	}
	read := converters[c.args[0]]
	doc := convert.New(convert.Options{Store: config.storeID, Name: config.name, Tax: config.tax})
	for _, file := range c.args[1:] {
		data, err := config.limit.readAll(file, func(string, ...any) {})
		if err == nil {
			err = read(doc, file, data)
		}
		if err != nil {
			return err
		}
	}
	for _, note := range doc.Notes {
		fmt.Fprintln(c.stdout, string(commandline.AppendPrintable(nil, []byte(note.String()))))
	}
	text, err := doc.JSON()
	if err != nil {
		return err
	}
	if _, err := storefile.Parse(text); err != nil {
		reportFaults(c.stderr, config.out, err, ", nothing was written: mend the table")
		return errReported
	}
	if err := writeFile(config.out, func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
		return fmt.Errorf("--out %s: %w", config.out, withoutPath(err))
	}
	fmt.Fprintf(c.stdout, "%s: store %s with %s and %s, %s not taken over\n", config.out, config.storeID,
		numberOf(len(doc.Products), "product"), plural(len(doc.Categories), "category", "categories"), plural(len(doc.Notes), "line was", "lines were"))
	if config.isNewStore {
		fmt.Fprintf(c.stdout, "The next conversion keeps all ids with --store %s\n", config.storeID)
	}
	return nil
}

// plural returns a number with the words for one or for several.
func plural(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}

// check refuses invalid arguments, and sets the store's id.
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
	}
	if _, err := commerce.ParsePercent(config.tax); err != nil {
		return commandline.Usage("--tax %q is no rate in percent, such as 21 or 5.5", config.tax)
	}
	if config.isNewStore = config.store == ""; config.isNewStore {
		config.storeID = uuid.New()
		return nil
	}
	id, ok := commerce.ParseID(config.store)
	if !ok {
		return commandline.Usage("--store %q is no id of a store", config.store)
	}
	config.storeID = id
	return nil
}
