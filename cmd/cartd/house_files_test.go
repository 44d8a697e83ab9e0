package main_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// parsed is one package's sources without its tests.
type parsed struct {
	dir   string // below the module's root, with slashes
	name  string
	files map[string]*ast.File
	set   *gotoken.FileSet
}

// sources parses every package of the module.
func sources(t *testing.T) map[string]*parsed {
	t.Helper()
	root := filepath.Join("..", "..")
	packages := map[string]*parsed{}
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && file != root && (name == "testdata" || name == "vendor" || name == "node_modules" || strings.HasPrefix(name, ".") ||
			strings.HasPrefix(name, "_")) {
			return filepath.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		below, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(below)
		p := packages[dir]
		if p == nil {
			p = &parsed{dir: dir, files: map[string]*ast.File{}, set: gotoken.NewFileSet()}
			packages[dir] = p
		}
		p.files[file], err = parser.ParseFile(p.set, file, nil, parser.ParseComments)
		if err == nil {
			p.name = p.files[file].Name.Name
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return packages
}

// meaninglessNames are package names that do not show what a package owns.
var meaninglessNames = []string{"util", "utils", "common", "helper", "helpers", "misc", "shared", "base", "lib"}

// maxLines is the maximum length of a file that is no test.
const maxLines = 400

func TestEveryPackageHasADocComment(t *testing.T) {
	t.Parallel()
	for dir, p := range sources(t) {
		documented := 0
		for _, file := range p.files {
			if strings.TrimSpace(file.Doc.Text()) != "" {
				documented++
			}
		}
		if documented != 1 {
			t.Errorf("package %s has %d doc comments, want one", dir, documented)
		}
		for _, name := range []string{p.name, path.Base(dir)} {
			if slices.Contains(meaninglessNames, name) {
				t.Errorf("package %s is called %s, which does not name what it owns", dir, name)
			}
		}
	}
}

func TestNoFileIsTooLong(t *testing.T) {
	t.Parallel()
	for _, p := range sources(t) {
		for file := range p.files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if n := bytes.Count(text, []byte("\n")); n >= maxLines {
				t.Errorf("%s has %d lines, want fewer than %d: split it by its responsibilities", file, n, maxLines)
			}
		}
	}
}

// namedFile finds the files that a comment names.
var namedFile = regexp.MustCompile(`(?:^|[\s("])([a-z0-9_]+(?:/[a-z0-9_]+)*\.(?:go|lua))\b`)

func TestCommentsNameFilesThatExist(t *testing.T) {
	t.Parallel()
	files := map[string]bool{} // each file of Go and each script, by the ends of its path
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && entry.Name() == "node_modules" {
			return filepath.SkipDir
		}
		if end := filepath.ToSlash(file); strings.HasSuffix(end, ".go") || strings.HasSuffix(end, ".lua") {
			for ; end != ""; _, end, _ = strings.Cut(end, "/") {
				files[end] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, p := range sources(t) {
		for _, file := range p.files {
			for _, comment := range file.Comments {
				for _, name := range namedFile.FindAllStringSubmatch(comment.Text(), -1) {
					if named++; !files[name[1]] {
						t.Errorf("%s: the comment names %s, which does not exist", p.set.Position(comment.Pos()), name[1])
					}
				}
			}
		}
	}
	if named == 0 {
		t.Error("no comment names a file: the pattern is wrong")
	}
}
