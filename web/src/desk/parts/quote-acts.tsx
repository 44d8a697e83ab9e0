import { useState } from "preact/hooks";
import { money } from "../../shared/formats.js";
import { FailureNotice } from "../../shared/failure.js";
import { Field, Select, text } from "../../shared/form.js";
import { useAction, useLoad } from "../../shared/load.js";
import { go, href } from "../../shared/router.js";
import { t } from "../../shared/t.js";
import { expectedTotal, quoteTotal, type QuoteWrite, type StoreQuote } from "../quotes.js";
import { useChange, type Record } from "../record.js";
import type { Saving } from "../saving.js";
import { api, can } from "../session.js";
import { Ask } from "./ask.js";

interface Act {
  quote: StoreQuote;
  record: Record<StoreQuote>;
  saving: Saving<QuoteWrite>;
  close: () => void;
}

/** What can be done with a quote: each is asked a second time. */
export function QuoteActs({ quote, record, saving }: Omit<Act, "close">) {
  const [asked, ask] = useState<"offer" | "withdraw" | "accept" | "drop" | null>(null);
  const close = () => ask(null);
  const manages = can("sales:manage");
  const { draft, status, version } = quote;
  const final = status === "accepted";
  const act = { quote, record, saving, close };
  const begin = useChange<QuoteWrite, StoreQuote>(record, (body, ifMatch, key) =>
    api.patch("/v1/api/quotes/{id}", { path: { id: quote.id }, body, ifMatch, ...(key !== undefined && { idempotencyKey: key }) }),
  );
  return (
    <div class="acts">
      {manages && draft && (
        <button
          type="button"
          class="button"
          aria-disabled={!draft.ready}
          onClick={() => draft.ready && void saving.flush().then((all) => all && ask("offer"))}
        >
          {version === 0 ? t.quote.offer : t.quote.offerAgain(version + 1)}
        </button>
      )}
      {manages && !draft && !final && (
        <button type="button" class="button" aria-disabled={begin.busy} data-busy={begin.busy} onClick={() => void begin.run({})}>
          {t.quote.change}
        </button>
      )}
      {status === "offered" && can("sales:write") && (
        <button type="button" class="button button-quiet" onClick={() => ask("accept")}>
          {t.quote.byPhone}
        </button>
      )}
      {manages && (status === "offered" || (status === "draft" && quote.quote_reasons.length + (quote.cart_id === null ? 0 : 1) > 0)) && (
        <button type="button" class="button button-quiet" onClick={() => ask("withdraw")}>
          {t.quote.withdraw}
        </button>
      )}
      {manages && draft && (
        <button type="button" class="button button-quiet" onClick={() => ask("drop")}>
          {t.quote.drop}
        </button>
      )}
      <FailureNotice failure={begin.failure} again={begin.again} busy={begin.busy} />
      {asked === "offer" && draft && <Offer {...act} />}
      {asked === "withdraw" && <Withdraw {...act} />}
      {asked === "accept" && <Accept {...act} />}
      {asked === "drop" && <Drop {...act} />}
    </div>
  );
}

function Offer({ quote, record, close }: Act) {
  const { id, draft, version } = quote;
  const offer = useChange<FormData, StoreQuote>(
    record,
    (_, ifMatch, key) =>
      api.post("/v1/api/quotes/{id}/offer", {
        path: { id },
        body: { expected_total_amount: expectedTotal(draft!) },
        ifMatch,
        ...(key !== undefined && { idempotencyKey: key }),
      }),
    close,
  );
  return (
    <Ask title={t.quote.offer} yes={t.quote.yesOffer(money(quoteTotal(quote)))} action={offer} close={close}>
      <p>{version === 0 ? t.quote.offerWhy : t.quote.offerNext(version, version + 1)}</p>
      {draft?.offer_message && <blockquote>{draft.offer_message}</blockquote>}
    </Ask>
  );
}

function Withdraw({ quote, record, close }: Act) {
  const { id } = quote;
  const withdraw = useChange<FormData, StoreQuote>(
    record,
    (data, ifMatch, key) =>
      api.post("/v1/api/quotes/{id}/withdraw", {
        path: { id },
        body: { reason: text(data, "reason") },
        ifMatch,
        ...(key !== undefined && { idempotencyKey: key }),
      }),
    close,
  );
  return (
    <Ask title={t.quote.withdraw} yes={t.quote.yesWithdraw} action={withdraw} values={["reason"]} danger close={close}>
      <p>{t.quote.withdrawWhy}</p>
      <Field name="reason" label={t.quote.reasonShown} optional multiline maxLength={1000} />
    </Ask>
  );
}

function Drop({ quote, record, saving, close }: Act) {
  const drop = useAction(
    (_: FormData, key) =>
      api.delete("/v1/api/quotes/{id}/draft", {
        path: { id: quote.id },
        ifMatch: record.etag,
        ...(key !== undefined && { idempotencyKey: key }),
      }),
    () => {
      saving.drop();
      close();
      if (quote.version === 0) go(href(["quotes"]));
      else record.refresh();
    },
  );
  return (
    <Ask title={t.quote.drop} yes={t.quote.yesDrop} action={drop} danger close={close}>
      <p>{quote.version === 0 ? t.quote.dropWhole : t.quote.dropDraft}</p>
    </Ask>
  );
}

/** The customer says yes by phone: the merchant accepts in the customer's name, as the link would. */
function Accept({ quote, record, close }: Act) {
  const token = quote.token!;
  const fixed = quote.shipping !== null;
  const methods = useLoad(
    (signal) => api.get("/v1/api/sales/quotes/by-token/{token}/shipping-methods", { path: { token }, signal }),
    [token],
  );
  const choices = fixed ? [] : (methods.body?.data ?? []);
  const accept = useAction(
    (data: FormData, key) => {
      const address = {
        name: text(data, "name") ?? "",
        street: text(data, "street") ?? "",
        postal_code: text(data, "postal_code") ?? "",
        city: text(data, "city") ?? "",
        country: text(data, "country") ?? "",
      };
      const method = text(data, "shipping_method_id");
      return api.post("/v1/api/sales/quotes/by-token/{token}/accept", {
        path: { token },
        body: {
          version: quote.version,
          ...(data.has("name") && { shipping_address: address }),
          ...(method !== null && { shipping_method_id: method }),
          ...(text(data, "signer_name") !== null && { signer_name: text(data, "signer_name") }),
        },
        ...(key !== undefined && { idempotencyKey: key }),
      });
    },
    () => {
      close();
      record.refresh();
    },
  );
  return (
    <Ask title={t.quote.byPhone} yes={t.quote.yesAccept(money(quoteTotal(quote)))} action={accept} close={close}>
      <p>{quote.acceptance_mode === "signature" ? t.quote.signature : t.quote.acceptWhy}</p>
      {choices.length > 0 && (
        <Select
          name="shipping_method_id"
          label={t.order.delivery}
          value={choices[0]!.id}
          options={choices.map((one): [string, string] => [one.id, `${one.name}, ${money(one.price)}`])}
        />
      )}
      {(fixed || choices.length > 0) && (
        <>
          <Field name="name" label={t.quote.name} value={quote.name} maxLength={150} />
          <Field name="street" label={t.quote.street} maxLength={255} />
          <Field name="postal_code" label={t.quote.postalCode} maxLength={20} />
          <Field name="city" label={t.quote.city} maxLength={100} />
          <Field name="country" label={t.quote.country} value={quote.tax_country} maxLength={2} />
        </>
      )}
    </Ask>
  );
}
