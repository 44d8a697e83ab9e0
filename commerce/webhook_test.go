package commerce

import "testing"

func TestAWebhookIsKnownByItsAddress(t *testing.T) {
	s := &Store{Webhooks: []Webhook{{URL: "https://a"}, {URL: "https://b"}, {URL: "https://a"}}}
	seen := map[string]bool{}
	for i := range s.Webhooks {
		seen[s.WebhookID(i)] = true
	}
	if len(seen) != 3 {
		t.Errorf("three webhooks have %d ids: %v", len(seen), seen)
	}
	turned := &Store{Webhooks: []Webhook{{URL: "https://b", Secrets: [][]byte{[]byte("other")}, Events: []string{"x"}}, {URL: "https://a"}}}
	if turned.WebhookID(0) != s.WebhookID(1) || turned.WebhookID(1) != s.WebhookID(0) {
		t.Error("an address in another place, with another secret and other events, has another id")
	}
}
