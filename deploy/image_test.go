//go:build long

package deploy_test

import (
	"debug/elf"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"cartd/internal/redistest"
)

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

// The image holds the program and the authorities' certificates, and the program needs no
// library.
func TestLongImageHoldsOneStaticProgram(t *testing.T) {
	if got, want := filesOf(t, image), []string{"/cartd", "/etc/ssl/certs/ca-certificates.crt"}; !slices.Equal(got, want) {
		t.Errorf("the image has %q, want %q", got, want)
	}
	program, err := elf.Open(filepath.Join(image, "cartd"))
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

// The program serves in the image's file system alone, by a user who may write nowhere, and
// writes nothing.
func TestLongImageRuns(t *testing.T) {
	before := filesOf(t, image)
	cmd := exec.Command("/cartd", "serve", "--demo")
	cmd.Env = []string{
		"CARTD_LISTEN=127.0.0.1:0", "CARTD_OPS_LISTEN=127.0.0.1:0", "CARTD_DRAIN_DELAY=1ms", "CARTD_REDIS_TIMEOUT=8s",
		"CARTD_REDIS=" + redistest.Real(t).URL(),
	}
	cmd.Dir, cmd.SysProcAttr = "/", &syscall.SysProcAttr{Chroot: image}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nameless, Gid: nameless}
	} else { // a user of this machine may become another one in a namespace of its own
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: nameless, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: nameless, HostID: os.Getgid(), Size: 1}}
	}
	p := launch(t, cmd)
	at := p.addresses(t, "listening", "serving metrics")
	cart := makeCart(t, "http://"+at[0])
	if a := call("POST", cart+"/lines", "", `{"product_id": "`+tube+`", "quantity": 3}`); a.status != http.StatusCreated {
		t.Errorf("POST lines: %d %s", a.status, a.body)
	}
	if got := quantity(t, cart); got != 3 {
		t.Errorf("the cart has %d, want 3", got)
	}
	if got := call("GET", "http://"+at[1]+"/metrics", "", ""); !strings.Contains(got.body, "\ncartd_ready 1\n") {
		t.Errorf("/metrics: got %.300s", got.body)
	}
	if status := p.stop(t); status != 0 {
		t.Errorf("the exit status is %d", status)
	}
	if after := filesOf(t, image); !slices.Equal(before, after) {
		t.Errorf("the program left files: %q", after)
	}
}
