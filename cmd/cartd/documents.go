package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"cartd/commerce"
	"cartd/commerce/storefile"
)

//go:embed demo/store.json
var demoStore []byte

// maxDocument bounds a store document, unpacked: what is larger is a mistake.
const maxDocument = 1 << 30

// runCheck validates store documents and lists every fault.
func runCheck(args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("check", flag.ContinueOnError)
	if err := parseFlags(fs, args, stderr); err != nil {
		return err
	}
	if fs.NArg() == 0 {
		return errors.New("name at least one store document: cartd check FILE… (- is standard input)")
	}
	var failed error
	for _, file := range fs.Args() {
		doc, err := readDocument(file, newProgress(stderr))
		if err != nil {
			failed = errors.Join(failed, reportFaults(stderr, file, err))
			continue
		}
		fmt.Fprintf(stdout, "%s: ok, store %s %q with %d products, %d customers and %d keys\n",
			file, doc.Store.ID, doc.Store.Name, len(doc.Store.Products), len(doc.Customers), len(doc.Keys))
	}
	return failed
}

// reportFaults lists every fault of a document; any other error comes back as it is.
func reportFaults(w io.Writer, file string, err error) error {
	var faults *storefile.Faults
	if !errors.As(err, &faults) {
		return err
	}
	out := bufio.NewWriter(w)
	for _, f := range faults.List() {
		fmt.Fprintln(out, f)
	}
	fmt.Fprintf(out, "%s: faults: %d, nothing was loaded\n", file, len(faults.List()))
	out.Flush()
	return errReported
}

// readDocument reads and validates a store document: a file, or - for standard
// input, plain or gzip.
func readDocument(file string, progress *progress) (*storefile.Document, error) {
	var in io.Reader = os.Stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, fmt.Errorf("store document: %w", err)
		}
		defer f.Close()
		in = f
	}
	data, err := readAll(file, in, progress)
	if err != nil {
		return nil, err
	}
	return storefile.Parse(data)
}

// readAll reads a document to its end, but never more than maxDocument bytes.
func readAll(name string, in io.Reader, progress *progress) ([]byte, error) {
	buffered := bufio.NewReaderSize(in, 1<<20)
	in = buffered
	if magic, _ := buffered.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		unpacked, err := gzip.NewReader(buffered)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		defer unpacked.Close()
		in = unpacked
	}
	var data bytes.Buffer
	for {
		n, err := io.CopyN(&data, in, 16<<20)
		progress.read(name, int64(data.Len()))
		switch {
		case data.Len() > maxDocument:
			return nil, fmt.Errorf("%s is larger than %d MiB: a store document never is", name, maxDocument>>20)
		case err == io.EOF:
			return data.Bytes(), nil
		case err != nil:
			return nil, fmt.Errorf("%s, after %d bytes: %w", name, n, err)
		}
	}
}

// readDocuments reads the files of --store and the demo store. The error is one
// line, however many faults there are.
func readDocuments(files []string, demo bool) ([]*storefile.Document, error) {
	var docs []*storefile.Document
	for _, file := range files {
		doc, err := readDocument(file, newProgress(io.Discard))
		if err != nil {
			return nil, firstFault(file, err)
		}
		docs = append(docs, doc)
	}
	if demo {
		doc, err := storefile.Parse(demoStore)
		if err != nil {
			return nil, firstFault("the demo store", err)
		}
		docs = append(docs, doc)
	}
	return docs, nil
}

func firstFault(name string, err error) error {
	var faults *storefile.Faults
	if !errors.As(err, &faults) {
		return err
	}
	list := faults.List()
	return fmt.Errorf("%s has faults (%d), the first is %s: see cartd check %s", name, len(list), list[0], name)
}

// decodeStore makes a Store of the settings that a Document carried to Redis.
func decodeStore(settings []byte) (*commerce.Store, error) {
	doc, err := storefile.Parse(settings)
	if err != nil {
		return nil, err
	}
	return doc.Store, nil
}
