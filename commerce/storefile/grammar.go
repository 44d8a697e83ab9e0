package storefile

import (
	"fmt"

	"cartd/commerce"
)

// The names of a document's kinds of text in its faults.
const (
	aUUID = "a UUID"
	aHash = "a SHA-256 in hexadecimal"
	aTime = "a time like 2030-01-01T00:00:00Z"
	aDate = "a date like 2030-01-01"

	aPercent  = "a decimal string from 0 to 100 with at most 9 decimals"
	aStock    = "a decimal string from -100000000 to 9000000000 with at most 6 decimals"
	aLimit    = "a decimal string from 0 to 100000000 with at most 6 decimals"
	aUsage    = "a decimal string above 0 and at most 9223372036854.775807 with at most 6 decimals"
	aQuantity = "a decimal string above 0 and at most 99999999.999 with at most 3 decimals"
	aWeight   = "a number or a decimal string from 0 to 1000000000 with at most 3 decimals"

	aLocation      = "an http or https URL, or a path that begins with one slash"
	aMediaURL      = "an https:// URL, or a path that begins with one slash"
	aCountry       = "two letters"
	anEmail        = "an e-mail address"
	aWebhookURL    = "an absolute http or https URL"
	aWebhookSecret = "whsec_ and the base64 of 24 to 64 bytes"
)

var aDisplay = fmt.Sprintf("at most %d bytes of media, attributes and metadata, those of its variants included", commerce.MaxDisplayBytes)

var aPasswordHash = fmt.Sprintf("a bcrypt hash of cost at most %d, or an argon2id hash of at most m=%d (%d MiB), t=%d, p=%d",
	commerce.MaxBcryptCost, commerce.MaxArgonMemory, commerce.MaxArgonMemory/1024, commerce.MaxArgonPasses, commerce.MaxArgonLanes)
