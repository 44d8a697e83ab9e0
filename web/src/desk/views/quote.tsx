import { useState } from "preact/hooks";
import { money } from "../../shared/formats.js";
import { FailureNotice, Loaded, Missing } from "../../shared/failure.js";
import { useLoad } from "../../shared/load.js";
import { t } from "../../shared/t.js";
import { listEntries } from "../entries.js";
import { Changed } from "../parts/changed.js";
import { LiveAmount, LiveText } from "../parts/live-fields.js";
import { QuoteActs } from "../parts/quote-acts.js";
import { QuoteLines, Terms, written } from "../parts/quote-lines.js";
import { Sums } from "../parts/sums.js";
import { quoteFacts, quoteFor, quoteState, quoteTotal, type Draft, type QuoteWrite, type StoreQuote } from "../quotes.js";
import { useRecord, type Record } from "../record.js";
import { useSaving, type Saving } from "../saving.js";
import { api, can } from "../session.js";
import { fieldTime, timeOf, when } from "../times.js";
import { useTitle } from "../title.js";
import { me } from "../session.js";

export function QuoteView({ id }: { id: string }) {
  useTitle(t.quote.title);
  const record = useRecord<StoreQuote>((signal) => api.get("/v1/api/quotes/{id}", { path: { id }, signal }), [id]);
  const saving = useSaving<StoreQuote, QuoteWrite>(record, (body, ifMatch, key) =>
    api.patch("/v1/api/quotes/{id}", { path: { id }, body, ifMatch, ...(key !== undefined && { idempotencyKey: key }) }),
  );
  return (
    <Loaded
      from={record}
      outline={<span class="line title" />}
      missing={
        <Missing title={t.quote.missing}>
          <p>
            <a href="#/quotes">{t.quote.toQuotes}</a>
          </p>
        </Missing>
      }
    >
      {(quote) => {
        const [word, mark] = quoteState(quote);
        return (
          <article class="record">
            <div class="head">
              <div>
                <p class="crumb">
                  <a href="#/quotes">{t.places.quotes}</a>
                </p>
                <h1 tabIndex={-1}>
                  {quote.number === null ? t.quote.title : t.quote.number(quote.number)} <i class={`state state-${mark}`}>{word}</i>
                </h1>
                <p class="under">
                  {[
                    quoteFor(quote),
                    money(quoteTotal(quote)),
                    quote.version > 0 && t.quote.versionOf(quote.version),
                    quote.valid_until && t.quote.until(when(quote.valid_until)),
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                </p>
              </div>
              <QuoteActs quote={quote} record={record} saving={saving} />
            </div>
            <Conflict record={record} saving={saving} />
            {quote.change_request && (
              <div class="notice">
                <p>
                  <b>{t.quote.asksFor}</b> <time>{when(quote.change_request.at)}</time>
                </p>
                <p class="said">{quote.change_request.message}</p>
              </div>
            )}
            {quote.status === "declined" && quote.decline_reason && <p class="notice said">{quote.decline_reason}</p>}
            {quote.order_id && can("orders:read") && <OrderLink id={quote.order_id} />}
            <div class="split">
              <div>
                {quote.draft && can("sales:manage") ? (
                  <Editor draft={quote.draft} saving={saving} />
                ) : (
                  <>
                    <Terms lines={quote.lines} />
                    <Sums of={quote} exempt={quote.tax_exemption} />
                  </>
                )}
                <History of={quote} />
              </div>
              <Customer quote={quote} saving={saving} />
            </div>
          </article>
        );
      }}
    </Loaded>
  );
}

/** What another one has written, and what of one's own was not saved. */
function Conflict({ record, saving }: { record: Record<StoreQuote>; saving: Saving<QuoteWrite> }) {
  return (
    <>
      <Changed record={record} facts={quoteFacts} />
      {saving.state === "conflict" ? (
        <div class="notice notice-failure" role="alert">
          <p>{t.quote.notSaved}</p>
          <p class="notice-actions">
            <button
              type="button"
              class="button button-quiet"
              onClick={() => {
                saving.drop();
                record.seen();
              }}
            >
              {t.quote.keepTheirs}
            </button>
            <button
              type="button"
              class="button button-quiet"
              onClick={() => {
                record.seen();
                saving.again();
              }}
            >
              {t.quote.writeMine}
            </button>
          </p>
        </div>
      ) : (
        <FailureNotice failure={saving.failure} again={saving.again} busy={saving.state === "saving"} />
      )}
    </>
  );
}

function OrderLink({ id }: { id: string }) {
  const order = useLoad((signal) => api.get("/v1/api/orders/{id}", { path: { id }, signal }), [id]);
  if (!order.body) return null;
  return (
    <p>
      <a href={`#/orders/${order.body.number}`}>{t.order.title(String(order.body.number))}</a>
    </p>
  );
}

function Editor({ draft, saving }: { draft: Draft; saving: Saving<QuoteWrite> }) {
  const { pending, write } = saving;
  const lists = useLoad((signal) => listEntries("tax_rates", "", null, signal), []);
  const taxes = (lists.body?.rows ?? []).map((one) => one.code);
  const lines = pending.lines ?? draft.lines.map(written);
  const discount = pending.discount === undefined ? draft.discount : pending.discount;
  const shipping = pending.shipping === undefined ? draft.shipping : pending.shipping;
  return (
    <div class="editor">
      <p class="saving" role="status">
        {t.quote.saving[saving.state]}
      </p>
      <QuoteLines draft={draft} lines={lines} taxes={taxes} write={(next) => write({ lines: next })} />
      <div class="editor-sums">
        <div class="form">
          <Off discount={discount} write={(next) => write({ discount: next })} />
          <Delivery shipping={shipping} taxes={taxes} write={(next) => write({ shipping: next })} />
        </div>
        <div>
          <Sums
            of={{ ...draft, lines: draft.lines.map((line) => ({ ...line, unit_price_amount: line.unit_price.amount })) }}
            exempt={draft.tax_exemption}
          />
          {draft.order_total && (
            <dl class="sums">
              <div class="sums-total">
                <dt>{t.quote.withDelivery}</dt>
                <dd>{money(draft.order_total)}</dd>
              </div>
            </dl>
          )}
          {draft.missing.length > 0 && <p class="errors">{t.quote.missingFields(draft.missing.map(missingName).join(", "))}</p>}
        </div>
      </div>
      <div class="form">
        <LiveText
          label={t.quote.message}
          multiline
          maxLength={2000}
          value={pending.offer_message === undefined ? draft.offer_message : pending.offer_message}
          onChange={(offer_message) => write({ offer_message })}
        />
        <div class="pair">
          <div class="field">
            <label for="valid">{t.quote.validUntil}</label>
            <input
              id="valid"
              type="datetime-local"
              value={fieldTime(pending.valid_until === undefined ? draft.valid_until : pending.valid_until)}
              onChange={(event) => write({ valid_until: timeOf(event.currentTarget.value) })}
            />
          </div>
          <div class="field">
            <label for="mode">{t.quote.mode}</label>
            <select
              id="mode"
              value={(pending.acceptance_mode === undefined ? draft.acceptance_mode : pending.acceptance_mode) ?? ""}
              onChange={(event) =>
                write({ acceptance_mode: (event.currentTarget.value || null) as QuoteWrite["acceptance_mode"] & string })
              }
            >
              <option value="">{t.quote.modeStore}</option>
              <option value="click">{t.quote.modeClick}</option>
              <option value="signature">{t.quote.modeSignature}</option>
            </select>
          </div>
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={pending.hold_stock ?? draft.hold_stock}
            onChange={(event) => write({ hold_stock: event.currentTarget.checked })}
          />
          <span>{t.quote.hold}</span>
        </label>
      </div>
    </div>
  );
}

/** The name of a field that an offer lacks. */
function missingName(path: string): string {
  if (path === "email") return t.order.email;
  if (path === "valid_until") return t.quote.validUntil;
  if (path === "lines") return t.order.lines;
  const line = /^lines\.(\d+)\./.exec(path)?.[1];
  return line === undefined ? path : t.quote.priceOfLine(Number(line) + 1);
}

/** The discount off the whole: per cent or an amount. */
function Off({ discount, write }: { discount: QuoteWrite["discount"]; write: (next: QuoteWrite["discount"]) => void }) {
  const [kind, setKind] = useState<"percent" | "amount">(discount?.amount == null ? "percent" : "amount");
  const name = discount?.name ?? null;
  return (
    <fieldset class="inline">
      <legend>{t.quote.discount}</legend>
      <select
        aria-label={t.quote.discountKind}
        value={kind}
        onChange={(event) => {
          setKind(event.currentTarget.value as typeof kind);
          if (discount) write(null);
        }}
      >
        <option value="percent">%</option>
        <option value="amount">{t.ask.amount}</option>
      </select>
      {kind === "percent" ? (
        <input
          key="percent"
          inputMode="decimal"
          autocomplete="off"
          aria-label={t.quote.percent}
          defaultValue={discount?.percent ?? ""}
          onInput={(event) => {
            const typed = event.currentTarget.value.trim().replace(",", ".");
            if (typed === "") write(null);
            else if (/^\d{1,3}(\.\d{1,9})?$/.test(typed)) write({ name, percent: typed });
          }}
        />
      ) : (
        <LiveAmount
          label={t.quote.discount}
          value={discount?.amount ?? null}
          empty
          onChange={(amount) => write(amount === null ? null : { name, amount })}
        />
      )}
      <input
        autocomplete="off"
        aria-label={t.quote.discountName}
        placeholder={t.quote.discountName}
        maxLength={100}
        disabled={!discount}
        value={name ?? ""}
        onInput={(event) => {
          const next = event.currentTarget.value || null;
          if (discount?.percent != null) write({ name: next, percent: discount.percent });
          else if (discount?.amount != null) write({ name: next, amount: discount.amount });
        }}
      />
    </fieldset>
  );
}

/** The delivery: the customer's choice on that day, or one at a fixed price. */
function Delivery({
  shipping,
  taxes,
  write,
}: {
  shipping: QuoteWrite["shipping"];
  taxes: string[];
  write: (next: QuoteWrite["shipping"]) => void;
}) {
  const methods = useLoad((signal) => listEntries("shipping_methods", "", null, signal), []);
  const all = methods.body?.rows ?? [];
  return (
    <fieldset class="inline">
      <legend>{t.order.delivery}</legend>
      <select
        aria-label={t.quote.deliveryKind}
        value={shipping ? (shipping.shipping_method_id ?? "own") : ""}
        onChange={(event) => {
          const id = event.currentTarget.value;
          const method = all.find((one) => one.id === id);
          if (id === "") write(null);
          else if (method) write({ shipping_method_id: id });
          else write({ name: t.order.delivery, price_amount: 0, tax: taxes[0] ?? null });
        }}
      >
        <option value="">{t.quote.customerChooses}</option>
        {all.map((one) => (
          <option value={one.id}>{one.name}</option>
        ))}
        <option value="own">{t.quote.ownDelivery}</option>
      </select>
      {shipping && (
        <>
          <input
            autocomplete="off"
            aria-label={t.quote.deliveryName}
            maxLength={150}
            value={shipping.name ?? ""}
            onInput={(event) =>
              event.currentTarget.value.trim() !== "" && write({ ...shippingWrite(shipping), name: event.currentTarget.value })
            }
          />
          <LiveAmount
            label={t.quote.deliveryPrice}
            value={shipping.price_amount ?? null}
            onChange={(price_amount) => write({ ...shippingWrite(shipping), price_amount })}
          />
        </>
      )}
    </fieldset>
  );
}

/** The members of a delivery that are sent. */
const shippingWrite = ({ name, price_amount, tax, shipping_method_id }: NonNullable<QuoteWrite["shipping"]>) => ({
  name: name ?? null,
  price_amount: price_amount ?? null,
  tax: tax ?? null,
  shipping_method_id: shipping_method_id ?? null,
});

function Customer({ quote, saving }: { quote: StoreQuote; saving: Saving<QuoteWrite> }) {
  const { pending, write } = saving;
  const final = quote.status === "accepted" || !can("sales:manage");
  const value = <K extends "email" | "name" | "company_name" | "phone" | "reference" | "internal_note">(name: K): string | null =>
    (pending[name] === undefined ? quote[name] : pending[name]) ?? null;
  return (
    <aside class="who-for form" aria-label={t.order.whoFor}>
      <h2>{quoteFor(quote)}</h2>
      {final ? (
        <p class="said">{[quote.name, quote.company_name, quote.email, quote.phone].filter(Boolean).join("\n")}</p>
      ) : (
        <>
          <LiveText label={t.order.email} mode="email" maxLength={255} value={value("email")} onChange={(email) => write({ email })} />
          <LiveText label={t.quote.name} maxLength={150} value={value("name")} onChange={(name) => write({ name })} />
          <LiveText
            label={t.quote.company}
            maxLength={255}
            value={value("company_name")}
            onChange={(company_name) => write({ company_name })}
          />
          <LiveText label={t.customer.phone} mode="tel" maxLength={50} value={value("phone")} onChange={(phone) => write({ phone })} />
          <LiveText label={t.order.reference} maxLength={100} value={value("reference")} onChange={(reference) => write({ reference })} />
          <LiveText
            label={t.quote.note}
            multiline
            maxLength={2000}
            value={value("internal_note")}
            onChange={(internal_note) => write({ internal_note })}
          />
        </>
      )}
      {quote.customer_id && can("store:read", "sales:manage") && (
        <p>
          <a href={`#/customers/${quote.customer_id}`}>{t.quote.account}</a>
        </p>
      )}
      {quote.message && (
        <div>
          <h3>{t.quote.asked}</h3>
          <p class="said">{quote.message}</p>
        </div>
      )}
      {quote.token && <Link token={quote.token} />}
    </aside>
  );
}

/** The link for the customer. The demo's shop shows quotes at this address; other shops have one of their own. */
function Link({ token }: { token: string }) {
  const at = `${location.origin}/#/quote/${token}`;
  return (
    <div class="field">
      <label for="link">{t.quote.link}</label>
      <input id="link" readOnly value={at} onFocus={(event) => event.currentTarget.select()} />
      <p class="hint">{t.quote.linkWhy(me.get()?.store.name ?? "")}</p>
    </div>
  );
}

function History({ of }: { of: StoreQuote }) {
  if (of.history.length === 0) return null;
  return (
    <section class="block">
      <h2>{t.quote.history}</h2>
      <ul class="events">
        {of.history.map((one) => (
          <li>
            <b>{t.quote.events[one.event] ?? one.event}</b> <time>{when(one.at)}</time>
            <p class="hint">
              {[
                one.by,
                one.version > 0 && t.quote.versionOf(one.version),
                one.total_amount !== null && money({ amount: one.total_amount, currency: of.currency }),
              ]
                .filter(Boolean)
                .join(" · ")}
            </p>
            {one.text && <p class="said">{one.text}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
