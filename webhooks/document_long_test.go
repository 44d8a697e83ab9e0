//go:build long

package webhooks_test

import "testing"

// Receivers in other languages than Go need their programs.
func TestLongVerificationInTheDocument(t *testing.T) {
	t.Parallel()
	for _, r := range []receiver{
		{"js", "verify.mjs", "node main.mjs", `import { readFileSync } from "node:fs";
import { verify } from "./verify.mjs";
for (const d of JSON.parse(readFileSync(0, "utf8"))) console.log(d.name, verify(d.secret, d.headers, Buffer.from(d.body), d.now * 1000));
`},
		{"python", "verify.py", "python3 main.py", `import json, sys
from verify import verify
for d in json.load(sys.stdin):
    print(d["name"], str(verify(d["secret"], d["headers"], d["body"].encode(), d["now"])).lower())
`},
	} {
		t.Run(r.language, func(t *testing.T) {
			t.Parallel()
			r.verifies(t)
		})
	}
}
