package main

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/persistence/outbox"
	"cartd/webhooks"
)

// webhooksCommand lists a store's webhooks, or resends or tests each.
func webhooksCommand() *operatorCommand {
	config := &webhookConfig{}
	return &operatorCommand{
		with: "[--webhook ID]", flags: config.flags,
		acts: []act{
			{do: config.each(listWebhooks)},
			{flag: "given-up", help: "list the events that were given up in the last week", do: config.each(listGivenUp)},
			{
				flag: "resend", help: "send the given-up events again", audit: "resend",
				do: func(j *job) (done outcome, err error) {
					queues, err := config.queues(j)
					if err != nil {
						return done, err
					}
					n, err := resend(j, queues)
					return outcome{changed: err == nil || n > 0, on: numberOf(n, "event")}, err
				},
			},
			{
				flag: "test", help: "send a test event at once, and print the receiver's answer",
				do: config.each(config.tryAll),
			},
		},
	}
}

// webhookConfig has the flags of cartd webhooks.
type webhookConfig struct {
	webhook      string
	allowPrivate bool
	timeout      time.Duration
}

func (c *webhookConfig) flags(fs *flag.FlagSet) {
	fs.StringVar(&c.webhook, "webhook", "", "`ID` of a webhook, as in the list; all webhooks if absent")
	fs.BoolVar(&c.allowPrivate, "webhook-allow-private", false, "send test events to private, link-local and loopback addresses too")
	fs.DurationVar(&c.timeout, "webhook-timeout", 10*time.Second, "how long a webhook's receiver may take to answer a test event")
}

// each is an act that changes nothing, on the queues of the selected webhooks.
func (c *webhookConfig) each(do func(*job, []outbox.Queue) error) func(*job) (outcome, error) {
	return func(j *job) (outcome, error) {
		queues, err := c.queues(j)
		if err != nil {
			return outcome{}, err
		}
		return outcome{}, do(j, queues)
	}
}

// queues returns the queues of the selected webhooks: one for changes of stock, one for other events.
func (c *webhookConfig) queues(j *job) ([]outbox.Queue, error) {
	all, err := j.db.Outbox().Webhooks(j, j.store)
	if err != nil || c.webhook == "" {
		return all, err
	}
	all = slices.DeleteFunc(all, func(q outbox.Queue) bool { return !q.Of(c.webhook) })
	if len(all) > 0 {
		return all, nil
	}
	return nil, fmt.Errorf("the store has no webhook %q: see cartd webhooks", c.webhook)
}

func listWebhooks(j *job, queues []outbox.Queue) error {
	table := tabwriter.NewWriter(j.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "WEBHOOK\tHOST\tWAITING\tRETRYING\tNEXT RETRY\tGIVEN UP\tSECRETS\tEVENTS")
	for i := range queues {
		q := &queues[i]
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%s\t%d\t%d\t%s\n", q.ID, webhooks.Host(&q.Receiver), q.Waiting, q.Retrying,
			cmp.Or(shownTime(q.Next), "-"), q.GivenUp, len(q.Secrets), strings.Join(q.Events, ","))
	}
	return table.Flush()
}

func listGivenUp(j *job, queues []outbox.Queue) error {
	table := tabwriter.NewWriter(j.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "WEBHOOK\tEVENT\tID\tSINCE\tATTEMPTS")
	for i := range queues {
		deliveries, err := j.db.Outbox().GivenUp(j, &queues[i].Receiver)
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
func resend(j *job, queues []outbox.Queue) (all int, err error) {
	for i := range queues {
		n, err := j.db.Outbox().Resend(j, &queues[i].Receiver)
		all += n
		if err != nil {
			return all, err
		}
		fmt.Fprintf(j.stdout, "%s %s: sent again: %s\n", queues[i].ID, webhooks.Host(&queues[i].Receiver), numberOf(n, "event"))
	}
	return all, nil
}

// testEvent is the event of --test. No store document can subscribe to it.
const testEvent = "webhook.test"

// tryAll sends the test event to each webhook. The command fails if one of them fails.
func (c *webhookConfig) tryAll(j *job, queues []outbox.Queue) (failed error) {
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
		fmt.Fprintf(j.stdout, "%s %s: %s, %d ms\n", r.ID, webhooks.Host(r), outcome, time.Since(now).Milliseconds())
	}
	return failed
}
