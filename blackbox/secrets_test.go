package blackbox_test

import (
	"strings"
	"testing"
)

func wantNoSecretsIn(t testing.TB, text string) {
	t.Helper()
	for _, secret := range secrets {
		if strings.Contains(text, secret) {
			t.Errorf("the output shows the secret %q:\n%s", secret, text)
		}
	}
}
