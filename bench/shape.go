package bench

import "strings"

// role is the meaning of a value of an answer.
type role uint8

const (
	ignored role = iota
	isID
	isTotal
	isLines // a list whose elements are lines
	isLine  // a single line
	isLineID
	isLineProduct
	isLineQuantity
	isLineTotal
	isLineText
	isLineMark
	isOrder
	isState // and further roles, one for each of states
)

// node is a shape compiled for the scanner: the role of a value and the keys to read inside it.
type node struct {
	role     role
	children []child
	element  *node // of a value with the role isLines
	decimals int   // of amounts
}

type child struct {
	key  string
	node *node
}

// compile builds the tree of a shape's paths.
func (s *Shape) compile(decimals int) *node {
	root := &node{}
	root.put(s.ID, isID)
	root.put(s.Total, isTotal).decimals = decimals
	root.put(s.Order, isOrder)
	for i, path := range s.States {
		root.put(path, isState+role(i))
	}
	if s.Lines != nil {
		list := root.at(s.Lines.At)
		list.role, list.element = isLines, &node{}
		s.Lines.compile(list.element, decimals)
	}
	if s.Line != nil {
		line := root.at(s.Line.At)
		line.role = isLine
		s.Line.compile(line, decimals)
	}
	return root
}

func (s *LineShape) compile(n *node, decimals int) {
	n.put(s.ID, isLineID)
	n.put(s.Product, isLineProduct)
	n.put(s.Quantity, isLineQuantity)
	n.put(s.Total, isLineTotal).decimals = decimals
	n.put(s.Text, isLineText)
	n.put(s.Mark, isLineMark)
}

// put gives the value at a path a role. An empty path has none.
func (n *node) put(path string, r role) *node {
	if path == "" {
		return &node{}
	}
	n = n.at(path)
	n.role = r
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
