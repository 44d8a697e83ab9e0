package main

import (
	"flag"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/netip"
	"net/url"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"cartd/internal/commandline"
	"cartd/ratelimit"
)

// serveConfig has the flags of cartd serve.
type serveConfig struct {
	listen         string
	redis          redisFlags
	redisWait      int
	redisPatience  patienceFlag
	stores         listFlag
	storeReplace   bool
	maxDocument    documentLimit
	storeIdle      time.Duration
	storeMemory    commandline.Bytes
	demo           bool
	demoMailbox    bool
	demoSales      bool
	desk           bool
	requestTimeout time.Duration
	drainDelay     time.Duration
	trustedProxies prefixFlag
	corsOrigins    originFlag
	mailbox        int
	gzip           bool
	resident       commandline.Bytes
	answerBytes    commandline.Bytes
	storeGrowth    commandline.Bytes
	idle           time.Duration
	opsListen      string
	metricsStores  bool
	otlp           string
	docs           string
	accessLog      bool
	logFormat      string
	logLevel       levelFlag
	webhookPrivate bool
	webhookTimeout time.Duration
}

// maxRequestTimeout is below shutdownTimeout, so that every request is answered. It is also far
// below the ten minutes for which a record remembers its writers. A commit of unknown outcome that
// is sent again after that time could be made twice.
const maxRequestTimeout = 10 * time.Second

// flags declares the flags of cartd serve.
func (c *serveConfig) flags(fs *flag.FlagSet) {
	fs.StringVar(&c.listen, "listen", "127.0.0.1:8080", "`address` to serve HTTP on")
	c.redis.flags(fs, time.Second)
	fs.IntVar(&c.redisWait, "redis-wait", 0, "`number` of replicas that must acknowledge every write; in a cluster, replicas of the write's master")
	fs.Var(&c.redisPatience, "redis-patience", "how long a start waits for a Redis that is away or loads its file: `DURATION` or forever; 0 ends it at once")
	fs.Var(&c.stores, "store", "store document `FILE` to load where Redis does not have the store yet (repeatable)")
	fs.BoolVar(&c.storeReplace, "store-replace", false, "let --store replace a store that differs")
	c.maxDocument.flag(fs)
	fs.DurationVar(&c.storeIdle, "store-idle", 15*time.Minute, "time without a request after which a store leaves memory")
	c.storeMemory = defaultStoreMemory(debug.SetMemoryLimit(-1))
	fs.Var(&c.storeMemory, "store-memory", "`bytes` of memory for stores, such as 2GiB; those used longest ago leave first")
	fs.BoolVar(&c.demoMailbox, "demo-mailbox", false,
		"with --demo and --store: show whoever asks the mails of the document's customers, as --demo does of its own")
	fs.BoolVar(&c.demoSales, "demo-sales", false, "with --demo and --redis embedded: begin with the orders of thirty days, and a quote whose customer waits")
	fs.BoolVar(&c.desk, "desk", false, "serve the merchant's desk at /desk, a page for a key of cartd key --desk; --demo implies it")
	fs.BoolVar(&c.demo, "demo", false, "load the demo store and serve its shop at /; with --store the shop shows the document of the first --store instead")
	fs.DurationVar(&c.requestTimeout, "request-timeout", maxRequestTimeout, "how long a request may take; the default is the maximum")
	fs.DurationVar(&c.drainDelay, "drain-delay", 0, "how long to serve with /readyz at 503 after a signal that stops it; a second one ends the delay")
	fs.Var(&c.trustedProxies, "trusted-proxies", "`networks` (CIDR, commas) whose X-Forwarded-For, X-Forwarded-Proto, X-Request-Id and traceparent count, "+
		"and who may ask for Server-Timing; or @FILE that lists them")
	fs.Var(&c.corsOrigins, "cors-origins", "`origins` (scheme://host[:port], commas) whose pages may call the API; or @FILE that lists them")
	fs.BoolVar(&c.gzip, "gzip", false, "pack JSON answers above 1 KiB with gzip for clients that accept it; leave it to a proxy that does")
	fs.IntVar(&c.mailbox, "mailbox", 256, "commands that may wait for one cart, contact or quote")
	c.resident = defaultResident(debug.SetMemoryLimit(-1))
	fs.Var(&c.resident, "resident", "`bytes` of memory for carts and contacts together, such as 512MiB; the least recently used idle ones leave first")
	c.answerBytes = 128 << 20
	fs.Var(&c.answerBytes, "answer-bytes", "`bytes` of memory for answers that are being made or sent; a store has a quarter of it, beyond it 503")
	c.storeGrowth = ratelimit.DefaultGrowth
	fs.Var(&c.storeGrowth, "store-growth", "`bytes` by which a store may grow in Redis for each request of its limit, with bursts of 64MiB; beyond it 503")
	fs.DurationVar(&c.idle, "idle", 15*time.Second,
		"time after which an unused cart's actor stops and its state is packed; it leaves memory after 240 times as long")
	fs.StringVar(&c.opsListen, "ops-listen", "", "`address` to serve /metrics and /debug/pprof/ on, for operators; off unless given")
	fs.BoolVar(&c.metricsStores, "metrics-stores", false, "count the requests of each store in /metrics: as many series as stores")
	fs.StringVar(&c.otlp, "otlp", "", "`URL` of an OTLP/HTTP collector for a trace of each request, such as http://127.0.0.1:4318; off unless given")
	fs.StringVar(&c.docs, "docs", "on", "on or off: serve the API's description at /openapi.json and its page at /docs")
	fs.BoolVar(&c.accessLog, "access-log", false, "log a line for every request")
	fs.StringVar(&c.logFormat, "log-format", "json", "json or text")
	fs.Var(&c.logLevel, "log-level", "`LEVEL` of the log lines to write: debug (a line for every request, too), info, warn or error; or @FILE that has it")
	fs.BoolVar(&c.webhookPrivate, "webhook-allow-private", false, "deliver webhooks to private, link-local and loopback addresses too")
	fs.DurationVar(&c.webhookTimeout, "webhook-timeout", 10*time.Second, "how long a webhook's receiver may take to answer")
}

// defaultResident is a quarter of Go's memory limit, or 1 GiB if there is none.
func defaultResident(memoryLimit int64) commandline.Bytes {
	if memoryLimit == math.MaxInt64 {
		return 1 << 30
	}
	return commandline.Bytes(max(1, memoryLimit/4))
}

// defaultStoreMemory is half of Go's memory limit, if there is one: carts, requests and garbage need the rest.
func defaultStoreMemory(memoryLimit int64) commandline.Bytes {
	if memoryLimit == math.MaxInt64 {
		return 4 << 30
	}
	return commandline.Bytes(max(1, memoryLimit/2))
}

// check refuses invalid flags, with advice.
func (c *serveConfig) check(rest []string) error {
	if len(rest) > 0 {
		return commandline.Usage("unexpected argument %q: store documents are given with --store", rest[0])
	}
	if err := c.redis.resolve("give redis://HOST:PORT/0, or --redis embedded to try cartd without keeping anything"); err != nil {
		return err
	}
	const address = "write HOST:PORT such as 127.0.0.1:8080, or :8080 for every address of the machine"
	switch {
	case !isAddress(c.listen):
		return commandline.Usage("--listen=%q: %s", c.listen, address)
	case c.opsListen != "" && !isAddress(c.opsListen):
		return commandline.Usage("--ops-listen=%q: %s", c.opsListen, address)
	case c.redis.url == embeddedURL && c.redisWait > 0:
		return commandline.Usage("--redis embedded has no replicas: leave --redis-wait out")
	case c.demoMailbox && !c.ownCatalogue():
		return commandline.Usage("--demo-mailbox belongs to --demo with --store: leave it out")
	case c.demoSales && (!c.demo || c.ownCatalogue() || c.redis.url != embeddedURL):
		return commandline.Usage("--demo-sales belongs to --demo with --redis embedded and without --store: leave it out")
	case c.ownCatalogue() && c.storeReplace:
		return commandline.Usage("--demo gives the document of --store keys that everybody knows: leave --store-replace out, and show it with --redis embedded")
	case c.drainDelay < 0:
		return commandline.Usage("--drain-delay must be at least zero")
	case c.requestTimeout <= 0 || c.idle <= 0 || c.storeIdle <= 0:
		return commandline.Usage("--request-timeout, --idle and --store-idle must be above zero")
	case c.requestTimeout > maxRequestTimeout:
		return commandline.Usage("--request-timeout must be at most %v: a stop waits no longer for requests in flight", maxRequestTimeout)
	case c.webhookTimeout <= 0 || c.webhookTimeout > time.Minute:
		return commandline.Usage("--webhook-timeout must be above zero and at most a minute")
	case c.mailbox < 1 || c.resident < 1 || c.storeMemory < 1 || c.redisWait < 0:
		return commandline.Usage("--mailbox, --resident and --store-memory must be at least 1, --redis-wait at least 0")
	case c.otlp != "" && !isCollector(c.otlp):
		return commandline.Usage("--otlp must be a URL such as http://127.0.0.1:4318")
	case c.docs != "on" && c.docs != "off":
		return commandline.Usage("--docs must be on or off")
	case c.logFormat != "json" && c.logFormat != "text":
		return commandline.Usage("--log-format must be json or text")
	}
	return nil
}

// isAddress reports whether a text is the address of a listener. It resolves no host.
func isAddress(text string) bool {
	_, port, err := net.SplitHostPort(text)
	if err != nil {
		return false
	}
	_, err = net.LookupPort("tcp", port)
	return err == nil
}

// isCollector reports whether a text is the address of a collector.
func isCollector(address string) bool {
	at, err := url.Parse(address)
	return err == nil && (at.Scheme == "http" || at.Scheme == "https") && at.Host != ""
}

// listFlag collects values, given one by one or separated by commas.
type listFlag []string

func (l *listFlag) String() string { return strings.Join(*l, ",") }

func (l *listFlag) Set(value string) error {
	for v := range strings.SplitSeq(value, ",") {
		if v = strings.TrimSpace(v); v != "" {
			*l = append(*l, v)
		}
	}
	return nil
}

// given are the values of a flag as they were given. A value of the form @FILE is the content of a
// file, which a reload reads again.
type given []string

// text returns what a value says, the lines of a file separated by commas, and keeps the value.
func (g *given) text(value string) (string, error) {
	*g = append(*g, value)
	file, is := strings.CutPrefix(value, "@")
	if !is {
		return value, nil
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	return strings.Join(strings.Fields(string(content)), ","), nil
}

// again sets a flag of the same kind to the same values, with the files as they are now.
func (g given) again(next flag.Value) error {
	for _, value := range g {
		if err := next.Set(value); err != nil {
			return err
		}
	}
	return nil
}

// prefixFlag collects networks; an address is a network of one.
type prefixFlag struct {
	given
	list []netip.Prefix
}

func (p *prefixFlag) String() string {
	var texts []string
	for _, prefix := range p.list {
		texts = append(texts, prefix.String())
	}
	return strings.Join(texts, ",")
}

func (p *prefixFlag) Set(value string) error {
	value, err := p.text(value)
	if err != nil {
		return err
	}
	var texts listFlag
	texts.Set(value)
	for _, text := range texts {
		prefix, err := netip.ParsePrefix(text)
		if addr, addrErr := netip.ParseAddr(text); addrErr == nil {
			prefix, err = addr.Prefix(addr.BitLen())
		}
		if err != nil {
			return fmt.Errorf("%q is no network: write one such as 10.0.0.0/8, or an address", text)
		}
		p.list = append(p.list, prefix)
	}
	return nil
}

// levelFlag is the level of the log. The logger reads it at each line.
type levelFlag struct {
	given
	level slog.LevelVar
}

func (l *levelFlag) String() string { return strings.ToLower(l.level.Level().String()) }

func (l *levelFlag) Set(value string) error {
	value, err := l.text(value)
	if err != nil {
		return err
	}
	for _, level := range []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError} {
		if strings.ToLower(level.String()) == value {
			l.level.Set(level)
			return nil
		}
	}
	return fmt.Errorf("%q is no level: write debug, info, warn or error", value)
}

// originFlag collects web origins.
type originFlag struct {
	given
	list listFlag
}

func (o *originFlag) String() string { return o.list.String() }

func (o *originFlag) Set(value string) error {
	value, err := o.text(value)
	if err != nil {
		return err
	}
	var texts listFlag
	texts.Set(value)
	for _, text := range texts {
		if !isOrigin(text) {
			return fmt.Errorf("%q is no origin: give scheme://host[:port] as browsers send it, e.g. https://shop.example", text)
		}
	}
	o.list = append(o.list, texts...)
	return nil
}

// isOrigin reports whether a browser may send the text as Origin: in lower case, without a path and
// without the scheme's default port. Origins are compared byte by byte.
func isOrigin(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || text != u.Scheme+"://"+u.Host {
		return false
	}
	usual := map[string]string{"http": "80", "https": "443"}[u.Scheme]
	ownPort := u.Port() != "" && u.Port() == usual || strings.HasSuffix(u.Host, ":")
	return !ownPort && !strings.ContainsFunc(text, neverSent)
}

// neverSent reports characters that no browser sends in an origin: letters are small, other
// alphabets are in Punycode, and a pattern would match nothing.
func neverSent(r rune) bool {
	return r > '~' || 'A' <= r && r <= 'Z' || strings.ContainsRune("*%", r)
}
