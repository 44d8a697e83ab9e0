package blackbox_test

// keyLogin is the key of a merchant's server that logs its shoppers in.
const keyLogin = "test-login-key"

// elsewhere adds that key.
func elsewhere(document object) {
	document["api_keys"] = append(document["api_keys"].(list), apiKey("login", keyLogin, "contacts:manage"))
}
