package persistence

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// These commands take longer the more keys or members a store has, so no source may send one.
// The number of arguments, with the context, distinguishes a client's method from others of its
// name; 0: any number.
var unbounded = []struct {
	command, method string
	args            int
}{
	{"HGETALL", "HGetAll", 0},
	{"SMEMBERS", "SMembers", 0},
	{"SMEMBERS", "SMembersMap", 0},
	{"KEYS", "Keys", 2},
	{"SCAN", "Scan", 4},
	{"SCAN", "ScanType", 0},
}

// scans is the one source that visits all keys, for operators' commands.
const scans = "scan.go"

// otherMethods have the name and the number of arguments of a client's method, but are no
// command.
var otherMethods = []string{"ratelimit.Keys"}

func TestNoSourceSendsAnUnboundedCommand(t *testing.T) {
	read := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".") && path != ".."):
			return filepath.SkipDir
		case strings.HasSuffix(path, ".lua"), strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			read++
			for _, found := range asked(t, path, nil) {
				if filepath.Base(path) == scans {
					continue
				}
				t.Errorf("%s: its work grows with the store", found)
			}
		}
		return nil
	})
	if err != nil || read < 50 {
		t.Errorf("%d sources read, %v; want the whole repository", read, err)
	}
}

// maxScriptLines bounds the lines of a script with its header. maxWriteLines is the bound of
// write.lua.
const (
	maxScriptLines = 120
	maxWriteLines  = 280
)

func TestNoScriptIsTooLong(t *testing.T) {
	read := 0
	for pattern, maximum := range map[string]int{"*/*.lua": maxScriptLines, "../ratelimit/*.lua": maxScriptLines, "records/write.lua": maxWriteLines} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if filepath.Base(path) == "write.lua" && maximum != maxWriteLines {
				continue
			}
			read++
			text, err := os.ReadFile(path)
			if n := strings.Count(string(text), "\n"); err != nil || n > maximum {
				t.Errorf("%s has %d lines (%v), want at most %d", path, n, err, maximum)
			}
		}
	}
	if read < 17 {
		t.Errorf("%d scripts read, want all", read)
	}
}

func TestUnboundedCommandsAreFound(t *testing.T) {
	for _, c := range []struct {
		file, text string
		want       int
	}{
		{"a.lua", `redis.call('HGETALL', KEYS[1])`, 1},
		{"a.lua", `redis.pcall( "smembers" , KEYS[1])`, 1},
		{"a.lua", `redis.call('LRANGE', KEYS[1], 0, -1)`, 1},
		{"a.lua", `redis.call('LRANGE', KEYS[1], '0', '-1')`, 1},
		{"a.lua", `redis.call('KEYS', '*')`, 1},
		{"a.lua", `redis.call('SCAN', 0)`, 1},
		{"a.lua", "redis.call('LRANGE', KEYS[1], 0, 9)\nredis.call('GET', KEYS[1])", 0},
		{"a.go", `c.HGetAll(ctx, k)`, 1},
		{"a.go", `d.client.Redis.SMembers(ctx, k).Result()`, 1},
		{"a.go", `c.LRange(ctx, k, 0, -1)`, 1},
		{"a.go", `c.LRange(ctx, k, 0, 9)`, 0},
		{"a.go", `c.Keys(ctx, "*")`, 1},
		{"a.go", `c.Scan(ctx, 0, "*", 10)`, 1},
		{"a.go", `c.Do(ctx, "HGETALL", k)`, 1},
		{"a.go", `c.Do(ctx, "lrange", k, 0, -1)`, 1},
		{"a.go", `pipe.Do(ctx, "LRANGE", k, "0", "-1")`, 1},
		{"a.go", `lines.Scan(); ratelimit.Keys(log, head); modules.Keys(); c.Get(ctx, "keys")`, 0},
	} {
		text := c.text
		if c.file == "a.go" {
			text = "package a\nfunc f() {\n" + text + "\n}\n"
		}
		if got := asked(t, c.file, text); len(got) != c.want {
			t.Errorf("%s: found %q, want %d", c.text, got, c.want)
		}
	}
}

// asked lists the positions of unbounded commands in a source. If text is nil the file is read.
func asked(t *testing.T, path string, text any) []string {
	t.Helper()
	if strings.HasSuffix(path, ".lua") {
		return askedByScript(t, path, text)
	}
	files := gotoken.NewFileSet()
	file, err := parser.ParseFile(files, path, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && asksForAll(call) {
			found = append(found, files.Position(call.Pos()).String())
		}
		return true
	})
	return found
}

func asksForAll(call *ast.CallExpr) bool {
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	name := method.Sel.Name
	if of, ok := method.X.(*ast.Ident); ok && slices.Contains(otherMethods, of.Name+"."+name) {
		return false
	}
	if name == "Do" && len(call.Args) > 1 && namesUnbounded(literal(call.Args[1])) || wholeList(name, call.Args) {
		return true
	}
	for _, u := range unbounded {
		if name == u.method && (u.args == 0 || u.args == len(call.Args)) {
			return true
		}
	}
	return false
}

// wholeList reports LRANGE 0 -1, as a method or as a command.
func wholeList(name string, args []ast.Expr) bool {
	n := len(args)
	lrange := name == "LRange" || name == "Do" && n > 1 && strings.EqualFold(literal(args[1]), "LRANGE")
	return lrange && n >= 4 && literal(args[n-2]) == "0" && literal(args[n-1]) == "-1"
}

// literal returns the text of a literal without quotes; empty if e is no literal.
func literal(e ast.Expr) string {
	sign := ""
	if minus, ok := e.(*ast.UnaryExpr); ok && minus.Op == gotoken.SUB {
		sign, e = "-", minus.X
	}
	value, ok := e.(*ast.BasicLit)
	if !ok {
		return ""
	}
	if text, err := strconv.Unquote(value.Value); err == nil {
		return text
	}
	return sign + value.Value
}

func namesUnbounded(command string) bool {
	for _, u := range unbounded {
		if strings.EqualFold(command, u.command) {
			return true
		}
	}
	return false
}

var (
	scriptCall = regexp.MustCompile(`redis\.p?call\(\s*['"](\w+)['"]([^)\n]*)`)
	allOfList  = regexp.MustCompile(`,\s*['"]?0['"]?\s*,\s*['"]?-1['"]?\s*$`)
)

func askedByScript(t *testing.T, path string, text any) []string {
	t.Helper()
	var found []string
	for _, call := range scriptCall.FindAllStringSubmatch(source(t, path, text), -1) {
		if namesUnbounded(call[1]) || strings.EqualFold(call[1], "LRANGE") && allOfList.MatchString(call[2]) {
			found = append(found, path+": "+call[0])
		}
	}
	return found
}

// source returns the text, or the file's if text is nil.
func source(t *testing.T, path string, text any) string {
	t.Helper()
	if text, ok := text.(string); ok {
		return text
	}
	read, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(read)
}
