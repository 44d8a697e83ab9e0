package faultsuite

import (
	"os"
	"testing"

	"cartd/blackbox"
)

// program is the built cartd, without a control's patches.
var program string

func TestMain(m *testing.M) { os.Exit(blackbox.Main(m, &program)) }
