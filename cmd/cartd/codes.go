package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"

	"cartd/commerce"
	"cartd/internal/commandline"
)

const codesUsage = "cartd codes --redis URL --store ID --discount ID --batch N --count N [--from SERIAL]"

// codesConfig has the flags of cartd codes. A number below zero is not given.
type codesConfig struct {
	from                 storeFlags
	discount             string
	batch, count, serial int64
}

func defineCodes(fs *flag.FlagSet) func(*call) error {
	config := &codesConfig{}
	config.from.flags(fs)
	config.from.waitFlag(fs)
	fs.StringVar(&config.discount, "discount", "", "`ID` of the discount")
	fs.Int64Var(&config.batch, "batch", -1, "`NUMBER` of its batch of codes, active or not")
	fs.Int64Var(&config.count, "count", -1, "the `NUMBER` of codes")
	fs.Int64Var(&config.serial, "from", -1, "`SERIAL` of the first code; without it the codes are those that were never given")
	return func(c *call) error { return runCodes(c, config) }
}

// runCodes prints codes of a batch, one a line.
func runCodes(c *call, config *codesConfig) error {
	store, err := config.from.id(c, codesUsage)
	if err != nil {
		return err
	}
	asked, err := config.request()
	if err != nil {
		return err
	}
	db, err := config.from.open()
	if err != nil {
		return err
	}
	defer db.Close()
	undertaken := c.begin(db, config.from.operator,
		deed(store, "codes given", fmt.Sprintf("%s of batch %d of discount %s", numberOf(int(asked.Count), "code"), asked.Batch, asked.Discount)))
	given, err := db.GiveCodesTo(context.Background(), store, asked, "cartd codes")
	if err != nil {
		undertaken.drop()
	}
	var refusal *commerce.Refusal
	if errors.As(err, &refusal) {
		return config.refused(refusal)
	}
	if err != nil {
		return err
	}
	on := fmt.Sprintf("%s of batch %d of discount %s from serial %d", numberOf(int(given.Count), "code"), given.Batch.Number, given.Discount.ID, given.First)
	untold := undertaken.end(on, nil) // the codes are given all the same
	if err := config.from.awaitReplicas(db); err != nil {
		return err
	}
	out := bufio.NewWriterSize(c.stdout, 1<<16)
	for _, code := range given.Codes() {
		fmt.Fprintln(out, code)
	}
	return cmp.Or(untold, out.Flush())
}

// request is what the flags ask for.
func (config *codesConfig) request() (*commerce.CodeRequest, error) {
	discount, ok := commerce.ParseID(config.discount)
	asked := &commerce.CodeRequest{Discount: discount, Batch: config.batch, Count: config.count}
	switch {
	case config.discount == "":
		return nil, commandline.Usage("--discount is missing: %s", codesUsage)
	case !ok:
		return nil, commandline.Usage("--discount %q is no id of a discount", config.discount)
	case config.batch < 0 || config.batch > commerce.MaxBatchNumber:
		return nil, commandline.Usage("--batch must be the number of a batch, 0 to %d: %s", commerce.MaxBatchNumber, codesUsage)
	case config.count < 1 || config.count > commerce.BatchCodes:
		return nil, commandline.Usage("--count must be 1 to %d: %s", commerce.BatchCodes, codesUsage)
	case config.serial < -1 || config.serial >= commerce.BatchCodes:
		return nil, commandline.Usage("--from must be a serial, 0 to %d: %s", commerce.BatchCodes-1, codesUsage)
	}
	if config.serial >= 0 {
		asked.From = &config.serial
	}
	return asked, nil
}

// refused says in the words of the flags why there are no codes.
func (config *codesConfig) refused(refusal *commerce.Refusal) error {
	switch {
	case len(refusal.Fields) == 0:
		return fmt.Errorf("the store has no discount %s", config.discount)
	case refusal.Fields[0].Field == "batch":
		return fmt.Errorf("the discount has no batch %d", config.batch)
	}
	return fmt.Errorf("--count: %s A batch has %d codes", refusal.Fields[0].Messages[0].Text(), commerce.BatchCodes)
}
