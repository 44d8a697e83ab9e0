// Package commandline owns the reading of a subcommand's flags. It prints the help that the user
// asked for. An error is one line that names the accepted form.
//
// It refuses to know subcommands, flags and the environment. Open first: Parse in this file.
package commandline

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"cartd/internal/spelling"
)

// UsageError is an error in a command line.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap returns the error in the command line.
func (e *UsageError) Unwrap() error { return e.Err }

// Usage makes a UsageError from a format.
func Usage(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// Parse reads the arguments after a subcommand's name, flags and words in any order. If help is
// asked for, it prints the usage and the flags to stdout and returns flag.ErrHelp. Every other
// error is a *UsageError.
func Parse(fs *flag.FlagSet, args []string, stdout io.Writer, usage string) error {
	var fault error
	fs.SetOutput(io.Discard)
	fs.VisitAll(func(f *flag.Flag) { f.Value = watched{f.Value, f.Name, &fault} })
	err := fs.Parse(flagsFirst(fs, args))
	fs.VisitAll(func(f *flag.Flag) { f.Value = f.Value.(watched).Value })
	switch {
	case errors.Is(err, flag.ErrHelp):
		PrintHelp(fs, stdout, usage)
	case fault != nil:
		return &UsageError{fault}
	case err != nil:
		return Usage("%s%s", dashed.Replace(err.Error()), didYouMean(fs, err))
	}
	return err
}

// flagsFirst moves the flags to the front, as package flag needs them. Arguments after "--" are
// words.
func flagsFirst(fs *flag.FlagSet, args []string) []string {
	var flags, words []string
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch name := strings.TrimLeft(arg, "-"); {
		case arg == "--":
			words, args = append(words, args...), nil
		case !strings.HasPrefix(arg, "-") || name == "":
			words = append(words, arg)
		default:
			flags = append(flags, arg)
			if !takesNext(fs.Lookup(name)) {
				continue
			}
			if len(args) == 0 {
				return flags // the last flag lacks its value
			}
			flags, args = append(flags, args[0]), args[1:]
		}
	}
	return append(append(flags, "--"), words...)
}

// takesNext reports whether the value of a flag is the argument after it.
func takesNext(f *flag.Flag) bool {
	if f == nil { // an unknown flag, or one written as --name=value
		return false
	}
	b, is := f.Value.(interface{ IsBoolFlag() bool })
	return !is || !b.IsBoolFlag()
}

// didYouMean suggests the flag that is similar to an unknown one, "" if none is.
func didYouMean(fs *flag.FlagSet, err error) string {
	_, word, unknown := strings.Cut(err.Error(), "not defined: -")
	if !unknown {
		return ""
	}
	var names []string
	fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	return DidYouMean(strings.TrimLeft(word, "-"), "--", names)
}

// DidYouMean is the question that follows an unknown word in a message: it suggests a similar
// known word, with a prefix. It is empty if no known word is similar.
func DidYouMean(word, prefix string, known []string) string {
	if meant, ok := spelling.Closest(word, known); ok {
		return " (did you mean " + prefix + meant + "?)"
	}
	return ""
}

// Fault is the error of a flag or variable of this name that refused a text with err.
func Fault(of flag.Value, name, text string, err error) error {
	return fmt.Errorf("%s=%q: %w", name, text, wanted(of, err))
}

// watched is a flag's value during Parse. It records the error of Set in our own words, because
// package flag words errors for programmers.
type watched struct {
	flag.Value
	name  string
	fault *error
}

func (w watched) Set(text string) error {
	err := w.Value.Set(text)
	if err != nil {
		*w.fault = Fault(w.Value, "--"+w.name, text, err)
	}
	return err
}

// IsBoolFlag reports whether the flag may be given without a value.
func (w watched) IsBoolFlag() bool {
	b, ok := w.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// wanted names the form that a value must have. For a flag of its own type, err names it.
func wanted(v flag.Value, err error) error {
	getter, ok := v.(flag.Getter)
	if !ok {
		return err
	}
	switch getter.Get().(type) {
	case bool:
		return errors.New("write true or false")
	case time.Duration:
		return errors.New("write a duration such as 5s")
	case uint64:
		return errors.New("write a whole number, 0 or more")
	case int, int64:
		return errors.New("write a whole number of at most 18 digits")
	case float64:
		return errors.New("write a number such as 2.5")
	}
	return err
}

// dashed writes the flags in errors of package flag with two dashes.
var dashed = strings.NewReplacer("not defined: -", "not defined: --", "an argument: -", "an argument: --")

// PrintHelp prints the usage and the output of PrintDefaults, with two dashes at each flag.
func PrintHelp(fs *flag.FlagSet, w io.Writer, usage string) {
	var flags strings.Builder
	fs.SetOutput(&flags)
	fs.PrintDefaults()
	fmt.Fprintln(w, usage)
	if flags.Len() > 0 {
		fmt.Fprint(w, strings.ReplaceAll("\n"+flags.String(), "\n  -", "\n  --"))
	}
}

// byteUnit is a unit of sizes.
type byteUnit struct {
	name  string
	bytes int64
}

// byteUnits are all units, the largest first. The last has the empty name, so it fits every text.
var byteUnits = []byteUnit{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"", 1}}

var errBytes = errors.New("write a size above zero in bytes, KiB, MiB or GiB, such as 512MiB")

// ParseBytes reads a size: a whole number above zero of bytes, KiB, MiB or GiB. The error names
// the accepted form.
func ParseBytes(text string) (int64, error) {
	unit := byteUnits[slices.IndexFunc(byteUnits, func(u byteUnit) bool { return strings.HasSuffix(text, u.name) })]
	n, err := strconv.ParseInt(strings.TrimSuffix(text, unit.name), 10, 64)
	if err != nil || n < 1 || n > math.MaxInt64/unit.bytes || text[0] == '+' {
		return 0, errBytes
	}
	return n * unit.bytes, nil
}

// FormatBytes writes a size as a whole number of the largest possible unit.
func FormatBytes(bytes int64) string {
	unit := byteUnits[slices.IndexFunc(byteUnits, func(u byteUnit) bool { return bytes%u.bytes == 0 })]
	return strconv.FormatInt(bytes/unit.bytes, 10) + unit.name
}

// Bytes is the value of a flag that takes a size.
type Bytes int64

// Set reads the size.
func (b *Bytes) Set(text string) error {
	n, err := ParseBytes(text)
	if err == nil {
		*b = Bytes(n)
	}
	return err
}

// String returns the size as FormatBytes writes it.
func (b Bytes) String() string { return FormatBytes(int64(b)) }
