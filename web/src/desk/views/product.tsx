import { cents } from "../../shared/formats.js";
import { Loaded, Missing, FailureNotice } from "../../shared/failure.js";
import { t } from "../../shared/t.js";
import { changeProduct, isActive, productFacts, readEntry, type ProductEntry, type VariantEntry } from "../entries.js";
import { AmountField } from "../parts/amount.js";
import { Changed } from "../parts/changed.js";
import { Periods } from "../parts/periods.js";
import { Stock } from "../parts/stock.js";
import { useChange, useRecord, type Record } from "../record.js";
import { can } from "../session.js";
import { useTitle } from "../title.js";

export function ProductView({ id }: { id: string }) {
  useTitle(t.product.title);
  const record = useRecord((signal) => readEntry("products", id, signal), [id]);
  return (
    <Loaded
      from={record}
      outline={<span class="line title" />}
      missing={
        <Missing title={t.product.missing}>
          <p>
            <a href="#/products">{t.product.toProducts}</a>
          </p>
        </Missing>
      }
    >
      {(of) => (
        <article class="record">
          <div class="head">
            <div>
              <p class="crumb">
                <a href="#/products">{t.places.products}</a>
              </p>
              <h1 tabIndex={-1}>
                {of.name} {!isActive(of) && <i class="state state-off">{t.product.isInactive}</i>}
              </h1>
              <p class="under">{[of.sku, of.slug].filter(Boolean).join(" · ")}</p>
            </div>
          </div>
          <Changed record={record} facts={productFacts} />
          <Prices of={of} record={record} />
          {can("store:read") && of.capability !== "made_to_measure" && <Stock of={of} />}
        </article>
      )}
    </Loaded>
  );
}

/** The prices of a product and its variants. Each change is a change set of its own, which shoppers see at once. */
function Prices({ of, record }: { of: ProductEntry; record: Record<ProductEntry> }) {
  const change = useChange<Partial<ProductEntry>, ProductEntry>(record, (members, ifMatch, key) =>
    changeProduct(of, members, ifMatch, key),
  );
  const variants = of.variants ?? [];
  const set = (item: VariantEntry, members: Partial<VariantEntry>) =>
    item.id === of.id
      ? change.run(members)
      : change.run({ variants: variants.map((one) => (one.id === item.id ? { ...one, ...members } : one)) });
  const made = of.capability === "made_to_measure";
  const items: VariantEntry[] = variants.length > 0 ? [of, ...variants] : [of];
  return (
    <section class="block" aria-busy={change.busy}>
      <h2>{t.product.prices}</h2>
      <p class="hint">{made ? t.product.madeWhy : t.product.pricesWhy}</p>
      <fieldset disabled={!can("catalog:manage")}>
        <ul class="items">
          {items.map((item) => (
            <li>
              <div class="item">
                <span class="item-name">
                  <b>{item === of ? (variants.length > 0 ? t.product.whole : of.name) : item.name}</b>
                  <small>{item !== of && item.sku}</small>
                </span>
                {!made && (
                  <AmountField
                    label={t.product.priceOf(item.name)}
                    value={item.price_amount ?? null}
                    empty={item !== of || variants.length > 0}
                    hint={item !== of && item.price_amount == null && of.price_amount != null ? cents(of.price_amount) : undefined}
                    onChange={(price_amount) => void set(item, { price_amount })}
                  />
                )}
                <label class="check">
                  <input
                    type="checkbox"
                    checked={isActive(item)}
                    onChange={(event) => void set(item, { active: event.currentTarget.checked })}
                  />
                  <span>{t.product.active}</span>
                </label>
                {!made && <Periods of={item} busy={change.busy} onChange={(price_periods) => set(item, { price_periods })} />}
              </div>
            </li>
          ))}
        </ul>
      </fieldset>
      <FailureNotice failure={change.failure} again={change.again} busy={change.busy} />
    </section>
  );
}
