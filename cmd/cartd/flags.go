package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"net/netip"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"cartd/internal/commandline"
	"cartd/persistence/redisdb"
)

// serveConfig is what cartd serve is told by flags and environment.
type serveConfig struct {
	listen         string
	redis          string
	redisTLS       redisdb.TLSFiles
	redisTimeout   time.Duration
	redisWait      int
	stores         listFlag
	storeReplace   bool
	maxDocument    documentLimit
	storeIdle      time.Duration
	demo           bool
	requestTimeout time.Duration
	drainDelay     time.Duration
	trustedProxies prefixFlag
	corsOrigins    originFlag
	mailbox        int
	resident       commandline.Bytes
	idle           time.Duration
	opsListen      string
	docs           string
	accessLog      bool
	logFormat      string
	webhookPrivate bool
	webhookTimeout time.Duration
}

// maxRequestTimeout lets every request be answered within shutdownTimeout. It is also far
// below the ten minutes for which a record remembers its writers, and so whether a commit
// of unknown outcome was made: one sent again behind them could be made twice.
const maxRequestTimeout = 10 * time.Second

// embedded is the --redis that stands for a Redis inside the process.
const embedded = "embedded"

func parseServe(args []string, stdout io.Writer) (*serveConfig, error) {
	c := &serveConfig{}
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	fs.StringVar(&c.listen, "listen", "127.0.0.1:8080", "`address` to serve HTTP on")
	fs.StringVar(&c.redis, "redis", "", "`URL` of Redis: redis://, rediss://, unix://, several with commas for a cluster, ?master_name= for a sentinel; embedded: inside the process, nothing survives a restart")
	tlsFlags(fs, &c.redisTLS)
	fs.DurationVar(&c.redisTimeout, "redis-timeout", time.Second, "how long Redis may be silent before it counts as away")
	fs.IntVar(&c.redisWait, "redis-wait", 0, "`number` of replicas that have to acknowledge every write, of a cluster those of its master")
	fs.Var(&c.stores, "store", "store document `FILE` to load where Redis does not have the store yet (repeatable)")
	fs.BoolVar(&c.storeReplace, "store-replace", false, "let --store replace a store that differs")
	c.maxDocument.flag(fs)
	fs.DurationVar(&c.storeIdle, "store-idle", 15*time.Minute, "when a store that nobody asks for leaves memory")
	fs.BoolVar(&c.demo, "demo", false, "load the demo store")
	fs.DurationVar(&c.requestTimeout, "request-timeout", maxRequestTimeout, "how long a request may take; the default is the most")
	fs.DurationVar(&c.drainDelay, "drain-delay", 0, "how long to go on with /readyz at 503 after SIGTERM, SIGINT or SIGHUP; a second signal ends it")
	fs.Var(&c.trustedProxies, "trusted-proxies", "`networks` (CIDR, commas) whose X-Forwarded-For counts")
	fs.Var(&c.corsOrigins, "cors-origins", "`origins` (scheme://host[:port], commas) whose pages may call the API")
	fs.IntVar(&c.mailbox, "mailbox", 256, "commands one cart or contact takes at a time")
	c.resident = defaultResident(debug.SetMemoryLimit(-1))
	fs.Var(&c.resident, "resident", "`bytes` of memory for carts and contacts together, such as 512MiB; the least recently used idle ones leave first")
	fs.DurationVar(&c.idle, "idle", 15*time.Second, "when an unused cart's actor stops and its state is packed; it leaves memory after 240 times as long")
	fs.StringVar(&c.opsListen, "ops-listen", "", "`address` to serve /metrics on; off unless given")
	fs.StringVar(&c.docs, "docs", "on", "on or off: serve the API's description at /openapi.json and its page at /docs")
	fs.BoolVar(&c.accessLog, "access-log", false, "log a line for every request")
	fs.StringVar(&c.logFormat, "log-format", "json", "json or text")
	fs.BoolVar(&c.webhookPrivate, "webhook-allow-private", false, "deliver webhooks to private, link-local and loopback addresses too")
	fs.DurationVar(&c.webhookTimeout, "webhook-timeout", 10*time.Second, "how long a webhook's receiver may take to answer")
	if err := parseFlags(fs, args, stdout, "cartd serve --redis URL [--store FILE]…"); err != nil {
		return nil, err
	}
	return c, c.check(fs.Args())
}

// tlsFlags are those of every command that takes --redis.
func tlsFlags(fs *flag.FlagSet, files *redisdb.TLSFiles) {
	fs.StringVar(&files.Cert, "redis-cert", "", "`FILE` of the client certificate for rediss:// (PEM)")
	fs.StringVar(&files.Key, "redis-key", "", "`FILE` of the key of --redis-cert (PEM)")
	fs.StringVar(&files.CA, "redis-ca", "", "`FILE` of the authorities that sign the certificates of rediss:// servers (PEM); else the system's")
}

// defaultResident is a quarter of Go's memory limit, or 1 GiB if there is none.
func defaultResident(memoryLimit int64) commandline.Bytes {
	if memoryLimit == math.MaxInt64 {
		return 1 << 30
	}
	return commandline.Bytes(max(1, memoryLimit/4))
}

// check refuses what cannot be served, saying what to do.
func (c *serveConfig) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("unexpected argument %q: store documents are given with --store", rest[0])
	case c.redis == "":
		return fmt.Errorf("--redis is missing: give redis://HOST:PORT/0, or --redis embedded to try cartd without keeping anything")
	case c.redis == embedded && c.redisWait > 0:
		return fmt.Errorf("--redis embedded has no replicas: leave --redis-wait out")
	case c.drainDelay < 0:
		return fmt.Errorf("--drain-delay must be at least zero")
	case c.redisTimeout <= 0 || c.requestTimeout <= 0 || c.idle <= 0 || c.storeIdle <= 0:
		return fmt.Errorf("--redis-timeout, --request-timeout, --idle and --store-idle must be above zero")
	case c.requestTimeout > maxRequestTimeout:
		return fmt.Errorf("--request-timeout must be at most %v: a stop waits no longer for requests under way", maxRequestTimeout)
	case c.webhookTimeout <= 0 || c.webhookTimeout > time.Minute:
		return fmt.Errorf("--webhook-timeout must be above zero and at most a minute")
	case c.mailbox < 1 || c.resident < 1 || c.redisWait < 0:
		return fmt.Errorf("--mailbox and --resident must be at least 1, --redis-wait at least 0")
	case c.docs != "on" && c.docs != "off":
		return fmt.Errorf("--docs must be on or off")
	case c.logFormat != "json" && c.logFormat != "text":
		return fmt.Errorf("--log-format must be json or text")
	}
	return nil
}

// parseFlags reads flags, and for those not given their environment twins; an empty one
// is none. An error is one line.
func parseFlags(fs *flag.FlagSet, args []string, stdout io.Writer, usage string) error {
	if err := commandline.Parse(fs, args, stdout, usage); err == flag.ErrHelp {
		return err
	} else if err != nil {
		return fmt.Errorf("%w: see cartd %s --help", err, fs.Name())
	}
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	var err error
	fs.VisitAll(func(f *flag.Flag) {
		name := "CARTD_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if value := os.Getenv(name); value != "" && !given[f.Name] && err == nil {
			if setErr := fs.Set(f.Name, value); setErr != nil {
				err = commandline.Fault(f.Value, name, value, setErr)
			}
		}
	})
	return err
}

// listFlag collects values, given one by one or with commas.
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

// prefixFlag collects networks; a single address is a network of one.
type prefixFlag []netip.Prefix

func (p *prefixFlag) String() string {
	var texts []string
	for _, prefix := range *p {
		texts = append(texts, prefix.String())
	}
	return strings.Join(texts, ",")
}

func (p *prefixFlag) Set(value string) error {
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
		*p = append(*p, prefix)
	}
	return nil
}
