package blackbox_test

import (
	"os"
	"testing"

	"cartd/blackbox"
)

// binary is the cartd of all tests of this package.
var binary string

func TestMain(m *testing.M) { os.Exit(blackbox.Main(m, &binary)) }
