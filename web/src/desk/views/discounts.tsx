import { useState } from "preact/hooks";
import { FailureNotice, Loaded, Missing } from "../../shared/failure.js";
import { useAction } from "../../shared/load.js";
import { href } from "../../shared/router.js";
import { makeStore, useStore } from "../../shared/store.js";
import { t } from "../../shared/t.js";
import { parseQuantity } from "../amounts.js";
import { changeDiscount, discountFacts, isActive, listEntries, readEntry, valueOf, type DiscountEntry } from "../entries.js";
import { Ask } from "../parts/ask.js";
import { Changed } from "../parts/changed.js";
import { Facts } from "../parts/facts.js";
import { RowList, Search, useRows } from "../parts/rows.js";
import { useChange, useRecord } from "../record.js";
import { Uses } from "../parts/uses.js";
import { api, can } from "../session.js";
import { useTitle } from "../title.js";
import { when } from "../times.js";

const searched = makeStore("");

export function DiscountsView() {
  useTitle(t.places.discounts);
  const q = useStore(searched);
  const rows = useRows((after: string | null, signal) => listEntries("discounts", q, after, signal), [q]);
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1}>{t.places.discounts}</h1>
        <Search label={t.discounts.search} hint={t.discounts.searchHint} value={q} onSearch={searched.set} />
      </div>
      <RowList of={rows} kind="discounts" heads={t.discounts.heads} none={<p>{q ? t.discounts.noneFound : t.discounts.none}</p>}>
        {(one) => (
          <a class="row cells-discounts" href={href(["discounts", one.id])}>
            <b class="cut">{one.name}</b>
            <span class="cut cell-soft">{one.code ?? one.code_batches?.map(({ prefix }) => `${prefix}-…`).join(", ")}</span>
            <span class="cell-soft">{t.discount.kinds[one.kind]}</span>
            <span>{stateOf(one)}</span>
            <span class="number">{valueOf(one)}</span>
          </a>
        )}
      </RowList>
    </>
  );
}

/** Whether a discount counts now. */
function stateOf(of: DiscountEntry) {
  const now = Date.now();
  if (!isActive(of)) return <i class="state state-off">{t.discount.off}</i>;
  if (of.ends_at && Date.parse(of.ends_at) <= now) return <i class="state state-off">{t.discount.over}</i>;
  if (of.starts_at && Date.parse(of.starts_at) > now) return <i class="state state-open">{t.discount.later}</i>;
  return <i class="state state-done">{t.discount.on}</i>;
}

export function DiscountView({ id }: { id: string }) {
  useTitle(t.discount.title);
  const record = useRecord((signal) => readEntry("discounts", id, signal), [id]);
  const change = useChange<Partial<DiscountEntry>, DiscountEntry>(record, (members, ifMatch, key) =>
    changeDiscount(record.body!, members, ifMatch, key),
  );
  return (
    <Loaded
      from={record}
      outline={<span class="line title" />}
      missing={
        <Missing title={t.discount.missing}>
          <p>
            <a href="#/discounts">{t.discount.toDiscounts}</a>
          </p>
        </Missing>
      }
    >
      {(of) => (
        <article class="record">
          <div class="head">
            <div>
              <p class="crumb">
                <a href="#/discounts">{t.places.discounts}</a>
              </p>
              <h1 tabIndex={-1}>
                {of.name} {stateOf(of)}
              </h1>
            </div>
            {can("catalog:manage") && (
              <div class="acts">
                <button
                  type="button"
                  class={isActive(of) ? "button button-quiet" : "button"}
                  aria-disabled={change.busy}
                  data-busy={change.busy}
                  onClick={() => void change.run({ active: !isActive(of) })}
                >
                  {isActive(of) ? t.discount.turnOff : t.discount.turnOn}
                </button>
              </div>
            )}
          </div>
          <Changed record={record} facts={discountFacts} />
          <FailureNotice failure={change.failure} again={change.again} busy={change.busy} />
          <div class="split">
            <div>
              {can("store:read") && <Uses of={of} />}
              {(can("catalog:manage") ? (of.code_batches ?? []) : []).map((batch) => (
                <Codes key={batch.number} discount={of.id} batch={batch} />
              ))}
            </div>
            <Facts title={t.discount.what} rows={rowsOf(of)} />
          </div>
        </article>
      )}
    </Loaded>
  );
}

const rowsOf = (of: DiscountEntry): [string, string | null][] => [
  [t.discount.kind, t.discount.kinds[of.kind] ?? of.kind],
  [t.discount.value, valueOf(of)],
  [t.discount.code, of.code ?? null],
  [t.discount.from, of.starts_at ? when(of.starts_at) : null],
  [t.discount.until, of.ends_at ? when(of.ends_at) : null],
  [t.discount.limit, of.usage_limit == null ? null : String(of.usage_limit)],
];

/** Gives codes of a batch that were never given before. No code can be taken back, so that it is asked a second time. */
function Codes({ discount, batch }: { discount: string; batch: { number: number; prefix: string } }) {
  const [codes, setCodes] = useState<string[]>([]);
  const [wrong, setWrong] = useState(false);
  const [asked, ask] = useState<number | null>(null);
  const close = () => ask(null);
  const give = useAction(
    (_: FormData, idempotencyKey) =>
      api.post("/v1/api/catalog/discounts/{id}/codes", {
        path: { id: discount },
        body: { batch: batch.number, count: asked ?? 0 },
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      }),
    (body) => {
      setCodes(body.codes);
      close();
    },
  );
  return (
    <section class="block">
      <h2>{t.discount.codes(batch.prefix)}</h2>
      <form
        class="inline"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const count = parseQuantity(String(new FormData(event.currentTarget).get("count") ?? ""));
          const whole = count !== null && Number.isInteger(count) && count > 0;
          setWrong(!whole);
          if (whole) ask(count);
        }}
      >
        <input
          name="count"
          inputMode="numeric"
          defaultValue="1"
          aria-label={t.discount.howMany(batch.prefix)}
          aria-invalid={wrong ? "true" : undefined}
        />
        <button class="button button-quiet">{t.discount.give}</button>
      </form>
      <div role="status">
        {wrong && <p class="errors">{t.discount.wrongCount}</p>}
        {codes.length > 0 && (
          <>
            <p class="hint">{t.discount.given}</p>
            <textarea
              readOnly
              rows={Math.min(10, codes.length)}
              aria-label={t.discount.given}
              value={codes.join("\n")}
              onFocus={(event) => event.currentTarget.select()}
            />
          </>
        )}
      </div>
      {asked !== null && (
        <Ask title={t.discount.codes(batch.prefix)} yes={t.discount.yesGive(asked)} action={give} close={close}>
          <p>{t.discount.giveWhy}</p>
        </Ask>
      )}
    </section>
  );
}
