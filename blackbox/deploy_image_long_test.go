//go:build long

package blackbox_test

import (
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"cartd/internal/redistest"
)

// image is the folder that scripts/image.sh lays out, the image's file system.
var image = sync.OnceValues(func() (string, error) {
	folder := filepath.Join(filepath.Dir(binary), "image")
	script := exec.Command("sh", "scripts/image.sh", folder)
	script.Dir = ".."
	out, err := script.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("scripts/image.sh: %w\n%s", err, out)
	}
	return folder, errors.Join(err, os.Chmod(filepath.Dir(binary), 0o755)) // for the image's user
})

func laidOut(t *testing.T) string {
	t.Helper()
	folder, err := image()
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// tube is a product of the demo store.
const tube = "10000000-0000-4000-8000-000000000201"

// nameless is the user of the image.
const nameless = 65532

// filesOf lists a folder's files with their sizes.
func filesOf(t *testing.T, root string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			list = append(list, strings.TrimPrefix(path, root))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// The image has the program, the authorities' certificates and the script for Redis. The program needs no library.
func TestLongImageHoldsOneStaticProgram(t *testing.T) {
	if got, want := filesOf(t, laidOut(t)), []string{"/cartd", "/etc/ssl/certs/ca-certificates.crt", "/mend-aof.sh"}; !slices.Equal(got, want) {
		t.Errorf("the image has %q, want %q", got, want)
	}
	program, err := elf.Open(filepath.Join(laidOut(t), "cartd"))
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	libraries, err := program.ImportedLibraries()
	if len(libraries) > 0 || err != nil {
		t.Errorf("the program needs the libraries %q, %v", libraries, err)
	}
	for _, segment := range program.Progs {
		if segment.Type == elf.PT_INTERP {
			t.Error("the program needs a dynamic linker")
		}
	}
}

// The program serves with only the image's file system and a user who may write nowhere. It writes
// no file.
func TestLongImageRuns(t *testing.T) {
	before := filesOf(t, laidOut(t))
	cmd := exec.Command("/cartd", "serve", "--demo")
	cmd.Env = []string{
		"CARTD_LISTEN=127.0.0.1:0", "CARTD_OPS_LISTEN=127.0.0.1:0", "CARTD_DRAIN_DELAY=1ms", "CARTD_REDIS_TIMEOUT=8s",
		"CARTD_REDIS=" + redistest.Real(t).URL(),
	}
	cmd.Dir, cmd.SysProcAttr = "/", &syscall.SysProcAttr{Chroot: laidOut(t)}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nameless, Gid: nameless}
	} else { // an unprivileged user of this machine may become another one in a namespace of its own
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: nameless, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: nameless, HostID: os.Getgid(), Size: 1}}
	}
	n := listens(t, cmd)
	shop := n.client(t).withKey("demo-storefront-key")
	path := shop.newCart()
	shop.add(path, tube, "3")
	if got := shop.get(path).cart(http.StatusOK).Lines; len(got) != 1 || got[0].Quantity != "3" {
		t.Errorf("the cart has the lines %v, want one of 3", got)
	}
	if status, page := fetch(t, opsOf(n)+"/metrics"); status != http.StatusOK {
		t.Errorf("GET /metrics: got %d %.200s, want 200", status, page)
	}
	if status := n.Stop(); status != 0 {
		t.Errorf("the exit status is %d", status)
	}
	if after := filesOf(t, laidOut(t)); !slices.Equal(before, after) {
		t.Errorf("the program left files: %q", after)
	}
}
