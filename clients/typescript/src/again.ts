import type { Result, Shop } from "./shop.js";
import type { Success } from "./operation.js";

const checkout = "/v1/api/commerce/carts/{id}/checkout";

/**
 * The order of a cart that was sold: after a checkout whose answer was lost, or when a shopper comes back with a cart that is converted. It asks for the
 * checkout once more under a version that no cart has. So a cart that is not sold stays as it is: the failure is then 412, or 404 if there is no such cart.
 * The success has the order and its `orderToken`.
 */
export function sameOrderAgain(shop: Shop, cartId: string): Promise<Result<Success<typeof checkout, "post">>> {
  return shop.post(checkout, { path: { id: cartId }, body: {}, ifMatch: '"0000000000000000"' });
}
