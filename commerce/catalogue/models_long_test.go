//go:build long

package catalogue

import "testing"

func TestLongListMatchesTheModel(t *testing.T) { compareRandomLists(t, 100) }

func TestLongFollowMatchesANewIndex(t *testing.T) { compareFollowed(t, 200) }
