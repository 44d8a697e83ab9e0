package blackbox_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// pasteBlock finds a document's blocks of commands and the output that the document shows.
var pasteBlock = regexp.MustCompile("(?s)\n```sh\n(.*?)```\n\nIt prints[^\n]*\n\n```\n(.*?)```\n")

// make run prints the shop's address, then a request to paste.
func TestTheDemoPrintsAFirstRequest(t *testing.T) {
	t.Parallel()
	n := start(t, options{redis: "embedded", flags: []string{"--demo"}})
	if before, _, found := strings.Cut(n.Log.String(), n.base+"/ in a browser"); !found || strings.Contains(before, "curl ") {
		t.Errorf("got:\n%s\nwant first %s/", n.Log, n.base)
	}
	if desk := n.base + "/desk with the key demo-desk-key"; !strings.Contains(n.Log.String(), desk) {
		t.Errorf("got:\n%s\nwant %s", n.Log, desk)
	}
	request := regexp.MustCompile(`(?m)^ *curl .*$`).FindString(n.Log.String())
	if got := paste(t, n, request); !strings.Contains(got, `"status":"active"`) {
		t.Errorf("%s\ngot: %s\nwant: a cart", request, got)
	}
}

// paste runs commands in a shell and fails the test if one of them fails.
func paste(t *testing.T, n *node, commands string) string {
	t.Helper()
	var errs strings.Builder
	shell := exec.Command("bash", "-euo", "pipefail", "-c", strings.ReplaceAll(commands, "127.0.0.1:8080", n.addr))
	shell.Stderr = &errs
	out, err := shell.Output()
	if err != nil {
		t.Fatalf("%s\n%s%s%v", commands, out, &errs, err)
	}
	return string(out)
}
