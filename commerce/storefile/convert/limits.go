package convert

// The limits of the store document, in characters and numbers of things. Tests compare them with the
// check.
const (
	// MaxName is the length of names and slugs.
	MaxName           = 255
	maxVariants       = 2000
	maxLevels         = 32
	maxMedia          = 20
	maxMediaURL       = 2048
	maxAlt            = 255
	maxAttributes     = 50
	maxAttributeName  = 64
	maxAttributeText  = 255
	maxAttributeTexts = 20
)
