import type { Result } from "cartd-client";
import { money, quantity } from "../../shared/formats.js";
import { Loaded, Missing } from "../../shared/failure.js";
import { t } from "../../shared/t.js";
import { actsOf, leftToShip, nameOf, orderFacts, partPieces, partTitle, paymentOf, stateOf } from "../orders.js";
import { Changed } from "../parts/changed.js";
import { OrderActs } from "../parts/order-acts.js";
import { Sums } from "../parts/sums.js";
import { useRecord } from "../record.js";
import { api } from "../session.js";
import { when } from "../times.js";
import { useTitle } from "../title.js";
import type { Address, Order, OrderLine } from "../types.js";
import { cents } from "../../shared/formats.js";

export function OrderView({ number }: { number: string }) {
  useTitle(t.order.title(number));
  const record = useRecord((signal) => read(number, signal), [number]);
  return (
    <Loaded
      from={record}
      outline={<span class="line title" />}
      missing={
        <Missing title={t.order.missing(number)}>
          <p>
            <a href="#/orders">{t.order.toOrders}</a>
          </p>
        </Missing>
      }
    >
      {(order) => (
        <article class="record">
          <div class="head">
            <div>
              <p class="crumb">
                <a href="#/orders">{t.places.orders}</a>
              </p>
              <h1 tabIndex={-1}>
                {t.order.title(String(order.number))} <State of={order} />
              </h1>
              <p class="under">
                {when(order.placed_at)} · {paymentOf(order)}
                {order.archived_at !== undefined && ` · ${t.order.archived(when(order.archived_at))}`}
              </p>
            </div>
            <OrderActs record={record} order={order} />
          </div>
          <Changed record={record} facts={orderFacts} />
          <div class="split">
            <div>
              <Lines of={order} />
              <Sums of={order} exempt={order.tax_exemption} />
              <Parts of={order} />
            </div>
            <Who of={order} />
          </div>
        </article>
      )}
    </Loaded>
  );
}

/** Reads an order by its number, with the version of its record. */
async function read(number: string, signal: AbortSignal): Promise<Result<Order>> {
  const asked = Number(number);
  const found = await api.get("/v1/api/orders", { query: { number: Number.isSafeInteger(asked) ? Math.max(1, asked) : 1 }, signal });
  if (!found.ok) return found;
  const id = found.body.data.find((one) => String(one.number) === number)?.id ?? "00000000-0000-0000-0000-000000000000"; // which is 404
  return api.get("/v1/api/orders/{id}", { path: { id }, signal });
}

function State({ of }: { of: Order }) {
  const [word, mark] = stateOf(of);
  return <i class={`state state-${mark}`}>{word}</i>;
}

function Lines({ of }: { of: Order }) {
  if (of.lines.length === 0) return null;
  const parted = of.lines.some((one) => one.shipped_quantity + one.cancelled_quantity + one.returned_quantity + one.refunded_quantity > 0);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t.order.lines}>
      <table class="lines">
        <thead>
          <tr>
            <th scope="col">{t.order.product}</th>
            <th scope="col" class="number">
              {t.order.quantity}
            </th>
            <th scope="col" class="number">
              {t.order.unitPrice}
            </th>
            <th scope="col" class="number">
              {t.order.lineTotal}
            </th>
          </tr>
        </thead>
        <tbody>
          {of.lines.map((line) => (
            <tr>
              <td>
                <span class="name">{line.name}</span>
                <small>{[line.variant_name, line.sku, ...textsOf(line)].filter(Boolean).join(" · ")}</small>
                {parted && <small class="stands">{standsOf(line, actsOf(of).ship)}</small>}
              </td>
              <td class="number">{quantity(line.quantity, line.unit)}</td>
              <td class="number">{money(line.unit_price)}</td>
              <td class="number">{money(line.line_total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The texts and measures of a line, as its shopper wrote and chose them. */
export function textsOf({
  properties,
  property_labels,
  attributes,
}: Pick<OrderLine, "properties" | "property_labels" | "attributes">): string[] {
  const texts = Object.entries(properties ?? {}).map(([key, value]) => `${property_labels?.[key] ?? key}: ${value}`);
  const configuration = attributes?.configuration;
  const measures = Object.values(configuration?.dimensions ?? {}).join(" × ");
  const choices = (configuration?.breakdown ?? []).map((one) => one.label);
  return [measures && `${measures} mm`, ...choices, ...texts].filter(Boolean);
}

/** What has become of the pieces of a line. */
function standsOf(line: OrderLine, waits: boolean): string {
  const { unit } = line;
  const rows: [number, (n: string) => string][] = [
    [line.shipped_quantity, t.order.didShip],
    [line.cancelled_quantity, t.order.didCancel],
    [line.returned_quantity, t.order.didReturn],
    [line.refunded_quantity, t.order.didRefund],
    [waits ? leftToShip(line) : 0, t.order.waits],
  ];
  return rows.flatMap(([n, say]) => (n > 0 ? [say(quantity(n, unit))] : [])).join(" · ");
}

function Parts({ of }: { of: Order }) {
  if (of.parts.length === 0 && of.cancelled_at === null) return null;
  return (
    <section class="block">
      <h2>{t.order.happened}</h2>
      <ul class="events">
        {of.parts.map((part) => (
          <li>
            <b>{partTitle(part)}</b> <time>{when(part.at)}</time>
            {part.amount !== null && <b class="number">{cents(part.amount)}</b>}
            <p>
              {[partPieces(of, part), part.carrier, part.tracking_number, part.reason, part.reference].filter(Boolean).join(" · ")}
              {part.tracking_url?.startsWith("https://") && (
                <>
                  {" "}
                  <a href={part.tracking_url} target="_blank" rel="noopener noreferrer">
                    {t.order.track}
                  </a>
                </>
              )}
            </p>
            {part.restocked && <p class="hint">{t.order.restocked}</p>}
          </li>
        ))}
        {of.cancelled_at !== null && (
          <li>
            <b>{t.order.cancelled}</b> <time>{when(of.cancelled_at)}</time>
            <p>{[reasonOf(of), of.restocked && t.order.restocked].filter(Boolean).join(" · ")}</p>
          </li>
        )}
      </ul>
    </section>
  );
}

function reasonOf({ cancel_reason }: Order): string | null {
  if (cancel_reason === "unpaid") return t.order.endedUnpaid;
  if (cancel_reason === "customer") return t.order.endedByCustomer;
  return cancel_reason;
}

/** For whom an order is, and where it goes. */
function Who({ of }: { of: Order }) {
  const same = JSON.stringify(of.shipping_address) === JSON.stringify(of.billing_address);
  const rows: [string, string | null][] = [
    [t.order.email, of.email],
    [t.order.reference, of.reference],
    [t.order.vatId, of.vat_id],
    [t.order.note, of.customer_note],
  ];
  return (
    <aside class="who-for" aria-label={t.order.whoFor}>
      <h2>{nameOf(of)}</h2>
      <dl>
        {rows.map(([name, value]) => value && <Pair name={name}>{value}</Pair>)}
        {of.shipping_method && <Pair name={t.order.delivery}>{of.shipping_method.name}</Pair>}
        {of.shipping_address && <Pair name={same ? t.order.bothAddresses : t.order.shipTo}>{addressOf(of.shipping_address)}</Pair>}
        {of.billing_address && !same && <Pair name={t.order.billTo}>{addressOf(of.billing_address)}</Pair>}
        {Object.entries(of.metadata ?? {}).map(([name, value]) => (
          <Pair name={name}>{String(value)}</Pair>
        ))}
      </dl>
    </aside>
  );
}

function Pair({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const addressOf = (of: Address): string =>
  [of.company, of.name, of.street, `${of.postal_code} ${of.city}`, of.region, of.country, of.phone].filter((one) => one?.trim()).join("\n");
