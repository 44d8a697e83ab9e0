//go:build long

package shop

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"cartd/blackbox"
)

// The committed files of web/dist are those of a fresh build with the tools of the lock file, and the
// sources have no error of types. Contents are compared unpacked: releases of node pack differently.
func TestLongShopIsFreshlyBuilt(t *testing.T) {
	root, err := blackbox.Root()
	if err != nil {
		t.Fatal(err)
	}
	web, fresh := filepath.Join(root, "web"), filepath.Join(t.TempDir(), "dist")
	for _, command := range [][]string{
		{"npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"},
		{"npm", "run", "--silent", "check"},
		{"node", "build.mjs", fresh},
	} {
		run := exec.Command(command[0], command[1:]...)
		run.Dir = web
		if output, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", command, err, output)
		}
	}
	committed, built := unpacked(t, filepath.Join(web, "dist")), unpacked(t, fresh)
	for name, content := range built {
		if !bytes.Equal(committed[name], content) {
			t.Errorf("web/dist/%s is not that of a fresh build: run make web", name)
		}
	}
	for name := range committed {
		if built[name] == nil {
			t.Errorf("web/dist/%s is built no more: run make web", name)
		}
	}
}

// unpacked reads the files of a folder, uncompressed.
func unpacked(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		content, err := gzip.NewReader(file)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		files[name], err = io.ReadAll(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
