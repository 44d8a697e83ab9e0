//go:build long

package blackbox_test

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// A release has a static program and an archive for each processor, with a revision, sums that are right
// and signed, every linked module and every embedded page in the SBOM and in the notices, and is the same
// when it is made again.
func TestLongReleaseIsWhole(t *testing.T) {
	dir, again, key := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "key")
	env := []string{"HOME=" + t.TempDir(), "GOFLAGS=-buildvcs=false", "GOCACHE=" + goEnv(t, "GOCACHE"), "GOMODCACHE=" + goEnv(t, "GOMODCACHE"), "KEY=" + key}
	bash(t, "ssh-keygen -q -t ed25519 -N '' -f $KEY", env...)
	bash(t, "SIGNING_KEY=$KEY sh scripts/release.sh "+dir+" && umask 077 && sh scripts/release.sh "+again+" && test ! -e "+again+"/SHA256SUMS.sig", env...)
	if !slices.Equal(read(t, dir+"/SHA256SUMS"), read(t, again+"/SHA256SUMS")) {
		t.Errorf("the release made again has other sums:\n%s\n%s", read(t, dir+"/SHA256SUMS"), read(t, again+"/SHA256SUMS"))
	}
	const verify = " && ssh-keygen -q -Y verify -f signers -I shop -n cartd-release -s SHA256SUMS.sig <"
	bash(t, "cd "+dir+" && echo shop $(cat $KEY.pub) > ../signers && cp ../signers ."+verify+"SHA256SUMS && ! (true"+verify+"NOTICES.txt) && rm signers", env...)
	wantArchives(t, dir)
	programs, err := filepath.Glob(dir + "/cartd-*-linux-*64")
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
	bash(t, "cd "+dir+" && sha256sum --check --strict SHA256SUMS && test $(wc -l < SHA256SUMS) -eq 6")
	var sbom struct {
		BOMFormat  string
		Components []struct {
			Type, Name, Version, Purl string
			Hashes                    []struct{ Alg, Content string }
			Licenses                  []struct{ License struct{ ID string } }
		}
	}
	sboms, _ := filepath.Glob(dir + "/*.cdx.json")
	if len(sboms) != 1 {
		t.Fatalf("the SBOMs are %q, want one", sboms)
	}
	if err := json.Unmarshal(read(t, sboms[0]), &sbom); err != nil || sbom.BOMFormat != "CycloneDX" {
		t.Fatalf("the SBOM: %v, %s", err, sbom.BOMFormat)
	}
	known, count, sums := map[string]bool{}, map[string]int{}, string(read(t, dir+"/SHA256SUMS"))
	for _, c := range sbom.Components {
		known[c.Name+" "+c.Version] = true
		count[c.Type]++
		digits := map[string]int{"SHA-256": 64, "SHA-512": 128}
		if c.Type != "platform" && (len(c.Hashes) != 1 || !regexp.MustCompile(`^[0-9a-f]+$`).MatchString(c.Hashes[0].Content) ||
			len(c.Hashes[0].Content) != digits[c.Hashes[0].Alg]) {
			t.Errorf("%s has the hashes %v", c.Name, c.Hashes)
		}
		if others := c.Type == "library" || c.Type == "platform"; others && (len(c.Licenses) == 0 || c.Licenses[0].License.ID == "") {
			t.Errorf("%s has the licences %v", c.Name, c.Licenses)
		}
		if c.Name == "github.com/klauspost/compress" && len(c.Licenses) != 3 { // its LICENSE has the texts of Apache, BSD and MIT
			t.Errorf("%s has the licences %v, want three", c.Name, c.Licenses)
		}
		if c.Type == "application" && !strings.Contains(sums, c.Hashes[0].Content+"  "+c.Name+"\n") {
			t.Errorf("%s has another hash than in the sums: %v", c.Name, c.Hashes)
		}
		if page, err := os.ReadFile("../" + c.Name); c.Type == "file" && (err != nil || fmt.Sprintf("%x", sha256.Sum256(page)) != c.Hashes[0].Content) {
			t.Errorf("the embedded file %s: %v, %v", c.Name, c.Hashes, err)
		}
	}
	for _, page := range []string{"web/dist/index.html.gz", "httpserver/site/docs/page.html", "docs/api/carts.md", "cmd/cartd/demo/store.json"} {
		if !known[page+" "] {
			t.Errorf("the SBOM lacks the embedded %s", page)
		}
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
	if modules < 10 || count["library"] != modules+2 || count["platform"] != 1 || count["application"] != 2 {
		t.Errorf("%d modules are linked, and the SBOM has %v; want these, Preact and Redoc, Go, and two programs", modules, count)
	}
}

// wantArchives unpacks the archives: each has one folder with the program, what operators deploy and run,
// the documents, the SBOM and the notices.
func wantArchives(t *testing.T, dir string) {
	t.Helper()
	archives, err := filepath.Glob(dir + "/cartd_*_linux_*.tar.gz")
	if err != nil || len(archives) != 2 {
		t.Fatalf("the archives are %q, %v; want two", archives, err)
	}
	for _, archive := range archives {
		unpacked := t.TempDir()
		bash(t, "tar -C "+unpacked+" -xzf "+archive)
		name := strings.TrimSuffix(filepath.Base(archive), ".tar.gz")
		program := strings.Replace(strings.Replace(name, "cartd_", "cartd-", 1), "_linux_", "-linux-", 1)
		bash(t, "cd "+unpacked+"/"+name+" && cmp cartd "+dir+"/"+program+" && test -x cartd -a -x scripts/restore-redis.sh && test $(ls .. | wc -l) -eq 1"+
			" && diff -r deploy "+root(t)+"/deploy && cmp docs/operations.md "+root(t)+"/docs/operations.md && cmp NOTICES.txt "+dir+"/NOTICES.txt && ls *.cdx.json")
		for _, line := range strings.Split(strings.TrimSpace(bash(t, "tar -tvzf "+archive)), "\n") {
			if fields := strings.Fields(line); fields[1] != "0/0" {
				t.Errorf("the archive names a user: %s", line)
			}
		}
	}
}

// root is the folder of the checkout.
func root(t *testing.T) string {
	t.Helper()
	at, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	return at
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
