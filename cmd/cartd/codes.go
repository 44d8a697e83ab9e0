package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"

	"cartd/commerce"
	"cartd/internal/commandline"
)

// codesCommand prints codes of a batch, one a line.
func codesCommand() *operatorCommand {
	config := &codesConfig{}
	return &operatorCommand{
		flags: config.flags,
		acts: []act{{
			with: "--discount ID --batch N --count N [--from SERIAL]", audit: "codes given",
			check: func(j *job) (err error) {
				config.asked, err = config.request(j.usage)
				return err
			},
			plan: func(*job) (string, error) {
				return fmt.Sprintf("%s of batch %d of discount %s", numberOf(int(config.asked.Count), "code"), config.asked.Batch, config.asked.Discount), nil
			},
			do: config.give,
		}},
	}
}

// codesConfig has the flags of cartd codes. A number below zero is not given.
type codesConfig struct {
	discount             string
	batch, count, serial int64
	asked                *commerce.CodeRequest
}

func (config *codesConfig) flags(fs *flag.FlagSet) {
	fs.StringVar(&config.discount, "discount", "", "`ID` of the discount")
	fs.Int64Var(&config.batch, "batch", -1, "`NUMBER` of its batch of codes, active or not")
	fs.Int64Var(&config.count, "count", -1, "the `NUMBER` of codes")
	fs.Int64Var(&config.serial, "from", -1, "`SERIAL` of the first code; without it the codes are those that were never given")
}

// give takes the codes, and prints them once the replicas have that they are given.
func (config *codesConfig) give(j *job) (outcome, error) {
	given, err := j.db.GiveCodesTo(j, j.store, config.asked, "cartd codes")
	var refusal *commerce.Refusal
	if errors.As(err, &refusal) {
		return outcome{}, config.refused(refusal)
	}
	if err != nil {
		return outcome{}, err
	}
	done := changed(fmt.Sprintf("%s of batch %d of discount %s from serial %d",
		numberOf(int(given.Count), "code"), given.Batch.Number, given.Discount.ID, given.First))
	done.show = func() error {
		out := bufio.NewWriterSize(j.stdout, 1<<16)
		for _, code := range given.Codes() {
			fmt.Fprintln(out, code)
		}
		return out.Flush()
	}
	return done, nil
}

// request is what the flags ask for.
func (config *codesConfig) request(usage string) (*commerce.CodeRequest, error) {
	discount, ok := commerce.ParseID(config.discount)
	asked := &commerce.CodeRequest{Discount: discount, Batch: config.batch, Count: config.count}
	switch {
	case !ok:
		return nil, commandline.Usage("--discount %q is no id of a discount", config.discount)
	case config.batch < 0 || config.batch > commerce.MaxBatchNumber:
		return nil, commandline.Usage("--batch must be the number of a batch, 0 to %d: %s", commerce.MaxBatchNumber, usage)
	case config.count < 1 || config.count > commerce.BatchCodes:
		return nil, commandline.Usage("--count must be 1 to %d: %s", commerce.BatchCodes, usage)
	case config.serial < -1 || config.serial >= commerce.BatchCodes:
		return nil, commandline.Usage("--from must be a serial, 0 to %d: %s", commerce.BatchCodes-1, usage)
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
