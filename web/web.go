// Package web has the demo's shop: a page with its script, style and pictures. Sources are in src
// and pictures; `make web` builds dist, which is committed, so that Go alone builds cartd.
//
// It knows nothing of the server that serves the files.
package web

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// dist has the built files, each compressed with gzip.
//
//go:embed dist
var dist embed.FS

// File is a built file.
type File struct {
	// Path is the path under which a page asks for it, or that of a page.
	Path string
	// Media is the Content-Type.
	Media string
	// Packed is the content, compressed with gzip.
	Packed []byte
}

// media are the Content-Types of the built files, by the ends of their names.
var media = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".svg":  "image/svg+xml",
	".txt":  "text/plain; charset=utf-8",
}

const (
	folder = "dist"
	packed = ".gz"
)

// pages are the paths of pages, by their files.
var pages = map[string]string{"/index.html": "/", "/payment.html": "/payment"}

// Files returns all built files in the order of their paths.
func Files() ([]File, error) {
	var files []File
	err := fs.WalkDir(dist, folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		at := strings.TrimSuffix(strings.TrimPrefix(name, folder), packed)
		file := File{Path: at, Media: media[path.Ext(at)]}
		if path, ok := pages[at]; ok {
			file.Path = path
		}
		if file.Media == "" || !strings.HasSuffix(name, packed) {
			return fmt.Errorf("%s is no built file", name)
		}
		file.Packed, err = dist.ReadFile(name)
		files = append(files, file)
		return err
	})
	return files, err
}
