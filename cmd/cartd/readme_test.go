package main_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// printedBlock finds a page's one block of commands and what it says that they print.
var printedBlock = regexp.MustCompile("(?s)\n```sh\n(CART=.*?)```\n\nIt prints[^\n]*\n\n```\n(.*?)```\n")

// Pages whose commands can be pasted: they run from top to bottom against a fresh demo and print
// what the page shows. Only the address is another one.
func TestPagesPrintWhatTheyShow(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"README.md", "docs/claim.md"} {
		t.Run(page, func(t *testing.T) {
			text, err := os.ReadFile("../../" + page)
			if err != nil {
				t.Fatal(err)
			}
			found := printedBlock.FindStringSubmatch(string(text))
			if found == nil || strings.Count(string(text), "```sh\n") != 1 {
				t.Fatal("want one block of commands that begins with CART=, and what it prints after it")
			}
			n := start(t, options{redis: "embedded", flags: []string{"--demo"}})
			if got := paste(t, n, found[1]); got != found[2] {
				t.Errorf("the block printed\n%s\nthe page shows\n%s", got, found[2])
			}
		})
	}
}

// make run prints a request to paste.
func TestTheDemoPrintsAFirstRequest(t *testing.T) {
	t.Parallel()
	n := start(t, options{redis: "embedded", flags: []string{"--demo"}})
	request := regexp.MustCompile(`(?m)^ *curl .*$`).FindString(n.log.String())
	if got := paste(t, n, request); !strings.Contains(got, `"status":"active"`) {
		t.Errorf("%s\ngot: %s\nwant: a cart", request, got)
	}
}

// paste runs commands as a user who pastes them, and fails the test where one of them fails.
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
