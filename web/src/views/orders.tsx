import type { components } from "cartd-client";
import { shop } from "../api.js";
import { date } from "../shared/formats.js";
import { useLoad } from "../shared/load.js";
import { AccountTabs, ForAccount } from "../parts/account.js";
import { Loaded, Missing } from "../shared/failure.js";
import { OrderDetails } from "../parts/order.js";
import { Beyond, Pager } from "../shared/pager.js";
import { Paid } from "../parts/price.js";
import { OrderStatus } from "../parts/status.js";
import { href } from "../shared/router.js";
import { moment } from "../time.js";
import { useTitle } from "../title.js";
import { Linked } from "../shared/linked.js";
import { t } from "../shared/t.js";

export function OrdersView({ query }: { query: URLSearchParams }) {
  useTitle(t.account.orders);
  const page = Number(query.get("page") ?? 1);
  return (
    <ForAccount>
      {() => (
        <>
          <h1 tabIndex={-1}>{t.account.orders}</h1>
          <AccountTabs here="orders" />
          <OrderRows page={page} />
        </>
      )}
    </ForAccount>
  );
}

type Row = components["schemas"]["OrderRow"];

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
              <Linked text={t.account.noOrder} to="#/products" />
            </p>
          </div>
        ) : (
          <>
            <ul class="rows">
              {data.map((one) => (
                <li>
                  <a class="row" href={href(["orders", one.id])}>
                    <b>{t.order.number(one.number)}</b>
                    <span>{date(one.placed_at)}</span>
                    <span>{t.account.lines(one.lines_count)}</span>
                    <State of={one} />
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

/** Where an order stands: above all, whether it is still to be paid, and until when. */
function State({ of: { status, payment, fulfilment } }: { of: Row }) {
  const due = status === "placed" && payment.status === "due";
  const words: Record<string, string> = {
    placed: { none: t.order.placed, partial: t.order.partlyShipped, shipped: t.order.shipped }[fulfilment],
    cancelled: t.order.cancelled,
    completed: t.order.completed,
  };
  if (!due) return <span class={`state state-${status}`}>{words[status] ?? status}</span>;
  return <span class="state state-due">{payment.due_at === null ? t.order.unpaid : t.order.unpaidUntil(moment(payment.due_at))}</span>;
}

export function OrderView({ id }: { id: string }) {
  useTitle(t.order.title);
  return <ForAccount>{() => <OneOrder id={id} />}</ForAccount>;
}

function OneOrder({ id }: { id: string }) {
  const order = useLoad((signal) => shop.get("/v1/api/commerce/orders/{id}", { path: { id }, signal }), [id]);
  useTitle(order.body ? t.order.number(order.body.number) : t.order.title);
  return (
    <>
      <AccountTabs here="orders" />
      <Loaded
        from={order}
        outline={<span class="line title" />}
        missing={
          <Missing title={t.order.notYours}>
            <p>
              <Linked text={t.order.seeYours} to="#/orders" />
            </p>
          </Missing>
        }
      >
        {(body) => (
          <>
            <h1 tabIndex={-1}>{t.order.number(body.number)}</h1>
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
