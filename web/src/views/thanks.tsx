import { useState } from "preact/hooks";
import { shop } from "../api.js";
import { known, useLoad } from "../shared/load.js";
import { Loaded, Missing } from "../shared/failure.js";
import { OrderDetails } from "../parts/order.js";
import { OrderStatus } from "../parts/status.js";
import { lastOrder } from "../last-order.js";
import { account } from "../session.js";
import { useStore } from "../shared/store.js";
import { useTitle } from "../title.js";
import { Linked } from "../shared/linked.js";
import { t } from "../shared/t.js";

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
  useTitle(order.body ? t.order.number(order.body.number) : t.order.title);
  return (
    <Loaded
      from={order}
      outline={<span class="line title" />}
      missing={
        <Missing title={t.order.none}>
          <p>
            <Linked text={t.order.noneWhy} to="#/" />
          </p>
        </Missing>
      }
    >
      {(body) => (
        <>
          <h1 tabIndex={-1}>{body.status === "cancelled" ? t.order.number(body.number) : t.order.thanks(body.number)}</h1>
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
          <Linked text={t.order.again} to="#/orders" />{" "}
        </>
      ) : (
        <>
          <b>{t.order.keepAddress}</b>
          {t.order.keepWhy}{" "}
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
        {t.order.copy}
      </button>{" "}
      <span role="status">{copied && t.order.copied}</span>
    </p>
  );
}
