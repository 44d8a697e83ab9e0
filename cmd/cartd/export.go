package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"cartd/commerce/storefile"
)

// exportCommand writes a store as a document that imports to the same store.
func exportCommand() *operatorCommand {
	var out string
	var withoutSecrets bool
	return &operatorCommand{
		flags: func(fs *flag.FlagSet) {
			fs.StringVar(&out, "out", "", "`FILE` to write instead of standard output; only its owner may read it")
			fs.BoolVar(&withoutSecrets, "without-secrets", false,
				"leave out the secrets of webhooks and of batches of codes, which are in clear text; an import needs them")
		},
		acts: []act{{with: "[--out FILE] [--without-secrets]", do: func(j *job) (outcome, error) {
			export, err := j.db.ExportStore(j, j.store)
			if err != nil {
				return outcome{}, err
			}
			return outcome{}, writeExport(j.call, out, &storefile.Export{
				Settings: export.Settings, OnHand: export.OnHand, Used: export.Used, Keys: export.Keys, Customers: export.Customers,
				WithoutSecrets: withoutSecrets,
			})
		}}},
	}
}

// writeExport writes a document to a file, or to standard output if out is empty.
func writeExport(c *call, out string, document *storefile.Export) error {
	if out == "" {
		err := writeDocument(c.stdout, document)
		if err == nil && document.Secrets > 0 {
			fmt.Fprintf(c.stderr, "cartd export: note: the document has %s of webhooks or of batches of codes in clear text; --without-secrets leaves them out\n",
				numberOf(document.Secrets, "secret"))
		}
		return err
	}
	if err := writeFile(out, func(w io.Writer) error { return writeDocument(w, document) }); err != nil {
		return fmt.Errorf("--out %s: %w", out, withoutPath(err))
	}
	return nil
}

// withoutPath returns an error without the file names in it: operators do not know the temporary
// file.
func withoutPath(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// writeFile replaces a file by everything that write writes, or leaves it as it is. It follows a
// link. It writes directly to a device or a pipe.
func writeFile(name string, write func(io.Writer) error) error {
	if there, err := filepath.EvalSymlinks(name); err == nil {
		name = there
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return writeTo(name, write)
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".cartd-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // after success the file has its new name
	if err := errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// writeNewFile writes a file that is not there yet, or none. Errors: fs.ErrExist.
func writeNewFile(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return syncFolder(filepath.Dir(name))
}

// syncFolder makes the names of a folder durable.
func syncFolder(name string) error {
	folder, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// writeTo writes to a device or a pipe.
func writeTo(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

func writeDocument(w io.Writer, document *storefile.Export) error {
	buffered := bufio.NewWriterSize(w, 1<<16)
	if err := document.Write(buffered); err != nil {
		return err
	}
	return buffered.Flush()
}
