package main

import (
	"cmp"
	"context"
	"flag"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"cartd/internal/commandline"
	"cartd/persistence"
)

// operatorCommand is a command that works on one store in Redis, as rows: each is an act, of which a command line
// asks for one. The flags, the usage line, the refusals of flags that do not go together, the connection, the audit
// and the wait for replicas follow from the rows.
type operatorCommand struct {
	// with is the usage of the flags that go with each act, such as "[--webhook ID]".
	with string
	// flags declares the flags that go with acts; nil if there are none.
	flags func(fs *flag.FlagSet)
	acts  []act
	// namesStore is true if the value of an act's flag is the id of the store. Else --store has it.
	namesStore bool
}

// act is one thing that an operator's command does.
type act struct {
	// flag asks for the act, such as --revoke NAME. The act without a flag is what the command does if no other is
	// asked for. Without value the flag takes none.
	flag, value, help string
	// argument is the usage of the one word behind the flags; without it there is none.
	argument string
	// with is the usage of the flags that go with the act. Those that stand outside of brackets must be given.
	with string
	// audit is the act's name in the audit trail; empty if it changes nothing.
	audit string
	// check refuses flags ahead of the connection. It may be nil.
	check func(j *job) error
	// plan reads, asks and refuses ahead of the first write, and says on what the act is. Without it that is the
	// value of the flag.
	plan func(j *job) (on string, err error)
	// do carries the act out.
	do func(j *job) (outcome, error)
}

// job is a run of an act.
type job struct {
	*call
	context.Context
	db    *persistence.DB
	store uuid.UUID
	// value is that of the act's flag.
	value string
	// usage is the command's usage line.
	usage string
}

// outcome is what an act has done.
type outcome struct {
	// changed is true if the act has changed something, also if it ended halfway; on is what.
	changed bool
	on      string
	// show prints the result once the replicas have it. It may be nil.
	show func() error
}

// changed is the outcome of an act that has changed something.
func changed(on string) outcome { return outcome{changed: true, on: on} }

// define declares the flags of the command.
func (o *operatorCommand) define(fs *flag.FlagSet) func(*call) error {
	var from storeFlags
	from.redisFlags.flags(fs, adminSilence)
	if !o.namesStore {
		fs.StringVar(&from.store, "store", "", "`ID` of the store")
	}
	if o.writes() {
		from.waitFlag(fs)
	}
	if o.flags != nil {
		o.flags(fs)
	}
	for _, row := range o.acts {
		switch {
		case row.flag == "":
		case row.value == "":
			fs.Bool(row.flag, false, row.help)
		default:
			fs.String(row.flag, "", row.help)
		}
	}
	return func(c *call) error { return o.run(c, fs, &from) }
}

// writes reports whether an act of the command changes something.
func (o *operatorCommand) writes() bool {
	return slices.ContainsFunc(o.acts, func(row act) bool { return row.audit != "" })
}

// run carries out the act that is asked for.
func (o *operatorCommand) run(c *call, fs *flag.FlagSet, from *storeFlags) error {
	j := &job{call: c, Context: context.Background(), usage: o.usage(c.name)}
	if !slices.ContainsFunc(o.acts, func(row act) bool { return row.argument != "" }) {
		if err := c.noArguments(j.usage); err != nil {
			return err
		}
	}
	row, err := o.asked(fs, j.usage)
	if err != nil {
		return err
	}
	if row.flag != "" {
		j.value = fs.Lookup(row.flag).Value.String()
	}
	switch {
	case row.argument == "":
		err = c.noArguments(j.usage)
	case len(c.args) != 1:
		err = commandline.Usage("--%s %s needs %s: %s", row.flag, row.value, row.argument, j.usage)
	}
	switch {
	case err != nil:
		return err
	case !o.namesStore:
		j.store, err = from.id("store", j.usage)
	case row.flag != "":
		from.store = j.value
		j.store, err = from.id(row.flag, j.usage)
	}
	if err == nil && row.check != nil {
		err = row.check(j)
	}
	if err != nil {
		return err
	}
	if j.db, err = from.open(); err != nil {
		return err
	}
	defer j.db.Close()
	return row.carryOut(j, from)
}

// carryOut plans and does an act on an open Redis. One that writes is in the audit trail from its first write on.
func (row *act) carryOut(j *job, from *storeFlags) error {
	on := j.value
	if row.plan != nil {
		var err error
		if on, err = row.plan(j); err != nil {
			return err
		}
	}
	if row.audit == "" {
		_, err := row.do(j)
		return err
	}
	undertaken := j.begin(j.db, from.operator, deed(j.store, row.audit, on))
	done, err := row.do(j)
	var unreported error
	if done.changed {
		unreported = undertaken.end(done.on, err)
	} else {
		undertaken.drop()
	}
	if err != nil {
		return err
	}
	if err := from.awaitReplicas(j.db); err != nil {
		return err
	}
	if done.show != nil {
		err = done.show()
	}
	return cmp.Or(unreported, err)
}

// asked returns the act that a command line asks for. It refuses two acts, flags of another act, and an act without a
// flag that it needs.
func (o *operatorCommand) asked(fs *flag.FlagSet, usage string) (*act, error) {
	var asked *act
	for i := range o.acts {
		row := &o.acts[i]
		switch {
		case row.flag == "" || !isAsked(fs, row.flag):
		case asked != nil:
			return nil, commandline.Usage("--%s does not go with --%s, give one of them: %s", row.flag, asked.flag, usage)
		default:
			asked = row
		}
	}
	if asked == nil && o.acts[0].flag != "" {
		return nil, commandline.Usage("give one of %s: %s", strings.Join(o.actFlags(), ", "), usage)
	} else if asked == nil {
		asked = &o.acts[0]
	}
	for _, row := range o.acts {
		for _, name := range flagNames(row.with) {
			if isGiven(fs, name) && !slices.Contains(flagNames(asked.with), name) {
				return nil, commandline.Usage("--%s goes with %s only: %s", name, cmp.Or(strings.Join(o.actsWith(name), " or "), "the list"), usage)
			}
		}
	}
	for _, name := range flagNames(optional.ReplaceAllString(asked.with, "")) {
		if !isGiven(fs, name) {
			return nil, commandline.Usage("--%s is missing: %s", name, usage)
		}
	}
	return asked, nil
}

// isAsked reports whether the flag of an act asks for it: a word does so by a text that is not empty.
func isAsked(fs *flag.FlagSet, name string) bool {
	value := fs.Lookup(name).Value.String()
	return value != "" && value != "false"
}

// actFlags are the flags that ask for acts, with two dashes.
func (o *operatorCommand) actFlags() (all []string) {
	for _, row := range o.acts {
		if row.flag != "" {
			all = append(all, "--"+row.flag)
		}
	}
	return all
}

// actsWith are the flags of the acts that a flag goes with.
func (o *operatorCommand) actsWith(name string) (all []string) {
	for _, row := range o.acts {
		if row.flag != "" && slices.Contains(flagNames(row.with), name) {
			all = append(all, "--"+row.flag)
		}
	}
	return all
}

var (
	// optional is what stands in brackets in a usage line.
	optional = regexp.MustCompile(`\[[^]]*\]`)
	flagName = regexp.MustCompile(`--([a-z-]+)`)
)

// flagNames are the flags of a piece of a usage line.
func flagNames(usage string) (names []string) {
	for _, found := range flagName.FindAllStringSubmatch(usage, -1) {
		names = append(names, found[1])
	}
	return names
}

// usage is the command line. Acts are alternatives; in brackets if the command does something without any.
func (o *operatorCommand) usage(name string) string {
	line := "cartd " + name + " --redis URL"
	if !o.namesStore {
		line += " --store ID"
	}
	if o.with != "" {
		line += " " + o.with
	}
	var all []string
	for _, row := range o.acts {
		text := row.with
		if row.flag != "" {
			text = joined("--"+row.flag, row.value, row.argument, row.with)
		}
		if text != "" {
			all = append(all, text)
		}
	}
	acts := strings.Join(all, " | ")
	if o.acts[0].flag == "" && o.acts[0].with == "" && acts != "" {
		acts = "[" + acts + "]"
	}
	return joined(line, acts)
}

// joined joins the words that are not empty.
func joined(words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), " ")
}
