package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"cartd/actors"
	"cartd/commerce"
	"cartd/engine"
	"cartd/httpserver"
	"cartd/httpserver/front"
	"cartd/httpserver/site"
	"cartd/persistence"
	"cartd/persistence/accounts"
	"cartd/persistence/embedded"
	"cartd/web"
	"cartd/webhooks"
)

func defineServe(fs *flag.FlagSet) func(*call) error {
	config := &serveConfig{}
	config.flags(fs)
	return func(c *call) error {
		if err := config.check(c.args); err != nil {
			return err
		}
		return runServe(c, config, fs)
	}
}

func runServe(c *call, config *serveConfig, fs *flag.FlagSet) error {
	signal.Ignore(syscall.SIGPIPE) // a reader of the log that has ended does not end the node
	lines := &logWriter{to: c.stderr}
	defer lines.flush(flushTimeout)
	signals, reloads := make(chan os.Signal, 2), make(chan os.Signal, 1)
	notifySignals(signals, reloads, c.stdin)
	var n *node
	started := make(chan error, 1)
	go func() {
		var err error
		n, err = startNode(c, config, fs, lines)
		started <- err
	}()
	select {
	case <-signals:
		return nil // the node serves no request yet: the process ends at once, even if the start waits for Redis
	case err := <-started:
		if err != nil {
			signal.Stop(signals) // a signal kills a process that cannot write its error to a full pipe
			return err
		}
	}
	defer n.close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go limitGarbage(ctx, int64(config.resident))
	return n.run(signals, reloads)
}

// startNode makes a node and logs its start.
func startNode(c *call, config *serveConfig, fs *flag.FlagSet, lines *logWriter) (*node, error) {
	n, err := newNode(config, lines, c.stderr)
	if err != nil {
		return nil, err
	}
	n.logStart(fs)
	for _, warning := range c.warnings {
		n.log.Warn(warning)
	}
	if n.embedded != nil {
		n.log.Warn("EMBEDDED REDIS: NOTHING SURVIVES A RESTART, for trying out only; give --redis URL to keep carts")
	} else if warning := n.db.Warning(); warning != "" {
		n.log.Warn(warning)
	}
	if config.demo {
		n.printFirstRequest(c.stdout)
	}
	return n, nil
}

// node is one running cartd.
type node struct {
	config   *serveConfig
	lines    *logWriter // of log
	log      *slog.Logger
	listener net.Listener
	embedded *embedded.Server // nil with a real Redis
	db       *persistence.DB
	carts    *actors.Carts
	contacts *actors.Contacts
	quotes   *actors.Records[*commerce.Quote]
	orders   *actors.Records[*commerce.Order]
	stores   *actors.Stores
	// kinds are all of these, the carts last, which end the actors of all.
	kinds  []actorsOfKind
	engine *engine.Engine
	server *httpserver.Server
	ops    *opsServer // nil if off
	trips  *tripMetrics
	// served gets the end of the server; nil until listen.
	served chan error
	// deliverer sends webhooks; nil until run.
	deliverer *webhooks.Deliverer
	tracing   *tracing // nil if off
}

// actorsOfKind serve one kind of record.
type actorsOfKind interface {
	Kind() string
	Resident() (records, actors int)
	Close()
}

// newNode prepares everything to serve. It checks the operator's input first. It logs nothing until
// all of it is valid.
func newNode(config *serveConfig, writer *logWriter, stderr io.Writer) (_ *node, err error) {
	lines := &startLog{to: writer}
	n := &node{
		config: config, lines: writer, log: newLogger(config.logFormat, &config.logLevel.level, lines, writer.unreported), trips: newTripMetrics(),
	}
	defer func() {
		if err != nil {
			n.close()
		}
	}()
	if n.listener, err = net.Listen("tcp", config.listen); err != nil {
		advice := "choose another address with --listen"
		if config.demo {
			advice += ", or with make run LISTEN=127.0.0.1:8081"
		}
		return nil, fmt.Errorf("%w: %s", err, advice)
	}
	mail := newDemoMail()
	docs, err := startDocuments(config, mail.webhook(baseOf(n.listener)), stderr)
	if err != nil {
		return nil, err
	}
	if n.ops, err = listenOps(config.opsListen); err != nil {
		return nil, err
	}
	if n.tracing, err = newTracing(config.otlp, n.log); err != nil {
		return nil, err
	}
	settings := httpserver.Config{
		Logger:         n.log,
		AccessLog:      config.accessLog,
		RequestTimeout: config.requestTimeout,
		TrustedProxies: config.trustedProxies.list,
		CORSOrigins:    config.corsOrigins.list,
		Limits:         front.Limits{Connections: connectionLimit(), AnswerBytes: int64(config.answerBytes)},
		Version:        release,
		NoDocs:         config.docs == "off",
		StoreMetrics:   config.metricsStores,
		Trace:          n.tracing.observer(),
		Gzip:           config.gzip,
		OpenTiming:     config.demo,
	}
	if config.demo {
		if err := n.addSite(&settings, docs[0].Store, mail); err != nil {
			return nil, err
		}
	}
	if config.desk || config.demo {
		if err := addDesk(&settings); err != nil {
			return nil, err
		}
	}
	n.server = httpserver.New(settings)
	if err := n.awaitRedis(func() error { return n.openStores(docs) }, func() { lines.release(); n.listen() }); err != nil {
		return nil, err
	}
	workers := runtime.GOMAXPROCS(0)
	n.engine = engine.New(n.db, n.carts, n.contacts, n.quotes, n.orders, n.stores, accounts.NewPasswords(workers, workers*accounts.WaitingForHash))
	n.server.Begin(n.engine)
	lines.release()
	if config.demoSales {
		n.listen()
		sales := demoSales{newDemoMerchant(baseOf(n.listener)), n.embedded}
		if err := sales.fill(time.Now()); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// listen begins to answer: the probes only, until the server has its engine.
func (n *node) listen() {
	if n.served != nil {
		return
	}
	n.served = make(chan error, 1)
	n.ops.serve(n.waitingRegistry(), n.log)
	go func() { n.served <- n.server.Serve(n.listener) }()
}

const (
	// loadTimeout bounds the loading of all documents at the start.
	loadTimeout = 5 * time.Minute
	// importRetry is the pause between two tries to load a store that another node is importing.
	importRetry = 250 * time.Millisecond
)

// loaders is the number of documents that are loaded at a time. A load waits for Redis nearly all
// the time.
const loaders = 8

// run serves until a signal comes, then stops. A signal of reloads makes it read its files again.
func (n *node) run(signals, reloads <-chan os.Signal) error {
	n.deliverer = webhooks.Start(webhooks.Config{
		Outbox: n.db.Outbox(), AttemptTimeout: n.config.webhookTimeout, AllowPrivate: n.config.webhookPrivate || n.config.demo, Logger: n.log,
	})
	defer n.deliverer.Stop(0)
	n.listen()
	n.ops.show(n.newRegistry())
	n.log.Info("listening", "addr", n.listener.Addr().String(), "max_connections", connectionLimit())
	for {
		select {
		case err := <-n.served:
			return err
		case <-reloads:
			n.reload()
		case sent := <-signals:
			n.stop(sent, signals)
			return nil
		}
	}
}

// close undoes as much of newNode as was done.
func (n *node) close() {
	if n.listener != nil {
		n.listener.Close()
	}
	n.ops.close()
	n.tracing.close()
	n.closeRedis()
}

// closeRedis undoes openRedis.
func (n *node) closeRedis() {
	for _, kind := range n.kinds {
		kind.Close()
	}
	if n.db != nil {
		n.db.Close()
	}
	if n.embedded != nil {
		n.embedded.Close()
	}
	n.kinds, n.db, n.embedded = nil, nil, nil
}

// printFirstRequest prints the shop's address and a first request to paste.
func (n *node) printFirstRequest(w io.Writer) {
	addr := n.listener.Addr()
	fmt.Fprintf(w, `
The demo shop is at http://%[1]s/ in a browser, the merchant's desk at http://%[1]s/desk with the key %[3]s.
Paste this to make the first cart by its API:

  curl -s -X POST http://%[1]s/v1/api/commerce/carts -H 'Authorization: Bearer %[2]s'

`, addr, demoShopKey, demoDeskKey)
	if n.config.ownCatalogue() {
		fmt.Fprintf(w, `  Keys      %s, %s (orders), %s: made for this demo, and known to everybody
  API       http://%s/docs; docs/demo.md says what the demo changes in the document

`, demoShopKey, demoMerchantKey, demoDeskKey, addr)
		return
	}
	fmt.Fprintf(w, `  Keys      demo-storefront-key, demo-back-office-key (adjusts stock), demo-merchant-key (orders), demo-desk-key,
            demo-read-only-key
  Accounts  ada@example.com, password northwind-ada, token demo-token-ada
            inkoop@vandijk.example.com, password northwind-trade, token demo-token-trade
  Codes     WELCOME10 (from 50.00 on), FRIENDS15, SOLO20 (alone), SHIP3
  API       http://%s/docs; docs/demo.md has more accounts, codes and products

`, addr)
}

const (
	// maxConnections is the maximum number of clients that are connected at a time.
	maxConnections = 1 << 16
	// reservedFiles are file descriptors that clients cannot use: 33 for each Redis or server of a
	// cluster (66 for the embedded Redis), 64 for the receivers of webhooks, 64 for connections
	// that are being refused, the rest for operators and in reserve.
	reservedFiles = 256
)

// connectionLimit returns the maximum number of connected clients under the process's limit of open
// files, which Go has raised as far as it may. Enough files stay free to reach Redis when all
// clients are connected.
func connectionLimit() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return maxConnections
	}
	files := int(min(limit.Cur, math.MaxInt32))
	return max(1, min(maxConnections, files-min(reservedFiles, files/2)))
}

// addSite adds the demo's shop, and the merchant's systems behind it.
func (n *node) addSite(settings *httpserver.Config, shown *commerce.Store, mail *demoMail) error {
	page := web.Page{Store: shown.Name, Northwind: !n.config.ownCatalogue()}
	files, err := web.Files(page)
	for _, file := range files {
		settings.Site = append(settings.Site, site.Source(file))
	}
	merchant := newDemoMerchant(baseOf(n.listener))
	settings.SitePictures = pictureOrigins(shown)
	settings.SiteCalls = []site.Call{{Path: "/payment", Answer: merchant.pay}}
	if n.config.hasMailbox() {
		settings.SiteCalls = append(settings.SiteCalls, site.Call{Path: mailPath, Answer: mail.receive}, site.Call{Path: mailboxPath, Answer: mail.show})
	}
	return err
}

// addDesk adds the merchant's desk.
func addDesk(settings *httpserver.Config) error {
	files, err := web.Desk()
	for _, file := range files {
		settings.Desk = append(settings.Desk, site.Source(file))
	}
	return err
}
