// Package web has the demo's shop and the merchant's desk: pages with their scripts, styles and pictures.
// Sources are in src and pictures; `make web` builds dist, which is committed, so that Go alone builds cartd.
//
// It knows nothing of the server that serves the files.
package web

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"html"
	"io"
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
	// desk is the folder of the desk's files, and the path of its page.
	desk = "/desk"
)

// pages are the paths of pages, by their files.
var pages = map[string]string{"/index.html": "/", "/payment.html": "/payment", desk + "/index.html": desk}

// Page is what the shop's page says of the store that it shows.
type Page struct {
	// Store is the store's name.
	Store string
	// Northwind is true for the demo's own store, for which the shop has a start page and accounts.
	Northwind bool
}

// The places of the page that Page fills.
const (
	storePlace     = "{{store}}"
	cataloguePlace = "{{catalogue}}"
)

// fill returns a built page with the store's values, compressed.
func (p Page) fill(built []byte) ([]byte, error) {
	unpacked, err := gzip.NewReader(bytes.NewReader(built))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		return nil, err
	}
	catalogue := "own"
	if p.Northwind {
		catalogue = "northwind"
	}
	var filled bytes.Buffer
	packer := gzip.NewWriter(&filled)
	if _, err := strings.NewReplacer(storePlace, html.EscapeString(p.Store), cataloguePlace, catalogue).WriteString(packer, string(text)); err != nil {
		return nil, err
	}
	err = packer.Close()
	return filled.Bytes(), err
}

// Files returns the built files of the shop in the order of their paths. Pages say what is said of the store.
func Files(of Page) ([]File, error) {
	files, err := built(func(at string) bool { return !strings.HasPrefix(at, desk+"/") })
	for i := range files {
		if err == nil && files[i].Media == media[".html"] {
			files[i].Packed, err = of.fill(files[i].Packed)
		}
	}
	return files, err
}

// Desk returns the built files of the merchant's desk in the order of their paths.
func Desk() ([]File, error) {
	return built(func(at string) bool { return strings.HasPrefix(at, desk+"/") })
}

// built returns the built files whose paths are wanted.
func built(wanted func(at string) bool) ([]File, error) {
	var files []File
	err := fs.WalkDir(dist, folder, func(name string, entry fs.DirEntry, err error) error {
		at := strings.TrimSuffix(strings.TrimPrefix(name, folder), packed)
		if err != nil || entry.IsDir() || !wanted(at) {
			return err
		}
		file := File{Path: at, Media: media[path.Ext(at)]}
		if page, ok := pages[at]; ok {
			file.Path = page
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
