package storefile

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// The limits of the members that a storefront shows. Lengths are in characters.
const (
	MaxMedia          = 20
	MaxMediaURL       = 2048
	MaxAlt            = 255
	MaxAttributes     = 50
	MaxAttributeName  = 64
	MaxAttributeText  = 255
	MaxAttributeTexts = 20
)

// displayRows are the members that products and variants share.
var displayRows = []row[*commerce.Display]{
	field.Optional("media", media, "", func(d *commerce.Display) *[]commerce.Media { return &d.Media }),
	field.Optional("attributes", attributes, "", func(d *commerce.Display) *[]commerce.Attribute { return &d.Attributes }),
	field.Optional("metadata", metadata, "", func(d *commerce.Display) *commerce.Metadata { return &d.Metadata }),
}

var media = atMost(listOf(picture), MaxMedia, "pictures")

var picture = objectKind("media",
	field.Required("url", pictureURL, "", func(m *commerce.Media) *string { return &m.URL }),
	field.Optional("alt", judged(openapi.Text.MaxLength(MaxAlt).Pattern(oneLine), func(f value) string { return f.atMost(MaxAlt) }), "",
		func(m *commerce.Media) *string { return &m.Alt }),
)

var pictureURL = judged(
	openapi.Text.MaxLength(MaxMediaURL).Pattern(`^(?:https://|/$|/[^/])`, oneLine).About(aMediaURL).Definition("media_url"), mediaURL)

var attributeText = known(openapi.Text.MinLength(1).MaxLength(MaxAttributeText).Pattern(oneLine, visible).Definition("attribute_text"),
	(*document).attributeText)

var attributeTexts = listOf(attributeText)

var attributes = marked(known(
	openapi.Map(openapi.AnyOf(attributeText.Schema, attributeTexts.Schema.MaxItems(MaxAttributeTexts), openapi.Null)).
		MaxFields(MaxAttributes).Names(openapi.Anything.MinLength(1).MaxLength(MaxAttributeName).Pattern(oneLine, visible)).
		About(fmt.Sprintf("names of 1 to %d characters with a text or a list of texts", MaxAttributeName)).Definition("attributes"),
	(*document).attributes), ordered)

var metadata = marked(judged(
	openapi.Map(openapi.Types("string", "number", "boolean", "null").Pattern(withoutNUL)).
		MaxFields(commerce.MaxMetadataKeys).Names(openapi.Anything.Pattern(withoutNUL)).
		About(fmt.Sprintf("public; at most %d bytes of keys and values; numbers of at most %d characters that are finite as doubles",
			commerce.MaxMetadataBytes, commerce.MaxNumberLength)).Definition("metadata"),
	readMetadata), ordered)

// mediaURL reads the address of a picture: an https:// URL, or a path on the storefront's own host.
func mediaURL(f value) string {
	text, ok := f.str()
	switch {
	case !ok:
		return ""
	case !f.d.kept && !commerce.IsLine(text) && f.judged():
		f.fault(noControls)
	case utf8.RuneCountInString(text) > MaxMediaURL:
		f.tooLong(MaxMediaURL)
	case strings.HasPrefix(text, "https://"):
		if u, err := url.Parse(text); err != nil || u.Hostname() == "" {
			f.conflict("must be " + aMediaURL)
		}
	case !strings.HasPrefix(text, "/") || strings.HasPrefix(text, "//"):
		f.mustBe(aMediaURL)
	}
	return text
}

// atMost reads a text that may be empty, with at most this number of characters.
func (f value) atMost(limit int) string {
	text := f.remark()
	if utf8.RuneCountInString(text) > limit {
		f.tooLong(limit)
	}
	return text
}

func (f value) tooLong(limit int) { f.fault(fmt.Sprintf("must have at most %d characters", limit)) }

// entries reads the members of a map with at most limit names, in the document's order.
func (f value) entries(limit int, things string, read func(name string, value value)) {
	if f.absent() {
		return
	}
	if f.raw.Kind() != strictjson.Object {
		f.fault("must be an object")
		return
	}
	if f.raw.Len() > limit {
		f.fault(fmt.Sprintf("must have at most %d %s", limit, things))
		return
	}
	var names []string
	for name, raw := range f.raw.Members() {
		v := value{d: f.d, raw: raw}
		if slices.Contains(names, name) {
			v.conflict("is given more than once")
		}
		names = append(names, name)
		read(name, v)
	}
}

// attributes reads a map from names to a text or a list of texts, in the document's order.
func (d *document) attributes(f value) (all []commerce.Attribute) {
	f.entries(MaxAttributes, "names", func(name string, value value) {
		if n := utf8.RuneCountInString(name); n < 1 || n > MaxAttributeName || value.blank(name) {
			value.misnamed(ofShape, fmt.Sprintf("must have a name of 1 to %d characters", MaxAttributeName))
		}
		if !f.d.kept && !commerce.IsLine(name) && value.judged() {
			value.misnamed(ofShape, "must have a name without control characters")
		}
		a := commerce.Attribute{Name: d.shared(name)}
		switch value.raw.Kind() {
		case strictjson.Null:
			return
		case strictjson.String:
			a.Values = []string{d.attributeText(value)}
		case strictjson.Array:
			a.List = true
			attributeTexts.Read(value, &a.Values)
			value.notMore(MaxAttributeTexts, "texts")
		default:
			value.fault("must be a string or a list of strings")
		}
		all = keep(f.d, all, a)
	})
	return all
}

func (d *document) attributeText(f value) string {
	text, ok := f.str()
	if n := utf8.RuneCountInString(text); ok && (n < 1 || n > MaxAttributeText || f.blank(text)) {
		f.mustBe(fmt.Sprintf("a text of 1 to %d characters", MaxAttributeText))
	}
	f.judgeLine(text)
	return d.shared(text)
}

// shared returns an equal text that the document has only once in memory.
func (d *document) shared(text string) string {
	if known, ok := d.texts[text]; ok {
		return known
	}
	d.texts[text] = text
	return text
}

// aScalar is the fault of a value of metadata that is none, or a number that others cannot read.
const aScalar = "must be a string, number, boolean or null"

// readMetadata reads a map of scalars by the rules of a cart's metadata.
func readMetadata(f value) (all commerce.Metadata) {
	f.entries(commerce.MaxMetadataKeys, "keys", func(key string, value value) {
		entry := commerce.MetadataEntry{Key: key, Value: commerce.Scalar{Text: string(value.raw)}}
		switch value.raw.Kind() {
		case strictjson.String:
			entry.Value = commerce.Scalar{IsString: true, Text: value.raw.Text()}
		case strictjson.Array, strictjson.Object:
			value.fault(aScalar)
		case strictjson.Number:
			if !entry.Value.Readable() && value.judged() {
				value.conflict(aScalar)
			}
		}
		if commerce.HasNUL(key) && value.judged() {
			value.misnamed(ofShape, "must have a name without control characters")
		}
		if entry.Value.IsString {
			value.judgeVerbatim(entry.Value.Text)
		}
		all = keep(f.d, all, entry)
	})
	if all.TooLong() {
		f.conflict(fmt.Sprintf("must have at most %d bytes of keys and values", commerce.MaxMetadataBytes))
	}
	return all
}
