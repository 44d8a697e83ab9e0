package blackbox_test

const keyLogin = "test-login-key"

// elsewhere adds the key of a merchant's server that logs its shoppers in.
func elsewhere(document object) {
	document["api_keys"] = append(document["api_keys"].(list), apiKey("login", keyLogin, "contacts:manage"))
}
