//go:build long

package blackbox_test

import (
	"debug/elf"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// A release has a static program for each processor with a revision, sums that are right, and every
// linked module in the SBOM and in the notices.
func TestLongReleaseIsWhole(t *testing.T) {
	dir := t.TempDir()
	bash(t, "sh scripts/release.sh "+dir, "HOME="+t.TempDir(), "GOFLAGS=-buildvcs=false", "GOCACHE="+goEnv(t, "GOCACHE"), "GOMODCACHE="+goEnv(t, "GOMODCACHE"))
	programs, err := filepath.Glob(dir + "/cartd-*-linux-*")
	if err != nil || len(programs) != 2 {
		t.Fatalf("the release has the programs %q, %v; want two", programs, err)
	}
	for i, machine := range []elf.Machine{elf.EM_X86_64, elf.EM_AARCH64} {
		program, err := elf.Open(programs[i])
		if err != nil {
			t.Fatal(err)
		}
		defer program.Close()
		if libraries, err := program.ImportedLibraries(); err != nil || len(libraries) > 0 || program.Machine != machine {
			t.Errorf("%s is for %v and needs %q, %v; want %v and no library", programs[i], program.Machine, libraries, err, machine)
		}
	}
	for _, program := range programs {
		if strings.HasSuffix(program, "-"+runtime.GOARCH) {
			version, err := exec.Command(program, "version").Output()
			if err != nil || !regexp.MustCompile(` \([0-9a-f]{12}\+?\) go1`).Match(version) {
				t.Errorf("%s version: %v\n%swant a revision", program, err, version)
			}
		}
	}
	bash(t, "cd "+dir+" && sha256sum --check --strict SHA256SUMS && test $(wc -l < SHA256SUMS) -eq 4")
	var sbom struct {
		BOMFormat  string
		Components []struct{ Name, Version, Purl string }
	}
	sboms, _ := filepath.Glob(dir + "/*.cdx.json")
	if len(sboms) != 1 {
		t.Fatalf("the SBOMs are %q, want one", sboms)
	}
	if err := json.Unmarshal(read(t, sboms[0]), &sbom); err != nil || sbom.BOMFormat != "CycloneDX" {
		t.Fatalf("the SBOM: %v, %s", err, sbom.BOMFormat)
	}
	known := map[string]bool{}
	for _, c := range sbom.Components {
		known[c.Name+" "+c.Version] = true
	}
	linked, err := exec.Command("go", "version", "-m", programs[0]).Output()
	if err != nil {
		t.Fatal(err)
	}
	notices, modules := string(read(t, dir+"/NOTICES.txt")), 0
	for _, dep := range regexp.MustCompile(`(?m)^\tdep\t(\S+)\t(\S+)`).FindAllStringSubmatch(string(linked), -1) {
		modules++
		if module := dep[1] + " " + dep[2]; !known[module] || strings.Count(notices, "\n==== "+module+" ====\n") != 1 {
			t.Errorf("%s: in the SBOM %v, in the notices %d times", module, known[module], strings.Count(notices, "\n==== "+module+" ====\n"))
		}
	}
	for _, part := range regexp.MustCompile(`(?m)^==== .* ====$`).Split(notices, -1)[1:] {
		if len(strings.TrimSpace(part)) < 200 {
			t.Errorf("a notice is too short to be one:\n%s", part)
		}
	}
	if modules < 10 || modules+1 != len(sbom.Components) {
		t.Errorf("%d modules are linked, and the SBOM has %d components; want these and Go", modules, len(sbom.Components))
	}
}

// goEnv is a variable of Go.
func goEnv(t *testing.T, name string) string {
	t.Helper()
	value, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(value))
}
