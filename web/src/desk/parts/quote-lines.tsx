import { useState } from "preact/hooks";
import { cents, money, quantity, unitSign } from "../../shared/formats.js";
import { t } from "../../shared/t.js";
import { listEntries, priceOf, type ProductEntry } from "../entries.js";
import type { Draft, LineWrite } from "../quotes.js";
import { textsOf } from "../views/order.js";
import { LiveAmount, LiveQuantity } from "./live-fields.js";
import { Search, useRows } from "./rows.js";

type Line = Draft["lines"][number];

/** A line as it is sent. A new line has no id before it is saved. */
export const written = (of: Line): LineWrite => ({
  id: of.id,
  quantity: of.quantity,
  unit_price_amount: of.unit_price_amount,
  discount_amount: of.discount_amount,
});

/** The lines of a draft, to be written. `lines` are those that are not saved yet, else those of the draft. */
export function QuoteLines({
  draft,
  lines,
  taxes,
  write,
}: {
  draft: Draft;
  lines: LineWrite[];
  taxes: string[];
  write: (lines: LineWrite[]) => void;
}) {
  const change = (at: number, members: Partial<LineWrite>) => write(lines.map((one, i) => (i === at ? { ...one, ...members } : one)));
  const saved = (line: LineWrite) => draft.lines.find((one) => one.id === line.id);
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label={t.order.lines}>
        <table class="lines lines-quote">
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
                {t.quote.off}
              </th>
              <th scope="col" class="number">
                {t.order.lineTotal}
              </th>
              <th scope="col">
                <span class="hidden">{t.quote.remove}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, i) => {
              const of = saved(line);
              const name = of?.name ?? line.name ?? "";
              const catalogue = of?.catalogue_unit_price ?? null;
              return (
                <tr key={line.id ?? `new ${i}`}>
                  <td>
                    <span class="name">{name}</span>
                    <small>
                      {of &&
                        [
                          of.variant_name,
                          of.sku,
                          ...textsOf({ properties: of.properties, attributes: { configuration: of.configuration } }),
                        ]
                          .filter(Boolean)
                          .join(" · ")}
                    </small>
                  </td>
                  <td class="number" data-label={t.order.quantity}>
                    <LiveQuantity
                      label={t.quote.quantityOf(name)}
                      value={line.quantity}
                      onChange={(next) => change(i, { quantity: next })}
                    />
                    <small>{of && unitSign(of.unit)}</small>
                  </td>
                  <td class="number" data-label={t.order.unitPrice}>
                    <LiveAmount
                      label={t.product.priceOf(name)}
                      value={line.unit_price_amount ?? null}
                      empty={of === undefined || of.product_id !== null}
                      hint={catalogue ? money(catalogue) : undefined}
                      onChange={(next) => change(i, { unit_price_amount: next })}
                    />
                    {line.unit_price_amount != null && catalogue && <small>{t.quote.catalogue(money(catalogue))}</small>}
                  </td>
                  <td class="number" data-label={t.quote.off}>
                    <LiveAmount
                      label={t.quote.offOf(name)}
                      value={line.discount_amount ?? 0}
                      onChange={(next) => change(i, { discount_amount: next ?? 0 })}
                    />
                  </td>
                  <td class="number" data-label={t.order.lineTotal}>
                    {of ? money(of.line_total) : "…"}
                  </td>
                  <td>
                    <button
                      type="button"
                      class="cross"
                      aria-label={t.quote.removeOf(name)}
                      onClick={() => write(lines.filter((_, at) => at !== i))}
                    >
                      ×
                    </button>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {lines.length === 0 && <p class="hint">{t.quote.noLine}</p>}
      <Add taxes={taxes} add={(line) => write([...lines, line])} />
    </>
  );
}

/** Adds a product, or a line outside the catalogue. */
function Add({ taxes, add }: { taxes: string[]; add: (line: LineWrite) => void }) {
  const [open, setOpen] = useState<"product" | "free" | null>(null);
  return (
    <div class="add">
      <p class="acts">
        <button
          type="button"
          class="button button-quiet"
          aria-expanded={open === "product"}
          onClick={() => setOpen(open === "product" ? null : "product")}
        >
          {t.quote.addProduct}
        </button>
        <button
          type="button"
          class="button button-quiet"
          aria-expanded={open === "free"}
          onClick={() => setOpen(open === "free" ? null : "free")}
        >
          {t.quote.addFree}
        </button>
      </p>
      {open === "product" && <FindProduct add={add} />}
      {open === "free" && (
        <FreeLine
          taxes={taxes}
          add={(line) => {
            setOpen(null);
            add(line);
          }}
        />
      )}
    </div>
  );
}

function FindProduct({ add }: { add: (line: LineWrite) => void }) {
  const [q, setQ] = useState("");
  const rows = useRows((after: string | null, signal) => listEntries("products", q, after, signal), [q]);
  const items = (of: ProductEntry) =>
    of.capability === "made_to_measure"
      ? []
      : of.variants?.length
        ? of.variants.map((one) => ({ variant_id: one.id, name: `${of.name}, ${one.name}`, sku: one.sku }))
        : [{ variant_id: null, name: of.name, sku: of.sku }];
  return (
    <div class="finder">
      <Search label={t.products.search} hint={t.products.searchHint} value="" onSearch={setQ} />
      <ul class="plain" aria-busy={rows.loading}>
        {rows.rows.slice(0, 12).flatMap((of) =>
          items(of).map(({ variant_id, name, sku }) => (
            <li>
              <button
                type="button"
                class="pick"
                onClick={() => add({ product_id: of.id, variant_id, name, quantity: 1, unit_price_amount: null, discount_amount: 0 })}
              >
                <span class="cut">{name}</span> <small class="cell-soft">{sku}</small>
                <span class="number">{priceOf(of)}</span>
              </button>
            </li>
          )),
        )}
      </ul>
    </div>
  );
}

function FreeLine({ taxes, add }: { taxes: string[]; add: (line: LineWrite) => void }) {
  const [name, setName] = useState("");
  const [amount, setAmount] = useState<number | null>(null);
  const [tax, setTax] = useState(taxes[0] ?? "");
  const [shipped, setShipped] = useState(false);
  const ready = name.trim() !== "" && amount !== null && tax !== "";
  return (
    <form
      class="finder inline"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) add({ name: name.trim(), quantity: 1, unit_price_amount: amount, discount_amount: 0, tax, requires_shipping: shipped });
      }}
    >
      <input
        aria-label={t.quote.freeName}
        placeholder={t.quote.freeName}
        maxLength={255}
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <LiveAmount label={t.quote.freePrice} value={amount} empty hint={t.quote.freePrice} onChange={setAmount} />
      <select aria-label={t.quote.tax} value={tax} onChange={(event) => setTax(event.currentTarget.value)}>
        {taxes.map((code) => (
          <option value={code}>{code}</option>
        ))}
      </select>
      <label class="check">
        <input type="checkbox" checked={shipped} onChange={(event) => setShipped(event.currentTarget.checked)} />
        <span>{t.quote.isShipped}</span>
      </label>
      <button class="button button-quiet" aria-disabled={!ready}>
        {t.quote.add}
      </button>
    </form>
  );
}

/** The lines of the terms, as the customer sees them. */
export function Terms({
  lines,
}: {
  lines: {
    name: string;
    quantity: number;
    unit: Line["unit"];
    unit_price_amount: number;
    line_total: Line["line_total"];
    variant_name: string | null;
    sku: string | null;
  }[];
}) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t.order.lines}>
      <table class="lines">
        <tbody>
          {lines.map((line) => (
            <tr>
              <td>
                <span class="name">{line.name}</span>
                <small>{[line.variant_name, line.sku].filter(Boolean).join(" · ")}</small>
              </td>
              <td class="number">{quantity(line.quantity, line.unit)}</td>
              <td class="number">{cents(line.unit_price_amount)}</td>
              <td class="number">{money(line.line_total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
