//go:build long

package hostile

import "testing"

// Every route answers every kind of caller as its row says, under all of its paths.
func TestLongEveryRouteAnswersEveryCaller(t *testing.T) { knockEverywhere(t, true) }
