//go:build race

package httpserver

// conforms is checked by the build without the race detector, in which the validator is quick to
// build.
func (h *harness) conforms(call, answer) {}
