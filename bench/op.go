package bench

import "slices"

// op is an operation of a visitor.
type op uint8

const (
	opCreate op = iota
	opRead
	opAdd
	opConfigure
	opChange
	opRemove
	opCode
	opCheckout
	opPay
	opCancel
	opOrder // an order is read
	opProduct
	opProductList
	opClaim
	opReadClaimed
	opPrepare // a request that a system needs between the others
	opAddressList
	opAddressAdd
	opAddressChange
	opAddressRemove
	ops
)

// opNames are the names of the operations in adapters and scenarios.
var opNames = [ops]string{
	"create", "read", "add", "configure", "change", "remove", "code", "checkout", "pay", "cancel", "order", "product", "product_list", "claim",
	"read_claimed", "prepare",
	"address_list", "address_add", "address_change", "address_remove",
}

func (o op) String() string { return opNames[o] }

func (o op) write() bool {
	return o != opRead && o != opReadClaimed && o != opOrder && o != opAddressList && !o.catalogue()
}

// catalogue reports whether the operation reads the store's catalogue.
func (o op) catalogue() bool { return o == opProduct || o == opProductList }

// cart reports whether the operation is on a cart.
func (o op) cart() bool { return !o.address() && !o.catalogue() }

// sale reports whether the operation is on an order.
func (o op) sale() bool { return o == opPay || o == opCancel || o == opOrder }

// address reports whether the operation is on a contact's address book.
func (o op) address() bool { return o >= opAddressList }

// token reports whether the operation is sent with the customer token of its record.
func (o op) token() bool { return o == opClaim || o == opReadClaimed || o.address() }

func opNamed(name string) (op, bool) {
	i := slices.Index(opNames[:], name)
	return op(max(i, 0)), i >= 0
}
