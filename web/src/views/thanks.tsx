import { useState } from "preact/hooks";
import { shop } from "../api.js";
import { known, useLoad } from "../load.js";
import { Loaded, Missing } from "../parts/failure.js";
import { OrderDetails } from "../parts/order.js";
import { OrderStatus } from "../parts/status.js";
import { lastOrder } from "../placed.js";
import { account } from "../session.js";
import { useStore } from "../store.js";
import { useTitle } from "../title.js";

/** The page after an order, and of its link. A visitor with the token can read the order. */
export function ThanksView({ token }: { token: string }) {
  const order = useLoad(
    (signal) => {
      const last = lastOrder.get();
      lastOrder.set(null); // later it may have been paid
      return last?.token === token
        ? Promise.resolve(known(last.order))
        : shop.get("/v1/api/commerce/orders/by-token/{token}", { path: { token }, signal });
    },
    [token],
  );
  useTitle(order.body ? `Order ${order.body.number}` : "Order");
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
          <h1 tabIndex={-1}>{body.status === "cancelled" ? `Order ${body.number}` : `Thank you. It is order ${body.number}.`}</h1>
          <OrderStatus
            of={body}
            pay={`/payment#by-token/${token}`}
            requests={{
              cancel: (idempotencyKey) => shop.post("/v1/api/commerce/orders/by-token/{token}/cancel", { path: { token }, idempotencyKey }),
              copy: (query, idempotencyKey) =>
                shop.post("/v1/api/commerce/orders/by-token/{token}/copy", { path: { token }, query, idempotencyKey }),
            }}
            again={order.again}
          />
          <Keep />
          <OrderDetails of={body} />
        </>
      )}
    </Loaded>
  );
}

/** Where a guest finds the order again. */
function Keep() {
  const visitor = useStore(account);
  const [copied, setCopied] = useState(false);
  return (
    <p class="keep">
      {visitor ? (
        <>
          You find it again among <a href="#/orders">your orders</a>, and at the address of this page, also without logging in.{" "}
        </>
      ) : (
        <>
          <b>Keep the address of this page</b>, in a bookmark or a message to yourself: only there you find this order again. We send no
          e-mail, and guests have no list of orders. Whoever has the address can read the order.{" "}
        </>
      )}
      <button
        type="button"
        class="link"
        onClick={() =>
          navigator.clipboard.writeText(location.href).then(
            () => setCopied(true),
            () => {},
          )
        }
      >
        Copy the address
      </button>{" "}
      <span role="status">{copied && "Copied."}</span>
    </p>
  );
}
