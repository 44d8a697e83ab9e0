import { date, shop, type Order } from "../api.js";
import { useLoad } from "../load.js";
import { AccountTabs, ForAccount } from "../parts/account.js";
import { Loaded, Missing } from "../parts/failure.js";
import { OrderDetails } from "../parts/order.js";
import { Beyond, Pager } from "../parts/pager.js";
import { Paid } from "../parts/price.js";
import { OrderStatus } from "../parts/status.js";
import { href } from "../router.js";
import { useTitle } from "../title.js";

export function OrdersView({ query }: { query: URLSearchParams }) {
  useTitle("Orders");
  const page = Number(query.get("page") ?? 1);
  return (
    <ForAccount>
      {() => (
        <>
          <h1 tabIndex={-1}>Orders</h1>
          <AccountTabs here="orders" />
          <OrderRows page={page} />
        </>
      )}
    </ForAccount>
  );
}

const ordersPage = (page: number) => href(["orders"], new URLSearchParams({ page: String(page) }));

function OrderRows({ page }: { page: number }) {
  const orders = useLoad((signal) => shop.get("/v1/api/commerce/orders", { query: { page, per_page: 10 }, signal }), [page]);
  return (
    <Loaded from={orders} outline={<span class="line" />}>
      {({ data, meta }) =>
        data.length === 0 && meta.total > 0 ? (
          <Beyond page={meta.current_page} last={meta.last_page} href={ordersPage} />
        ) : data.length === 0 ? (
          <div class="empty">
            <p>
              No order yet. <a href="#/products">Look around</a>.
            </p>
          </div>
        ) : (
          <>
            <ul class="rows">
              {data.map((one) => (
                <li>
                  <a class="row" href={href(["orders", one.id])}>
                    <b>Order {one.number}</b>
                    <span>{date(one.placed_at)}</span>
                    <span>{one.lines_count === 1 ? "1 line" : `${one.lines_count} lines`}</span>
                    <span class={`state state-${one.status}`}>{states[one.status] ?? one.status}</span>
                    <Paid of={one.totals.total} />
                  </a>
                </li>
              ))}
            </ul>
            <Pager current={meta.current_page} last={meta.last_page} href={ordersPage} />
          </>
        )
      }
    </Loaded>
  );
}

const states: Record<string, string> = { placed: "placed", cancelled: "cancelled", completed: "completed" } satisfies Record<
  Order["status"] | "cancelled" | "completed",
  string
>;

export function OrderView({ id }: { id: string }) {
  return <ForAccount>{() => <OneOrder id={id} />}</ForAccount>;
}

function OneOrder({ id }: { id: string }) {
  const order = useLoad((signal) => shop.get("/v1/api/commerce/orders/{id}", { path: { id }, signal }), [id]);
  useTitle(order.body ? `Order ${order.body.number}` : "Order");
  return (
    <>
      <AccountTabs here="orders" />
      <Loaded
        from={order}
        outline={<span class="line title" />}
        missing={
          <Missing title="This order is not yours">
            <p>
              <a href="#/orders">See your orders</a>.
            </p>
          </Missing>
        }
      >
        {(body) => (
          <>
            <h1 tabIndex={-1}>Order {body.number}</h1>
            <OrderStatus
              of={body}
              pay={`/payment#${id}`}
              requests={{
                cancel: (idempotencyKey) => shop.post("/v1/api/commerce/orders/{id}/cancel", { path: { id }, idempotencyKey }),
                copy: (query, idempotencyKey) => shop.post("/v1/api/commerce/orders/{id}/copy", { path: { id }, query, idempotencyKey }),
              }}
              again={order.again}
            />
            <OrderDetails of={body} />
          </>
        )}
      </Loaded>
    </>
  );
}
