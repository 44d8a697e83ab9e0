package main_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// room is one package's row: its allowed imports beside the standard library, each with a reason. A
// path ending in "/..." includes everything below it.
type room struct {
	may map[string]string
	// pure packages compute: they have no I/O, clock, randomness, lock or goroutine. except are
	// standard packages that this one may import nevertheless.
	pure   bool
	except map[string]string
}

// house is the allowed folder tree. A package without a row fails the test, and so does a row
// without a package.
var house = map[string]room{
	"cmd/cartd": {may: map[string]string{
		"github.com/prometheus/client_golang/...": "the metrics of all rooms, read where they are counted",
		"github.com/prometheus/client_model/go":   "the form of a gathering, which changes when a node has waited for Redis",
		"go.opentelemetry.io/otel/...":            "traces, with the release that protoactor-go brings",
		"go.opentelemetry.io/proto/otlp/trace/v1": "the form in which a collector takes them",
		"google.golang.org/protobuf/proto":        "its encoding",
		"cartd/...":                               "joins the rooms: configuration and wiring",
		"github.com/google/uuid":                  "the ids of stores on the command line",
		"golang.org/x/sys/unix":                   "whether a stream is a terminal",
	}},
	"commerce": {pure: true, may: map[string]string{
		"github.com/google/uuid":         "ids are values",
		"github.com/shopspring/decimal":  "the quantities of components at the edges",
		"golang.org/x/net/idna":          "a domain has one spelling, also in punycode",
		"golang.org/x/text/cases":        "the search folds case as Unicode says",
		"golang.org/x/text/unicode/norm": "and takes accents off",
	}},
	"commerce/catalogue": {pure: true, may: map[string]string{
		"cartd/commerce":                          "stores and products, prices and the refusals of a filter",
		"github.com/google/uuid":                  "ids are values",
		"github.com/blevesearch/snowballstem":     "the search knows words in all their forms",
		"github.com/blevesearch/snowballstem/...": "in each language",
	}},
	"commerce/configurator": {pure: true, may: map[string]string{
		"cartd/commerce":         "the configurator's types, amounts and refusals",
		"github.com/google/uuid": "ids are values",
	}},
	"commerce/storefile": {pure: true, may: map[string]string{
		"cartd/commerce":              "the types that a document describes",
		"cartd/commerce/configurator": "a configurator is made ready for requests where its store is read",
		"cartd/internal/field":        "the rows that a document is told in",
		"cartd/internal/openapi":      "the schema of a document",
		"cartd/internal/spelling":     "the field or word that a misspelt one was meant to be",
		"cartd/internal/strictjson":   "requests and documents are read by the same rules",
		"github.com/google/uuid":      "ids are values",
	}, except: map[string]string{
		"sync":     "the components of a document are found once, by the first who asks",
		"net/http": "the numbers of the redirect statuses, by name",
		"net/url":  "the grammar of a webhook's address",
	}},
	"commerce/storefile/convert": {pure: true, may: map[string]string{
		"cartd/commerce":                     "what a document's numbers and units may be",
		"cartd/commerce/storefile":           "the members of a product, and the limits of a document",
		"cartd/internal/strictjson":          "earlier documents are read by the rules of documents",
		"github.com/google/uuid":             "ids are values",
		"github.com/shopspring/decimal":      "prices and weights of tables",
		"golang.org/x/net/html":              "descriptions in HTML become text",
		"golang.org/x/text/encoding/charmap": "spreadsheets save Windows-1252",
		"golang.org/x/text/encoding/unicode": "and UTF-16",
		"golang.org/x/text/unicode/norm":     "decomposed accents are composed",
	}, except: map[string]string{
		"net/url": "the addresses of pictures and of products' pages",
	}},
	"engine": {may: map[string]string{
		"cartd/commerce":           "the rules that requests are judged by",
		"cartd/commerce/catalogue": "the lists of products",
		"cartd/commerce/storefile": "change sets of a store's document",
		"cartd/internal/outage":    "its errors are those of requests",
		"cartd/ratelimit":          "what a limit leaves is its decision",
		"github.com/google/uuid":   "ids of records",
	}},
	"actors": {may: map[string]string{
		"cartd/commerce":                          "the states that actors hold",
		"cartd/engine":                            "requests, and how they are judged",
		"cartd/internal/outage":                   "the pauses between sendings of a visit",
		"cartd/internal/waiter":                   "the caller of a request waits for its answer",
		"github.com/google/uuid":                  "ids of parts of records",
		"github.com/asynkron/protoactor-go/actor": "the actors; cluster and remote are alpha and drag in gRPC",
	}},
	"persistence/redisdb": {may: map[string]string{
		"cartd/internal/outage":                           "its errors, and the pauses between sendings",
		"github.com/redis/go-redis/v9":                    "the client",
		"github.com/redis/go-redis/v9/maintnotifications": "to switch them off",
	}},
	"persistence/records": {may: map[string]string{
		"cartd/commerce":            "the states that records hold",
		"cartd/commerce/storefile":  "the table of a document's pages",
		"cartd/engine":              "stamps and visits",
		"cartd/persistence/redisdb": "the error of a value that cannot be read",
		"cartd/ratelimit":           "its script counts the requests, too",
		"github.com/google/uuid":    "ids in keys and records",
	}},
	"persistence/accounts": {may: map[string]string{
		"golang.org/x/text/unicode/norm": "passwords count in NFC",
		"cartd/commerce":                 "sessions, visitors and the limits of hashes",
		"cartd/engine":                   "requests, and the budgets of attempts",
		"cartd/internal/outage":          "an attempt is taken back until Redis answers",
		"cartd/internal/turns":           "passwords of stores take turns",
		"cartd/persistence/records":      "keys, and the head of a contact",
		"cartd/persistence/redisdb":      "the way to Redis",
		"cartd/ratelimit":                "failed logins and unknown codes are counted there",
		"github.com/google/uuid":         "ids in keys",
		"golang.org/x/crypto/argon2":     "password hashes",
		"golang.org/x/crypto/bcrypt":     "password hashes that documents bring",
	}},
	"persistence/stock": {may: map[string]string{
		"cartd/commerce":            "levels, and what a cart asks for",
		"cartd/engine":              "visits, and the clocks of stores",
		"cartd/persistence/records": "keys, and the plan of a visit",
		"cartd/persistence/redisdb": "the way to Redis",
		"github.com/google/uuid":    "ids in keys",
	}},
	"persistence/stores": {may: map[string]string{
		"cartd/commerce":               "stores, keys and customers",
		"cartd/commerce/storefile":     "change sets are merged into the kept document",
		"cartd/engine":                 "versions of stores, and their clocks",
		"cartd/internal/outage":        "a write is sent until Redis answers",
		"cartd/persistence/accounts":   "an import writes addresses and tokens, and hashes passwords",
		"cartd/persistence/records":    "an import's customers are records",
		"cartd/persistence/redisdb":    "the way to Redis",
		"cartd/persistence/stock":      "an import writes the first stock, an export reads it",
		"cartd/ratelimit":              "the name of a store's log",
		"github.com/google/uuid":       "ids in keys",
		"github.com/redis/go-redis/v9": "pipelines of imports and exports",
	}},
	"persistence/outbox": {may: map[string]string{
		"cartd/commerce":               "events, receivers and deliveries",
		"cartd/engine":                 "the errors of an outage",
		"cartd/internal/answers":       "the form in which an event is delivered",
		"cartd/persistence/records":    "keys, and the plan of a visit",
		"cartd/persistence/redisdb":    "the way to Redis",
		"cartd/persistence/stores":     "the webhooks of a store, and its head",
		"github.com/google/uuid":       "ids of stores and events",
		"github.com/redis/go-redis/v9": "pipelines over the index",
	}},
	"persistence/unpaid": {may: map[string]string{
		"cartd/commerce":               "the orders that end",
		"cartd/engine":                 "their visits",
		"cartd/persistence/outbox":     "the turns of leased stores",
		"cartd/persistence/records":    "keys, and the codec of orders",
		"cartd/persistence/redisdb":    "the way to Redis",
		"cartd/persistence/stores":     "the key of a store's head",
		"github.com/google/uuid":       "ids of stores",
		"github.com/redis/go-redis/v9": "a transaction that forgets a store's turn",
	}},
	"persistence/operator": {may: map[string]string{
		"cartd/commerce":               "the states that are shown, erased and approved",
		"cartd/commerce/storefile":     "the limits of an import, for the check of all stores",
		"cartd/engine":                 "records and visits",
		"cartd/internal/answers":       "the event of an approval",
		"cartd/persistence":            "the commit of visits, and the readers of orders",
		"cartd/persistence/accounts":   "addresses and tokens",
		"cartd/persistence/outbox":     "the event of an approval, and deliveries that name a customer",
		"cartd/persistence/records":    "keys and codecs",
		"cartd/persistence/redisdb":    "the errors of the way to Redis",
		"cartd/persistence/stock":      "levels and holds",
		"cartd/persistence/stores":     "heads, and the history of a store",
		"github.com/google/uuid":       "ids of records",
		"github.com/redis/go-redis/v9": "pipelines and transactions",
	}},
	"persistence/embedded": {may: map[string]string{
		"github.com/alicebob/miniredis/v2": "the Redis inside the process",
	}},
	"persistence": {may: map[string]string{
		"cartd/commerce/storefile":     "change sets of a store's document",
		"cartd/internal/answers":       "the orders, quotes and contacts of events",
		"cartd/internal/waiter":        "a request waits for its round trip",
		"cartd/persistence/accounts":   "tokens of requests, registrations",
		"cartd/persistence/outbox":     "the events of visits",
		"cartd/persistence/records":    "the visits of records, and their script",
		"cartd/persistence/redisdb":    "the way to Redis",
		"cartd/persistence/stock":      "what a visit holds, sells and adjusts",
		"cartd/persistence/stores":     "the store that a request is of",
		"cartd/persistence/unpaid":     "the end of unpaid orders",
		"cartd/commerce":               "the states that are stored",
		"cartd/engine":                 "records, commits and what a request asks",
		"cartd/ratelimit":              "the limiter is asked in the same round trip",
		"github.com/google/uuid":       "ids in keys and records",
		"github.com/redis/go-redis/v9": "the types of its commands and scripts",
	}},
	"ratelimit": {may: map[string]string{
		"github.com/google/uuid":       "stores are named by their ids",
		"github.com/redis/go-redis/v9": "its script type",
	}},
	"httpserver": {may: map[string]string{
		"cartd/commerce/storefile":                       "change sets of a store's document",
		"cartd/commerce":                                 "commands, refusals and what is shown",
		"cartd/commerce/catalogue":                       "the lists of products",
		"cartd/engine":                                   "requests and replies",
		"cartd/httpserver/bodies":                        "the fields of bodies: their schemas and readers",
		"cartd/httpserver/site":                          "pages and files beside the API",
		"cartd/httpserver/front":                         "connections, heads and bodies, with their limits",
		"cartd/internal/answers":                         "the objects of the answers: their schemas and encoders",
		"cartd/internal/openapi":                         "the form in which the table is described",
		"cartd/internal/strictjson":                      "request bodies",
		"cartd/internal/turns":                           "searches, explanations and large readings of stock take turns",
		"github.com/cespare/xxhash/v2":                   "the body's hash in an ETag: on every answer, so a fast one",
		"github.com/fasthttp/router":                     "finds the route",
		"github.com/google/uuid":                         "ids in paths, bodies and answers",
		"github.com/prometheus/client_golang/prometheus": "the metrics of requests",
		"github.com/valyala/fasthttp":                    "the server",
	}},
	"httpserver/site": {may: map[string]string{
		"cartd/docs":                  "the pages of the rules, beside the API's description",
		"github.com/valyala/fasthttp": "packs files",
	}},
	"httpserver/bodies": {may: map[string]string{
		"cartd/commerce":            "the commands that bodies are read into, and the rules of their fields",
		"cartd/engine":              "the requests of the account routes",
		"cartd/internal/field":      "the rows that bodies are told in",
		"cartd/internal/openapi":    "the form in which fields are described",
		"cartd/internal/strictjson": "request bodies",
		"github.com/google/uuid":    "ids are values",
	}},
	"httpserver/front": {may: map[string]string{
		"github.com/google/uuid":      "the memory of bodies and answers is shared by store",
		"github.com/valyala/fasthttp": "the server",
	}},
	"webhooks": {may: map[string]string{
		"cartd/commerce": "the receivers and what is delivered",
		"github.com/standard-webhooks/standard-webhooks/libraries/go": "the signature",
	}},
	"bench": {may: map[string]string{
		"github.com/HdrHistogram/hdrhistogram-go": "latencies to p99.99 in little memory",
		"cartd/bench/shopper":                     "the one HTTP client",
		"github.com/valyala/fasthttp":             "its requests and answers, made ready",
		"golang.org/x/sys/unix":                   "the CPU clocks of processes, and a timer finer than the runtime's",
	}},
	"bench/shopper": {may: map[string]string{
		"github.com/valyala/fasthttp": "an HTTP client that sends nothing twice and leaves the machine to the servers",
	}},
	"bench/floor": {may: map[string]string{
		"github.com/google/uuid":       "the id in an answer",
		"github.com/redis/go-redis/v9": "the client that cartd uses, too",
		"github.com/valyala/fasthttp":  "the server that cartd uses, too",
	}},
	"bench/report": {may: map[string]string{
		"cartd/bench":                              "the results that it shows",
		"github.com/wcharczuk/go-chart/v2":         "charts as SVG inside the page",
		"github.com/wcharczuk/go-chart/v2/drawing": "their colours",
	}},
	"bench/suite": {may: map[string]string{
		"cartd/bench":              "drives both sides of a pair",
		"cartd/bench/floor":        "the answers that the floor is given",
		"cartd/internal/process":   "starts both sides and their Redis",
		"cartd/internal/unitcosts": "the table of what it measures",
	}},
	"cmd/cartbench": {may: map[string]string{
		"cartd/bench/...":            "joins load, floor, suite and reports; nothing of the server",
		"cartd/internal/commandline": "flags, help and faults as with cartd",
		"cartd/internal/process":     "the version of the Redis that it measures",
		"cartd/internal/unitcosts":   "writes the table of unit costs",
	}},
	"web": {},
	"docs": {may: map[string]string{
		"github.com/yuin/goldmark/...": "Markdown of the pages, which are shown as HTML",
	}},
	"internal/answers": {pure: true, may: map[string]string{
		"cartd/commerce":            "what the answers show",
		"cartd/commerce/catalogue":  "the lists of products",
		"cartd/engine":              "rows of lists, which have more than a record",
		"cartd/internal/field":      "the rows that answers are told in",
		"cartd/internal/openapi":    "the schemas of the fields",
		"cartd/internal/strictjson": "texts are written as it reads them, and a stored event is read",
		"github.com/google/uuid":    "ids are values",
	}, except: map[string]string{"net/url": "the paths of a sitemap are percent-encoded"}},
	"internal/dice":    {},
	"internal/process": {},
	"internal/field": {pure: true, may: map[string]string{
		"cartd/internal/openapi":    "what the descriptions say of a field",
		"cartd/internal/strictjson": "the names of members are written as it reads them",
	}},
	"internal/openapi":    {pure: true},
	"internal/strictjson": {pure: true},
	"internal/spelling":   {pure: true},
	"internal/unitcosts":  {pure: true},
	"internal/turns": {may: map[string]string{
		"github.com/google/uuid": "the ids of stores",
	}},
	"internal/waiter": {},
	"internal/outage": {},
	"internal/commandline": {may: map[string]string{
		"cartd/internal/spelling": "the flag that an unknown one was meant to be",
	}},
	"blackbox": {may: map[string]string{
		"cartd/internal/process": "the one that starts programs",
		"cartd/bench/shopper":    "the one HTTP client",
	}},
	"blackbox/conformance": {may: map[string]string{
		"github.com/pb33f/libopenapi":                  "reads OpenAPI documents, in tests only",
		"github.com/pb33f/libopenapi-validator":        "validates documents and answers, in tests only",
		"github.com/pb33f/libopenapi-validator/config": "its options",
		"github.com/pb33f/libopenapi-validator/errors": "its findings",
		"github.com/santhosh-tekuri/jsonschema/v6":     "validates bodies in make test; it builds in seconds",
	}},
	"internal/redistest": {may: map[string]string{
		"cartd/internal/process":           "the one that starts programs",
		"github.com/alicebob/miniredis/v2": "a Redis inside the test",
		"github.com/redis/go-redis/v9":     "a client for the test",
	}},
	"internal/shoptest": {may: map[string]string{
		"cartd/commerce":               "the limit and the hashes of a store",
		"cartd/commerce/storefile":     "reads its document",
		"github.com/google/uuid":       "ids that are easy to read",
		"github.com/redis/go-redis/v9": "its hooks count round trips",
	}},
	"blackbox/faultsuite": {may: map[string]string{
		"cartd/blackbox/faultsuite/cluster": "the processes that it breaks",
		"cartd/blackbox/faultsuite/history": "what it records, and the checks",
		"cartd/blackbox/faultsuite/model":   "the commands that it sends",
		"cartd/bench/shopper":               "the one HTTP client",
	}},
	"blackbox/hostile": {},
	"blackbox/scale":   {},
	"blackbox/shop": {may: map[string]string{
		"github.com/chromedp/chromedp":    "a headless Chromium, in the long tests only",
		"github.com/chromedp/cdproto/...": "the commands of its protocol: typing, the network, sizes and colours",
	}},
	"blackbox/faultsuite/cluster": {may: map[string]string{
		"cartd/bench":              "the memory of a process",
		"cartd/internal/process":   "the one that starts programs",
		"cartd/blackbox":           "builds the program",
		"cartd/internal/redistest": "a Redis that ends with the test",
	}},
	"blackbox/faultsuite/history": {may: map[string]string{
		"cartd/blackbox/faultsuite/model":   "what commands should have done",
		"github.com/anishathalye/porcupine": "the search for a linear order",
	}},
	"blackbox/faultsuite/model": {may: map[string]string{
		"github.com/google/uuid":        "the ids of lines",
		"github.com/shopspring/decimal": "quantities, read exactly",
	}},
}

// impure are the standard packages that a pure package may not import, with all packages below them
// except pureValues.
var impure = []string{
	"crypto/rand", "io/fs", "io/ioutil", "log", "math/rand", "net", "os", "plugin", "runtime", "sync", "syscall", "unsafe",
}

var pureValues = []string{"net/netip"}

// clocks are the functions of package time that read the clock or wait.
var clocks = []string{"Now", "Since", "Until", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer", "Sleep"}

func TestEveryPackageHasItsRowAndKeepsToIt(t *testing.T) {
	t.Parallel()
	packages := sources(t)
	for dir, p := range packages {
		row, ok := house[dir]
		if !ok {
			t.Errorf("package %s has no row in the table of the house: add one with its imports and their reasons", dir)
			continue
		}
		for _, fault := range p.trespasses(row) {
			t.Error(fault)
		}
	}
	for dir := range house {
		if packages[dir] == nil {
			t.Errorf("the table of the house has a row for %s, which is no package", dir)
		}
	}
	for dir, row := range house {
		for imported, reason := range row.may {
			if reason == "" {
				t.Errorf("%s may import %s without a reason", dir, imported)
			}
		}
	}
}

// trespasses returns the imports and, in a pure package, the calls that the row does not allow.
func (p *parsed) trespasses(row room) []string {
	var found []string
	for _, file := range p.files {
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			if !row.allows(imported) {
				found = append(found, fmt.Sprintf("%s imports %s", p.set.Position(spec.Pos()), imported))
			}
		}
		if row.pure {
			found = append(found, p.impurities(file)...)
		}
	}
	return found
}

func (r room) allows(imported string) bool {
	if !standard(imported) {
		return listed(r.may, imported)
	}
	return !r.pure || r.except[imported] != "" || slices.Contains(pureValues, imported) ||
		!slices.ContainsFunc(impure, func(tree string) bool { return within(tree, imported) })
}

// standard reports whether an import is of the standard library: its first element has no dot, and
// is not cartd.
func standard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return first != "cartd" && !strings.Contains(first, ".")
}

func listed(may map[string]string, imported string) bool {
	for allowed := range may {
		tree, whole := strings.CutSuffix(allowed, "/...")
		if imported == allowed || whole && within(tree, imported) {
			return true
		}
	}
	return false
}

func within(tree, imported string) bool {
	return imported == tree || strings.HasPrefix(imported, tree+"/")
}

// impurities returns the goroutines and the reads of the clock.
func (p *parsed) impurities(file *ast.File) []string {
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = append(found, fmt.Sprintf("%s starts a goroutine in a pure package", p.set.Position(n.Pos())))
		case *ast.SelectorExpr:
			if of, ok := n.X.(*ast.Ident); ok && of.Name == "time" && slices.Contains(clocks, n.Sel.Name) {
				found = append(found, fmt.Sprintf("%s uses time.%s in a pure package", p.set.Position(n.Pos()), n.Sel.Name))
			}
		}
		return true
	})
	return found
}

func TestARowForbidsOtherImports(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dir, source string
		want        int
	}{
		{"commerce", `import ("time"; "net/netip"; "github.com/google/uuid"; "crypto/hmac"); var _ = time.Duration(0)`, 0},
		{"commerce", `import ("os"; "net"; "net/http"; "io/fs"; "math/rand/v2"; "crypto/rand"; "log/slog"; "sync/atomic")`, 8},
		{"commerce", `import "cartd/internal/strictjson"`, 1},
		{"commerce", `import "time"; var _ = time.Now; func f() { go f() }`, 2},
		{"commerce", `import "time"; func f(a, b time.Time) bool { return a.After(b) }`, 0},
		{"commerce/storefile", `import ("net/http"; "cartd/internal/strictjson"; "net")`, 1},
		{"httpserver", `import ("cartd/persistence"; "cartd/actors"; "cartd/ratelimit"; "os")`, 3},
		{"actors", `import ("github.com/asynkron/protoactor-go/cluster"; "cartd/persistence"; "github.com/asynkron/protoactor-go/actor")`, 2},
		{"cmd/cartd", `import ("cartd/actors"; "cartd/commerce/storefile"; "github.com/redis/go-redis/v9")`, 1},
	} {
		set := gotoken.NewFileSet()
		file, err := parser.ParseFile(set, "a.go", "package a\n"+c.source, 0)
		if err != nil {
			t.Fatal(err)
		}
		p := &parsed{files: map[string]*ast.File{"a.go": file}, set: set}
		if got := p.trespasses(house[c.dir]); len(got) != c.want {
			t.Errorf("%s: %s\nfound %q, want %d", c.dir, c.source, got, c.want)
		}
	}
}
