package main

import (
	"bufio"
	"bytes"
	"cmp"
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

// maxDocument bounds a store document, unpacked: what is larger is a mistake. It
// is a variable for the tests.
var maxDocument int64 = 1 << 30

const checkUsage = "cartd check FILE… (plain or gzip; - is standard input)"

// runCheck validates store documents and lists every fault.
func runCheck(args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("check", flag.ContinueOnError)
	if err := parseFlags(fs, args, stdout, checkUsage); err != nil {
		return err
	}
	if fs.NArg() == 0 {
		return errors.New("name at least one store document: " + checkUsage)
	}
	var failed error
	var docs []*storefile.Document
	for _, file := range fs.Args() {
		doc, err := readShown(file, stderr)
		if err != nil {
			reportFaults(stderr, file, err, "")
			failed = errReported
			continue
		}
		fmt.Fprintf(stdout, "%s: ok, store %s %q with %d products, %d customers and %d keys\n",
			file, doc.Store.ID, doc.Store.Name, len(doc.Store.Products), len(doc.Customers), len(doc.Keys))
		docs = append(docs, doc)
	}
	return cmp.Or(together(docs), failed)
}

// reportFaults says what is wrong with a document: every fault, each on a line, and
// how many there are with what follows from it; or one line for any other error.
func reportFaults(w io.Writer, file string, err error, outcome string) {
	var faults *storefile.Faults
	if !errors.As(err, &faults) {
		fmt.Fprintln(w, err)
		return
	}
	out := bufio.NewWriter(w)
	defer out.Flush()
	for _, f := range faults.List() {
		fmt.Fprintln(out, f)
	}
	fmt.Fprintf(out, "%s: faults: %d%s\n", file, faults.Total(), outcome)
}

// readShown is readDocument with its progress shown.
func readShown(file string, stderr io.Writer) (*storefile.Document, error) {
	progress := startProgress(stderr)
	defer progress.done()
	return readDocument(file, progress.say)
}

// readDocument reads and validates a store document: a file, or - for standard
// input, plain or gzip. say is told how far it is.
func readDocument(file string, say func(format string, args ...any)) (*storefile.Document, error) {
	in := os.Stdin
	if file != "-" {
		var err error
		if in, err = os.Open(file); err != nil {
			return nil, fmt.Errorf("store document: %w: give the path of a store document, or - for standard input", err)
		}
		defer in.Close()
	}
	data, err := readAll(in, func(bytes int64) { say("%s: %d MiB read", file, bytes>>20) })
	if err != nil {
		return nil, fmt.Errorf("store document %s: %w", file, err)
	}
	say("%s: checking %d MiB", file, len(data)>>20)
	return storefile.Parse(data)
}

// errTooLarge means that a document is larger than maxDocument.
var errTooLarge = errors.New("it is larger than a store document ever is")

// readAll reads and unpacks a document, but never more than maxDocument bytes.
func readAll(file *os.File, progress func(bytes int64)) ([]byte, error) {
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		return nil, errors.New("it is a directory: give the path of a store document in it")
	}
	in := bufio.NewReaderSize(file, readSize)
	if magic, _ := in.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return readPacked(in, progress)
	}
	if err == nil && info.Size() > maxDocument { // 0 for what is no file
		return nil, tooLarge()
	}
	return readChunks(in, progress)
}

// readPacked reads a gzip file, unpacking it.
func readPacked(in io.Reader, progress func(bytes int64)) (data []byte, err error) {
	unpacked, err := gzip.NewReader(in)
	if err == nil {
		data, err = readChunks(unpacked, progress)
	}
	switch {
	case err == nil, errors.Is(err, errTooLarge):
		return data, err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errors.New("the gzip file is cut off: copy or pack it again")
	}
	return nil, fmt.Errorf("the gzip file is damaged (%w): copy or pack it again", err)
}

func tooLarge() error { return fmt.Errorf("%w (%d MiB)", errTooLarge, maxDocument>>20) }

const (
	readSize  = 64 << 10
	chunkSize = 256 << 10
)

// readChunks reads to the end, in chunks, so that what is too large never lies in
// memory more than once.
func readChunks(in io.Reader, progress func(bytes int64)) ([]byte, error) {
	var chunks [][]byte
	for read := int64(0); ; {
		var chunk bytes.Buffer
		chunk.Grow(chunkSize + bytes.MinRead)
		n, err := io.CopyN(&chunk, in, chunkSize)
		chunks, read = append(chunks, chunk.Bytes()), read+n
		progress(read)
		switch {
		case read > maxDocument:
			return nil, tooLarge()
		case err == io.EOF:
			return bytes.Join(chunks, nil), nil
		case err != nil:
			return nil, err
		}
	}
}

// readDocuments reads the files of --store and the demo store. The error is one
// line, however many faults there are.
func readDocuments(files []string, demo bool) ([]*storefile.Document, error) {
	var docs []*storefile.Document
	for _, file := range files {
		doc, err := readDocument(file, func(string, ...any) {})
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
	return docs, together(docs)
}

func firstFault(name string, err error) error {
	var faults *storefile.Faults
	if !errors.As(err, &faults) {
		return err
	}
	return fmt.Errorf("%s has faults (%d), the first is %s: see cartd check %s", name, faults.Total(), faults.List()[0], name)
}

// decodeStore makes a Store of the settings that a Document carried to Redis.
func decodeStore(settings []byte) (*commerce.Store, error) { return storefile.ParseKept(settings) }
