package answers

import (
	"cartd/engine"
	"cartd/internal/field"
)

// CatalogueChanged is the answer to a change of the catalogue. The counts of a replay are not known.
var CatalogueChanged = field.Object("CatalogueChanged",
	field.Member("revision", Text, "The document's revision from now on.", func(c *engine.CatalogueChanged) *string { return &c.Revision }),
	field.NullUnless(func(c *engine.CatalogueChanged) bool { return !c.Replayed },
		field.Member("products", Integer, "The number of products of the store; null in a replay.", func(c *engine.CatalogueChanged) *int { return &c.Products }),
		field.Member("changed", Integer, "The number of entries and settings that the change set.", func(c *engine.CatalogueChanged) *int { return &c.Changed }),
		field.Member("removed", Integer, "The number of entries that it removed.", func(c *engine.CatalogueChanged) *int { return &c.Removed })),
)
