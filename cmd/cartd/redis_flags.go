package main

import (
	"flag"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/commandline"
	"cartd/persistence"
	"cartd/persistence/redisdb"
)

// embeddedURL is the value of --redis for a Redis inside the process.
const embeddedURL = "embedded"

// redisFlags are the address of Redis and its secrets.
type redisFlags struct {
	url, file string
	// read is the file that url was read from.
	read    string
	tls     redisdb.TLSFiles
	timeout time.Duration
	// replicas is the number of replicas that must have what a command wrote.
	replicas int
	// operator is who runs a command that writes; empty for the user of the system.
	operator string
}

// waitFlag declares the flag of the commands that write.
func (r *redisFlags) waitFlag(fs *flag.FlagSet) {
	fs.IntVar(&r.replicas, "redis-wait", 0, "`number` of replicas that must acknowledge what the command writes; in a cluster, replicas of each master")
	fs.StringVar(&r.operator, "operator", "", "`NAME` of who runs the command, for the audit trail; the system's user if absent")
}

// awaitReplicas ends a command that has written.
func (r *redisFlags) awaitReplicas(db *persistence.DB) error {
	if r.replicas == 0 {
		return nil
	}
	if err := db.Redis().AwaitReplicas(r.replicas); err != nil {
		return fmt.Errorf("done, but a failover may lose it: %w: when they are back repeat the command, or any other that writes, which waits for this one too", err)
	}
	return nil
}

// flags declares the flags. silence is the default of --redis-timeout.
func (r *redisFlags) flags(fs *flag.FlagSet, silence time.Duration) {
	fs.StringVar(&r.url, "redis", "", "`URL` of Redis: redis://, rediss://, unix://, several with commas for a cluster, ?master_name= for a sentinel; for "+
		"serve also embedded, a Redis inside the process of which nothing survives a restart")
	fs.StringVar(&r.file, "redis-file", "", "`FILE` with the URL of --redis, so that no list of processes shows its password")
	fs.StringVar(&r.tls.Cert, "redis-cert", "", "`FILE` of the client certificate for rediss:// (PEM)")
	fs.StringVar(&r.tls.Key, "redis-key", "", "`FILE` of the key of --redis-cert (PEM)")
	fs.StringVar(&r.tls.CA, "redis-ca", "", "`FILE` of the authorities that sign the certificates of rediss:// servers (PEM); the system's if absent")
	fs.DurationVar(&r.timeout, "redis-timeout", silence, "how long Redis may be silent before it counts as away")
}

// resolve reads the URL from its file, if there is one, and checks it. hint is the advice if the
// URL is missing.
func (r *redisFlags) resolve(hint string) error {
	switch {
	case r.url != "" && r.file != "":
		return commandline.Usage("--redis and --redis-file are both given: give one")
	case r.timeout <= 0:
		return commandline.Usage("--redis-timeout must be above zero")
	case r.replicas < 0:
		return commandline.Usage("--redis-wait must be at least 0")
	case !isLine(r.operator, commerce.MaxName):
		return commandline.Usage("--operator needs a name of one line and at most %d characters, in UTF-8", commerce.MaxName)
	case r.file != "":
		url, err := readURL(r.file)
		if err != nil {
			return err
		}
		r.url, r.read, r.file = url, r.file, "" // the URL is in r.url now
	case r.url == "":
		return commandline.Usage("--redis is missing: %s", hint)
	}
	err := r.tls.Check(r.url)
	if err == nil && r.url != embeddedURL {
		err = redisdb.CheckURL(r.url)
	}
	if err != nil {
		return &commandline.UsageError{Err: err}
	}
	return nil
}

// isLine reports whether a flag's text is UTF-8 of one line and at most so many characters.
func isLine(text string, characters int) bool {
	return commerce.IsLine(text) && utf8.ValidString(text) && utf8.RuneCountInString(text) <= characters
}

// readURL reads the URL of --redis-file.
func readURL(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("--redis-file: %w: write the URL of Redis into it", err)
	}
	url := strings.TrimSpace(string(text))
	if url == "" || strings.ContainsAny(url, "\r\n") {
		return "", commandline.Usage("--redis-file must name a file of one line, the URL of Redis")
	}
	return url, nil
}

// check resolves the flags of an operator's command.
func (r *redisFlags) check() error {
	if err := r.resolve("give redis://HOST:PORT/0, or --redis-file with a file that holds it"); err != nil {
		return err
	}
	if r.url == embeddedURL {
		return commandline.Usage("--redis embedded works with cartd serve only: give redis://HOST:PORT/0")
	}
	return nil
}

// open connects to Redis for an operator's command. The caller closes the connection.
func (r *redisFlags) open() (*persistence.DB, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	return persistence.Open(persistence.Config{
		URL: r.url, TLS: r.tls, Timeout: r.timeout, Logger: slog.New(slog.DiscardHandler),
	})
}

// adminSilence is the default of --redis-timeout for operator's commands.
const adminSilence = 5 * time.Second

// storeFlags select a store in a Redis.
type storeFlags struct {
	redisFlags
	store string
}

func (s *storeFlags) flags(fs *flag.FlagSet) {
	s.redisFlags.flags(fs, adminSilence)
	fs.StringVar(&s.store, "store", "", "`ID` of the store")
}

// id returns the id of the store, the value of a flag that must be given.
func (s *storeFlags) id(flag, usage string) (uuid.UUID, error) {
	id, ok := commerce.ParseID(s.store)
	switch {
	case s.store == "":
		return uuid.Nil, commandline.Usage("--%s is missing: %s", flag, usage)
	case !ok:
		return uuid.Nil, commandline.Usage("--%s %q is no id of a store: see cartd stores", flag, s.store)
	}
	return id, nil
}

// patienceFlag is how long a start waits for Redis. The zero value is for ever.
type patienceFlag struct {
	bounded bool
	limit   time.Duration
}

const forever = "forever"

func (p *patienceFlag) String() string {
	if p.bounded {
		return p.limit.String()
	}
	return forever
}

func (p *patienceFlag) Set(value string) error {
	if value == forever {
		*p = patienceFlag{}
		return nil
	}
	limit, err := time.ParseDuration(value)
	if err != nil || limit < 0 {
		return fmt.Errorf("write a duration such as 30s, or %s", forever)
	}
	*p = patienceFlag{bounded: true, limit: limit}
	return nil
}

const (
	// redisRetry is the pause between two tries to start on Redis.
	redisRetry = 250 * time.Millisecond
	// waitingEvery is the pause between two log lines of a waiting start.
	waitingEvery = 10 * time.Second
)

// awaitRedis opens Redis. While it is away the node waits, for --redis-patience, and answers probes;
// all else is 503. begin is called once, at the beginning of a wait.
func (n *node) awaitRedis(open func() error, begin func()) error {
	began, logged := time.Now(), time.Time{}
	for {
		err := open()
		if err == nil || !redisdb.MayPass(err) {
			return err
		}
		patience := &n.config.redisPatience
		if waited := time.Since(began); patience.bounded && waited >= patience.limit {
			if logged.IsZero() {
				return err
			}
			return fmt.Errorf("%w: --redis-patience %v is over", err, patience)
		}
		if logged.IsZero() {
			begin()
		}
		if time.Since(logged) >= waitingEvery {
			n.log.Warn("waiting for redis", "addr", n.listener.Addr().String(), "seconds", int(time.Since(began).Seconds()), "error", err.Error())
			logged = time.Now()
		}
		time.Sleep(redisRetry)
	}
}
