package storefile

import "cartd/commerce"

func (d *document) shippingMethod(f field) commerce.ShippingMethod {
	o := f.object()
	defer o.close()
	return commerce.ShippingMethod{
		ID:    o.required("id").uniqueID(&d.shippingMethods),
		Name:  o.required("name").text(),
		Price: o.required("price_amount").amount(),
		Tax:   d.tax(o.required("tax")),
	}
}
