package bench

import "strings"

// place is what a value of an answer is, for the check.
type place uint8

const (
	nowhere place = iota
	atID
	atTotal
	atLines // the list: each element is a line
	atLine  // the one line
	atLineID
	atLineProduct
	atLineQuantity
	atLineTotal
	atLineText
	atLineMark
)

// node is a shape compiled for the scanner: what this value is, and which of its
// keys lead on.
type node struct {
	place    place
	children []child
	element  *node // of atLines
	decimals int   // of amounts
}

type child struct {
	key  string
	node *node
}

// compile builds the tree of a shape's paths.
func (s *Shape) compile(decimals int) *node {
	root := &node{}
	root.put(s.ID, atID)
	root.put(s.Total, atTotal).decimals = decimals
	if s.Lines != nil {
		list := root.at(s.Lines.At)
		list.place, list.element = atLines, &node{}
		s.Lines.compile(list.element, decimals)
	}
	if s.Line != nil {
		line := root.at(s.Line.At)
		line.place = atLine
		s.Line.compile(line, decimals)
	}
	return root
}

func (s *LineShape) compile(n *node, decimals int) {
	n.put(s.ID, atLineID)
	n.put(s.Product, atLineProduct)
	n.put(s.Quantity, atLineQuantity)
	n.put(s.Total, atLineTotal).decimals = decimals
	n.put(s.Text, atLineText)
	n.put(s.Mark, atLineMark)
}

// put marks the value at a path; an empty path marks nothing.
func (n *node) put(path string, p place) *node {
	if path == "" {
		return &node{}
	}
	n = n.at(path)
	n.place = p
	return n
}

// at finds or makes the node at a path.
func (n *node) at(path string) *node {
	if path == "" {
		return n
	}
	key, rest, _ := strings.Cut(path, ".")
	for _, c := range n.children {
		if c.key == key {
			return c.node.at(rest)
		}
	}
	next := &node{}
	n.children = append(n.children, child{key, next})
	return next.at(rest)
}

func (n *node) child(key []byte) *node {
	for i := range n.children {
		if string(key) == n.children[i].key {
			return n.children[i].node
		}
	}
	return nil
}
