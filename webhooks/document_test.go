package webhooks_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// delivery is what a receiver of the documents is given; its time is one fixed second.
type delivery struct {
	Name    string            `json:"name"`
	Secret  string            `json:"secret"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Now     int64             `json:"now"`
}

// receiver is the document's code in a language with a program that reads deliveries and prints
// the verdict on each.
type receiver struct{ language, file, run, main string }

var goReceiver = receiver{"go", "verify.go", "go run verify.go main.go", `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"
)

func main() {
	var deliveries []struct {
		Name, Secret, Body string
		Headers            map[string]string
		Now                int64
	}
	if err := json.NewDecoder(os.Stdin).Decode(&deliveries); err != nil {
		panic(err)
	}
	for _, d := range deliveries {
		header := http.Header{}
		for name, value := range d.Headers {
			header.Set(name, value)
		}
		fmt.Println(d.Name, verify(d.Secret, header, []byte(d.Body), time.Unix(d.Now, 0)))
	}
}
`}

// The code of docs/api/webhooks.md accepts what cartd signs, and nothing else.
func TestVerificationInTheDocument(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles and runs another program, where the race detector sees nothing")
	}
	t.Parallel()
	goReceiver.verifies(t)
}

func (r receiver) verifies(t *testing.T) {
	t.Helper()
	page, err := os.ReadFile("../docs/api/webhooks.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)\n```"+r.language+"\n(.*?)```\n").FindAllSubmatch(page, -1)
	if len(blocks) != 1 {
		t.Fatalf("docs/api/webhooks.md has %d blocks of %s, want one", len(blocks), r.language)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, r.file), blocks[0][1])
	write(t, filepath.Join(dir, "main"+filepath.Ext(r.file)), []byte(r.main))
	sent, want := signedDeliveries(t)
	command := strings.Fields(r.run)
	run := exec.Command(command[0], command[1:]...)
	run.Dir, run.Stdin = dir, bytes.NewReader(sent)
	out, err := run.CombinedOutput()
	if err != nil || string(out) != want {
		t.Errorf("%s: %v, got\n%swant\n%s", r.run, err, out, want)
	}
}

// signedDeliveries are deliveries as JSON, and a line for each: whether it is to be accepted.
func signedDeliveries(t *testing.T) (sent []byte, want string) {
	const (
		secret, other = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"
		body          = `{"event":"order.placed","name":"Zoë"}`
	)
	right, wrong := sign(t, secret, "msg_1", "1800000000", body), sign(t, other, "msg_1", "1800000000", body)
	cases := []struct {
		name, timestamp, signature, body string
		now                              int64
		want                             string
	}{
		{"right", "1800000000", right, body, 1800000000, "true"},
		{"one of two secrets", "1800000000", wrong + " " + right, body, 1800000000, "true"},
		{"at the edge", "1800000000", right, body, 1800000300, "true"},
		{"old", "1800000000", right, body, 1800000301, "false"},
		{"from the future", "1800000000", right, body, 1799999699, "false"},
		{"another secret", "1800000000", wrong, body, 1800000000, "false"},
		{"another body", "1800000000", right, body + " ", 1800000000, "false"},
		{"another time", "1800000001", right, body, 1800000000, "false"},
		{"no time", "", right, body, 1800000000, "false"},
		{"a time that is no number", "soon", right, body, 1800000000, "false"},
		{"no signature", "1800000000", "", body, 1800000000, "false"},
		{"half a signature", "1800000000", right[:20], body, 1800000000, "false"},
	}
	deliveries := make([]delivery, len(cases))
	for i, c := range cases {
		headers := map[string]string{"webhook-id": "msg_1", "webhook-timestamp": c.timestamp, "webhook-signature": c.signature}
		deliveries[i] = delivery{c.name, secret, headers, c.body, c.now}
		want += c.name + " " + c.want + "\n"
	}
	sent, err := json.Marshal(deliveries)
	if err != nil {
		t.Fatal(err)
	}
	return sent, want
}

// sign is a signature by the Standard Webhooks scheme.
func sign(t *testing.T, secret, id, timestamp, body string) string {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		t.Fatal(err)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "." + body))
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}
