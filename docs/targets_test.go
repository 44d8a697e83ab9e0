package docs

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The README's table for developers has the targets that `make help` lists, help on top.
func TestTargetsOfTheReadme(t *testing.T) {
	names := func(file, row string) (all []string) {
		for _, found := range regexp.MustCompile(row).FindAllStringSubmatch(read(t, file), -1) {
			all = append(all, found[1])
		}
		return all
	}
	listed, told := names("../Makefile", `(?m)^([a-z-]+):.*## `), names("../README.md", "(?m)^\\| `make ([a-z-]+)` \\|")
	if len(told) == 0 || told[0] != "help" {
		t.Errorf("the table begins with %v, want help", told)
	}
	slices.Sort(listed)
	slices.Sort(told)
	if listed = slices.Compact(listed); !slices.Equal(listed, told) {
		t.Errorf("make help lists %v\nthe README %v", listed, told)
	}
}

// CI and .ci/run call make with targets of the Makefile; those of CI are the ones that CONTRIBUTING asks for.
func TestTargetsOfCI(t *testing.T) {
	makefile := read(t, "../Makefile")
	used := regexp.MustCompile(`\bmake ([a-z-]+)(?: |\n|$|` + "`" + `)`)
	for file, want := range map[string][]string{
		"../.github/workflows/ci.yml": {"test", "check"}, "../.ci/run": {"test"}, "../.github/pull_request_template.md": {"test", "check"},
	} {
		var targets []string
		for line := range strings.Lines(read(t, file)) {
			if strings.HasPrefix(strings.TrimSpace(line), "#") {
				continue
			}
			for _, found := range used.FindAllStringSubmatch(line, -1) {
				targets = append(targets, found[1])
				if !strings.Contains(makefile, "\n"+found[1]+":") {
					t.Errorf("%s calls make %s, which is no target", file, found[1])
				}
			}
		}
		if !slices.Equal(targets, want) {
			t.Errorf("%s calls make %v, want %v", file, targets, want)
		}
	}
}
