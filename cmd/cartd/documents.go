package main

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"cartd/commerce/storefile"
	"cartd/internal/commandline"
	"cartd/persistence"
	"cartd/persistence/stores"
)

// readShown reads a document and shows the progress.
func readShown(file string, limit documentLimit, stderr io.Writer) (*storefile.Document, error) {
	progress := startProgress(stderr)
	defer progress.done()
	return limit.read(file, progress.report)
}

// documentReader reads and validates one file.
type documentReader func(file string) (*storefile.Document, error)

// readForImport reads documents, and refuses those that an import into the Redis would refuse by what is stored
// there.
func readForImport(db *persistence.DB, read documentReader) documentReader {
	return func(file string) (*storefile.Document, error) {
		doc, err := read(file)
		if err != nil {
			return nil, err
		}
		saved := stores.DocumentOf(doc)
		saved.RefuseEmpty = true
		if err := db.JudgeImport(context.Background(), saved); err != nil {
			return nil, fmt.Errorf("%s: %w", file, refusedImport(doc, err))
		}
		return doc, nil
	}
}

// readDocuments validates all files, each by itself and all together. It reports every fault. If
// there is one, nothing is loaded.
func readDocuments(files []string, read documentReader, stderr io.Writer) ([]*storefile.Document, error) {
	var docs []*storefile.Document
	for _, file := range files {
		doc, err := read(file)
		if err != nil {
			reportFaults(stderr, file, err, ", nothing was loaded")
			continue
		}
		docs = append(docs, doc)
	}
	if len(docs) < len(files) {
		return nil, errReported
	}
	return docs, checkTogether(docs)
}

// startDocuments reads the files of --store. With --demo the first document is the one that the shop
// shows: that of the first file, or the demo store.
func startDocuments(config *serveConfig, hook demoWebhook, stderr io.Writer) ([]*storefile.Document, error) {
	if config.demo && !config.ownCatalogue() {
		doc, err := demoDocument(time.Now(), hook)
		return []*storefile.Document{doc}, err
	}
	return readDocuments(config.stores, func(file string) (*storefile.Document, error) {
		if config.demo && file == config.stores[0] {
			return readDemo(config, file, hook)
		}
		return config.maxDocument.read(file, func(string, ...any) {})
	}, stderr)
}

// documentLimit is the maximum size of a store document, unpacked.
type documentLimit struct{ commandline.Bytes }

func (l *documentLimit) flag(fs *flag.FlagSet) {
	l.Bytes = 512 << 20
	fs.Var(&l.Bytes, "max-document", "`size` of the largest store document, unpacked")
}

// errTooLarge is the fault of a document beyond the limit.
var errTooLarge = errors.New("is larger than")

func (l documentLimit) exceeded() error {
	return fmt.Errorf("%w %v unpacked: --max-document raises the limit", errTooLarge, l.Bytes)
}

// read reads and validates a store document, plain or gzip: a file, or - for standard input. report
// gets the progress.
func (l documentLimit) read(file string, report func(format string, args ...any)) (doc *storefile.Document, err error) {
	failed := l.with("store document", file, report, func(data []byte) { doc, err = storefile.Parse(data) }) // it keeps no part of data
	return doc, cmp.Or(failed, err)
}

// readAll reads a file as read does, but does not parse it. what names it in errors.
func (l documentLimit) readAll(what, file string, report func(format string, args ...any)) (copied []byte, err error) {
	err = l.with(what, file, report, func(data []byte) { copied = bytes.Clone(data) })
	return copied, err
}

// with passes the unpacked content of a file to use, which may not keep it.
func (l documentLimit) with(what, file string, report func(format string, args ...any), use func(data []byte)) error {
	in := os.Stdin
	if file != "-" {
		var err error
		if in, err = os.Open(file); err != nil {
			return fmt.Errorf("%s: %w: give the path of a %s, or - for standard input", what, err, what)
		}
		defer in.Close()
	}
	memory, err := l.reserve()
	if err != nil {
		return err
	}
	defer syscall.Munmap(memory)
	n, err := l.readInto(memory, in, func(bytes int) { report("%s: %d MiB read", file, bytes>>20) })
	if err != nil {
		return fmt.Errorf("%s %s: %w", what, file, err)
	}
	report("%s: checking %d MiB", file, n>>20)
	use(memory[:n])
	return nil
}

// reserve returns memory for the maximum document and one byte more. Pages use memory only after
// they are written, so a document of any size is read in one piece without a copy. The memory is
// outside Go's heap, which may grow to twice its live size.
func (l documentLimit) reserve() ([]byte, error) {
	memory, err := syscall.Mmap(-1, 0, int(l.Bytes)+1, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		return nil, fmt.Errorf("no memory for a document of %v (%w): give a lower --max-document", l.Bytes, err)
	}
	return memory, nil
}

// readInto reads and unpacks a document. If the document fills all of the memory, the error wraps
// errTooLarge.
func (l documentLimit) readInto(memory []byte, file *os.File, progress func(bytes int)) (int, error) {
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		return 0, errors.New("it is a directory: give the path of a file in it")
	}
	in := bufio.NewReaderSize(file, 64<<10)
	if magic, _ := in.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return l.unpackInto(memory, in, progress)
	}
	if err == nil && info.Size() > int64(l.Bytes) { // 0 unless it is a file
		return 0, l.exceeded()
	}
	return l.fill(memory, in, progress)
}

// unpackInto reads a gzip file, unpacking it.
func (l documentLimit) unpackInto(memory []byte, in io.Reader, progress func(bytes int)) (n int, err error) {
	unpacked, err := gzip.NewReader(in)
	if err == nil {
		n, err = l.fill(memory, unpacked, progress)
	}
	switch {
	case err == nil, errors.Is(err, errTooLarge):
		return n, err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return 0, errors.New("the gzip file is cut off: copy or pack it again")
	}
	return 0, fmt.Errorf("the gzip file is damaged (%w): copy or pack it again", err)
}

// readSize is the number of bytes between two reports of progress.
const readSize = 256 << 10

// fill reads to the end.
func (l documentLimit) fill(memory []byte, in io.Reader, progress func(bytes int)) (int, error) {
	for n := 0; ; progress(n) {
		if n == len(memory) {
			return 0, l.exceeded()
		}
		read, err := in.Read(memory[n:min(n+readSize, len(memory))])
		n += read
		switch {
		case errors.Is(err, io.EOF) && n < len(memory):
			return n, nil
		case err != nil && !errors.Is(err, io.EOF):
			return 0, err
		}
	}
}
