package commerce

import "github.com/google/uuid"

// Category is a node of the catalogue's tree; ParentID is zero at its root.
type Category struct {
	ID          uuid.UUID
	Name        string
	Slug        string
	ParentID    uuid.UUID
	Description string // may be empty
	Media       []Media
	Metadata    Metadata // public
}
