import { useState } from "preact/hooks";
import { FailureNotice, Loaded } from "../../shared/failure.js";
import { quantity } from "../../shared/formats.js";
import { useAction, useLoad } from "../../shared/load.js";
import { t } from "../../shared/t.js";
import { parseQuantity } from "../amounts.js";
import type { ProductEntry } from "../entries.js";
import { api, can } from "../session.js";
import { levelsOf, type Level } from "../stock.js";

/** The stock of a product and its variants. A change of it can be changed back. */
export function Stock({ of }: { of: ProductEntry }) {
  const levels = useLoad((signal) => levelsOf(of.id, signal), [of.id]);
  const [moved, setMoved] = useState<string | null>(null);
  if (of.track_stock !== true) return null;
  return (
    <section class="block">
      <h2>{t.product.stock}</h2>
      <Loaded from={levels} outline={<span class="line" />}>
        {(rows) => (
          <ul class="items">
            {rows.map((one) => (
              <li key={one.variant_id ?? one.product_id}>
                <Item
                  of={one}
                  unit={of.unit}
                  moved={(said) => {
                    setMoved(said);
                    levels.refresh();
                  }}
                />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <p role="status" class="hint">
        {moved}
      </p>
    </section>
  );
}

function Item({ of, unit, moved }: { of: Level; unit: ProductEntry["unit"]; moved: (said: string) => void }) {
  const [typed, setTyped] = useState("");
  const sign = /^\s*[-−]/.test(typed) ? -1 : 1;
  const number = parseQuantity(typed.replace(/^\s*[-−+]/, ""));
  const by = number === null ? null : sign * number;
  const adjust = useAction(
    (quantity: number, idempotencyKey) =>
      api.post("/v1/api/catalog/stock-adjustments", {
        body: { product_id: of.product_id, variant_id: of.variant_id, quantity: String(quantity) },
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      }),
    ({ on_hand }) => {
      setTyped("");
      moved(t.product.moved(of.name, quantity(on_hand, unit)));
    },
  );
  return (
    <form
      class="item"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (by !== null && by !== 0) void adjust.run(by);
      }}
    >
      <span class="item-name">
        <b>{of.name}</b>
        <small>{of.sku}</small>
      </span>
      <span>
        {t.product.onHand(quantity(of.on_hand, unit))}
        <small>{of.held > 0 && t.product.held(quantity(of.held, unit), quantity(of.available, unit))}</small>
      </span>
      {can("catalog:write") && (
        <span class="adjust">
          <input
            inputMode="text"
            autocomplete="off"
            aria-label={t.product.adjust(of.name)}
            placeholder={t.product.adjustHint}
            value={typed}
            aria-invalid={typed !== "" && by === null ? "true" : undefined}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
          <button class="button button-quiet" aria-disabled={adjust.busy || by === null || by === 0} data-busy={adjust.busy}>
            {by === null || by === 0 ? t.product.change : t.product.changeTo(quantity(of.on_hand + by, unit))}
          </button>
        </span>
      )}
      <FailureNotice failure={adjust.failure} again={adjust.again} busy={adjust.busy} />
    </form>
  );
}
