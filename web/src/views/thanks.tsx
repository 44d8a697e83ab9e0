import { shop } from "../api.js";
import { known, useLoad } from "../load.js";
import { Loaded, Missing } from "../parts/failure.js";
import { OrderDetails } from "../parts/order.js";
import { lastOrder } from "../placed.js";
import { useTitle } from "../title.js";

/** The page after an order, and of its link. A visitor with the token can read the order. */
export function ThanksView({ token }: { token: string }) {
  useTitle("Thank you");
  const order = useLoad(
    (signal) => {
      const last = lastOrder.get();
      return last?.token === token
        ? Promise.resolve(known(last.order))
        : shop.get("/v1/api/commerce/orders/by-token/{token}", { path: { token }, signal });
    },
    [token],
  );
  return (
    <Loaded
      from={order}
      outline={<span class="line title" />}
      missing={
        <Missing title="There is no such order">
          <p>
            Its link is wrong or incomplete. <a href="#/">Go to the start</a>.
          </p>
        </Missing>
      }
    >
      {(body) => (
        <>
          <h1 tabIndex={-1}>Thank you. It is order {body.number}.</h1>
          <p class="lead">Keep the address of this page: it shows the order again, without logging in.</p>
          <OrderDetails of={body} />
        </>
      )}
    </Loaded>
  );
}
