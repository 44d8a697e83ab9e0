package main

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/commandline"
	"cartd/persistence"
	"cartd/persistence/outbox"
	"cartd/webhooks"
)

const webhooksUsage = "cartd webhooks --redis URL --store ID [--webhook ID] [--given-up | --resend | --test]"

// webhookConfig has the flags of cartd webhooks.
type webhookConfig struct {
	from                  storeFlags
	webhook               string
	givenUp, resend, test bool
	allowPrivate          bool
	timeout               time.Duration
}

func defineWebhooks(fs *flag.FlagSet) func(*call) error {
	config := &webhookConfig{}
	config.from.flags(fs)
	config.from.waitFlag(fs)
	fs.StringVar(&config.webhook, "webhook", "", "`ID` of a webhook, as in the list; all webhooks if absent")
	fs.BoolVar(&config.givenUp, "given-up", false, "list the events that were given up in the last week")
	fs.BoolVar(&config.resend, "resend", false, "send the given-up events again")
	fs.BoolVar(&config.test, "test", false, "send a test event at once, and print the receiver's answer")
	fs.BoolVar(&config.allowPrivate, "webhook-allow-private", false, "send test events to private, link-local and loopback addresses too")
	fs.DurationVar(&config.timeout, "webhook-timeout", 10*time.Second, "how long a webhook's receiver may take to answer a test event")
	return func(c *call) error { return runWebhooks(c, config) }
}

// runWebhooks lists a store's webhooks, or resends or tests each.
func runWebhooks(c *call, config *webhookConfig) error {
	store, err := config.from.id(c, webhooksUsage)
	if err != nil {
		return err
	}
	asked := 0
	for _, given := range []bool{config.givenUp, config.resend, config.test} {
		if given {
			asked++
		}
	}
	if asked > 1 {
		return commandline.Usage("give one of --given-up, --resend and --test")
	}
	db, err := config.from.open()
	if err != nil {
		return err
	}
	defer db.Close()
	queues, err := config.queues(db, store)
	if err != nil {
		return err
	}
	switch {
	case config.givenUp:
		return listGivenUp(c.stdout, db, queues)
	case config.resend:
		undertaken := c.begin(db, config.from.operator, deed(store, "resend", ""))
		n, err := resend(c.stdout, db, queues)
		if err == nil || n > 0 {
			err = undertaken.end(numberOf(n, "event"), err)
		} else {
			undertaken.drop()
		}
		if err != nil {
			return err
		}
		return config.from.awaitReplicas(db)
	case config.test:
		return config.tryAll(c.stdout, queues)
	}
	return listWebhooks(c.stdout, queues)
}

// queues returns the queues of the selected webhooks: one for changes of stock, one for other events.
func (c *webhookConfig) queues(db *persistence.DB, store uuid.UUID) ([]outbox.Queue, error) {
	all, err := db.Outbox().Webhooks(context.Background(), store)
	if err != nil || c.webhook == "" {
		return all, err
	}
	all = slices.DeleteFunc(all, func(q outbox.Queue) bool { return !q.Of(c.webhook) })
	if len(all) > 0 {
		return all, nil
	}
	return nil, fmt.Errorf("the store has no webhook %q: see cartd webhooks", c.webhook)
}

func listWebhooks(w io.Writer, queues []outbox.Queue) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "WEBHOOK\tHOST\tWAITING\tRETRYING\tNEXT RETRY\tGIVEN UP\tSECRETS\tEVENTS")
	for i := range queues {
		q := &queues[i]
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%s\t%d\t%d\t%s\n", q.ID, webhooks.Host(&q.Receiver), q.Waiting, q.Retrying,
			cmp.Or(shownTime(q.Next), "-"), q.GivenUp, len(q.Secrets), strings.Join(q.Events, ","))
	}
	return table.Flush()
}

func listGivenUp(w io.Writer, db *persistence.DB, queues []outbox.Queue) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "WEBHOOK\tEVENT\tID\tSINCE\tATTEMPTS")
	for i := range queues {
		deliveries, err := db.Outbox().GivenUp(context.Background(), &queues[i].Receiver)
		if err != nil {
			return err
		}
		for _, d := range deliveries {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\n", queues[i].ID, d.Event, d.ID, shownTime(d.Since), d.Failures+1)
		}
	}
	return table.Flush()
}

// resend sends given-up events again, and returns their number.
func resend(w io.Writer, db *persistence.DB, queues []outbox.Queue) (all int, err error) {
	for i := range queues {
		n, err := db.Outbox().Resend(context.Background(), &queues[i].Receiver)
		all += n
		if err != nil {
			return all, err
		}
		fmt.Fprintf(w, "%s %s: sent again: %s\n", queues[i].ID, webhooks.Host(&queues[i].Receiver), numberOf(n, "event"))
	}
	return all, nil
}

// testEvent is the event of --test. No store document can subscribe to it.
const testEvent = "webhook.test"

// tryAll sends the test event to each webhook. The command fails if one of them fails.
func (c *webhookConfig) tryAll(w io.Writer, queues []outbox.Queue) (failed error) {
	for i := range queues {
		if !queues[i].First() {
			continue
		}
		r, now, id := &queues[i].Receiver, time.Now(), uuid.New()
		body, err := json.Marshal(map[string]string{"event": testEvent, "store_id": r.Store.String(), "occurred_at": now.UTC().Format(time.RFC3339)})
		if err != nil {
			return err
		}
		err = webhooks.Try(r, &commerce.Delivery{ID: "msg_" + hex.EncodeToString(id[:]), Event: testEvent, Body: body, Now: now}, c.timeout, c.allowPrivate)
		outcome := "delivered"
		if err != nil {
			outcome, failed = err.Error(), errReported
		}
		fmt.Fprintf(w, "%s %s: %s, %d ms\n", r.ID, webhooks.Host(r), outcome, time.Since(now).Milliseconds())
	}
	return failed
}
