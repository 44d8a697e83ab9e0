package commandline

import (
	"errors"
	"flag"
	"strings"
	"testing"
	"time"
)

// one is the type of a flag that accepts only 1.
type one struct{}

func (one) String() string { return "" }
func (one) Set(text string) error {
	if text != "1" {
		return errors.New("give 1")
	}
	return nil
}

func flags() *flag.FlagSet {
	fs := flag.NewFlagSet("run", flag.ContinueOnError)
	fs.Bool("demo", false, "loads the demo")
	fs.Duration("wait", time.Second, "how long")
	fs.Int("count", 0, "`number` of things")
	fs.Int64("most", 0, "the most")
	fs.Uint64("seed", 1, "decides")
	fs.Float64("rate", 0, "a second")
	fs.String("name", "x", "a - b --c")
	fs.Var(one{}, "one", "always 1")
	return fs
}

func TestAnErrorNamesTheAcceptedForm(t *testing.T) {
	for args, want := range map[string]string{
		"--demo=maybe":               `--demo="maybe": write true or false`,
		"--wait 5":                   `--wait="5": write a duration such as 5s`,
		"-wait soon":                 `--wait="soon": write a duration such as 5s`,
		"--count many":               `--count="many": write a whole number of at most 18 digits`,
		"--most 9999999999999999999": `--most="9999999999999999999": write a whole number of at most 18 digits`,
		"--seed -1":                  `--seed="-1": write a whole number, 0 or more`,
		"--rate fast":                `--rate="fast": write a number such as 2.5`,
		"--one 2":                    `--one="2": give 1`,
		"--colour red":               `flag provided but not defined: --colour`,
		"--nmae red":                 `flag provided but not defined: --nmae (did you mean --name?)`,
		"-dem":                       `flag provided but not defined: --dem (did you mean --demo?)`,
		"--name":                     `flag needs an argument: --name`,
		"---name":                    `bad flag syntax: ---name`,
	} {
		var out strings.Builder
		err := Parse(flags(), strings.Fields(args), &out, "run")
		var usage *UsageError
		if !errors.As(err, &usage) || err.Error() != want || out.Len() > 0 {
			t.Errorf("%s\n got: %v, %q\nwant: %s", args, err, out.String(), want)
		}
	}
}

func TestFlagsAreRead(t *testing.T) {
	fs := flags()
	if err := Parse(fs, strings.Fields("--demo -wait 2s --one 1 --count=7 file --most 1 other -- --seed 2"), nil, "run"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"demo": "true", "wait": "2s", "count": "7", "most": "1", "seed": "1"} {
		if got := fs.Lookup(name).Value.String(); got != want {
			t.Errorf("--%s is %s, want %s", name, got, want)
		}
	}
	if got := strings.Join(fs.Args(), " "); got != "file other --seed 2" {
		t.Errorf("the rest is %q", got)
	}
}

func TestHelpShowsFlagsAsTheyAreWritten(t *testing.T) {
	var out strings.Builder
	if err := Parse(flags(), []string{"--count", "1", "--help"}, &out, "run FILE"); err != flag.ErrHelp {
		t.Fatalf("Parse = %v", err)
	}
	const want = `run FILE

  --count number
    	number of things
  --demo
    	loads the demo
  --most int
    	the most
  --name string
    	a - b --c (default "x")
  --one value
    	always 1
  --rate float
    	a second
  --seed uint
    	decides (default 1)
  --wait duration
    	how long (default 1s)
`
	if out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", out.String(), want)
	}
	out.Reset()
	_ = Parse(flag.NewFlagSet("check", flag.ContinueOnError), []string{"-h"}, &out, "check FILE")
	if out.String() != "check FILE\n" {
		t.Errorf("without flags: %q", out.String())
	}
}
