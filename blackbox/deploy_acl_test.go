package blackbox_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// aclBlock is the block of docs/operations.md that makes the users of Redis.
func aclBlock(t *testing.T) string {
	t.Helper()
	_, text, _ := strings.Cut(string(read(t, "../docs/operations.md")), "\n### Users of Redis\n")
	block := regexp.MustCompile("(?s)\n```\n(.*?)```\n").FindStringSubmatch(text)
	if block == nil {
		t.Fatal("the section has no block")
	}
	return block[1]
}

// cartd's user of Redis may use the commands that the scripts use and that stand in the sources by their names, and none that stands
// nowhere in the sources, but for those of clusters, which the client sends by itself.
func TestLeastUserHasTheCommandsOfTheSources(t *testing.T) {
	t.Parallel()
	line, _, _ := strings.Cut(aclBlock(t), "SETUSER backup")
	granted := map[string]bool{}
	for _, m := range regexp.MustCompile(`\+([a-z]+)`).FindAllStringSubmatch(line, -1) {
		granted[m[1]] = true
	}
	var sources strings.Builder
	for _, dir := range []string{"../persistence", "../ratelimit"} {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if extension := filepath.Ext(path); err != nil || strings.HasSuffix(path, "_test.go") || extension != ".go" && extension != ".lua" {
				return err
			}
			text, err := os.ReadFile(path)
			sources.Write(text)
			for _, m := range regexp.MustCompile(`\bp?call\('([A-Z]+)'|KeyCall\("([A-Z]+)"|"(Z[A-Z]{3,})"`).FindAllStringSubmatch(string(text), -1) {
				if command := m[1] + m[2] + m[3]; !granted[strings.ToLower(command)] {
					t.Errorf("%s uses %s, which docs/operations.md does not allow cartd's user", path, command)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, sent := range []string{"command", "cluster", "readonly", "readwrite", "asking", "multi", "exec", "unwatch", "eval"} {
		delete(granted, sent) // by go-redis
	}
	for command := range granted {
		if !regexp.MustCompile(`(?i)(['"]` + command + `['"]|\.` + command + `(Args|WithScores|Sha|Load)?\()`).MatchString(sources.String()) {
			t.Errorf("docs/operations.md allows cartd's user %s, which nothing uses", command)
		}
	}
}
