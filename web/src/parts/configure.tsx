import { lineTotal, usualQuantity, type components, type ErrorCode, type Failure, type Success } from "cartd-client";
import { useEffect, useId, useMemo, useState } from "preact/hooks";
import { shop, type Product } from "../api.js";
import { cents, money } from "../shared/formats.js";
import { addLine } from "../cart.js";
import { dropDraft, useDraft } from "../drafts.js";
import { errorText } from "../shared/language.js";
import { useAction, useLoad } from "../shared/load.js";
import { ProductHead } from "../views/product.js";
import { Blind, colourOf } from "./blind.js";
import { useCap } from "../stock.js";
import { useTaxCountry, useVat, type Vat } from "../vat.js";
import { FailureNotice, Loaded } from "../shared/failure.js";
import { GoodToKnow } from "./known.js";
import { fieldErrors } from "../shared/form.js";
import { Picture } from "./picture.js";
import { QuantityField } from "../shared/quantity.js";
import { TextFields, textsDraft, textsOf } from "./texts.js";
import { t } from "../shared/t.js";

type Selection = components["schemas"]["Selection"];
type Schema = Success<"/v1/api/configurator/products/{id}/schema", "get">;
type Priced = Success<"/v1/api/configurator/products/{id}/quote", "post">;
type Group = Schema["groups"][number];

/** A product made to measure: its form, with a live price and refusals at their fields. */
export function Configure({ of }: { of: Product }) {
  const query = useTaxCountry();
  const schema = useLoad(
    (signal) => shop.get("/v1/api/configurator/products/{id}/schema", { path: { id: of.id }, query, signal }),
    [of.id, query.country],
  );
  return (
    <article class="product">
      <div class="product-body">
        <div class="configure-head">
          <div>
            <ProductHead of={of} sku={null} />
          </div>
          <ul class="strip">
            {of.media.map((one) => (
              <li>
                <Picture of={one} eager />
              </li>
            ))}
          </ul>
        </div>
        <Loaded from={schema} outline={<Outline />}>
          {(body) => <Configurator of={of} schema={body} />}
        </Loaded>
      </div>
    </article>
  );
}

function Outline() {
  return (
    <div class="configure outline">
      <span class="line" />
    </div>
  );
}

function Configurator({ of, schema }: { of: Product; schema: Schema }) {
  const drafts = { sizes: `sizes ${of.id}`, choices: `choices ${of.id}`, texts: textsDraft(of) };
  const [sizes, setSizes] = useDraft(drafts.sizes, Object.fromEntries(schema.dimensions.map((one) => [one.key, String(usual(one))])));
  const [picked, setPicked] = useDraft(drafts.choices);
  const [amount, setAmount] = useState(usualQuantity(of));
  const [texts, setTexts] = useDraft(drafts.texts);
  const [added, setAdded] = useState(false);
  const choices = useMemo(() => complete(schema, Object.keys(picked)), [schema, picked]);
  const configuration = useMemo(() => ({ dimensions: numbers(sizes), choices }), [sizes, choices]);
  const price = usePrice(of.id, configuration);
  const add = useAction(
    (_: null, key) => addLine({ product_id: of.id, quantity: amount, configuration, ...textsOf(texts) }, key),
    () => {
      Object.values(drafts).forEach(dropDraft);
      setAdded(true);
    },
  );
  const errors = fieldErrors(price.failure);
  const cap = useCap(null, 0, "piece", of);
  const vat = useVat();
  const change = () => {
    setAdded(false);
    add.clear();
  };
  const choose = (group: Group, id: string) => {
    setPicked(Object.fromEntries(next(group, choices, id).map((one) => [one, ""])));
    change();
  };
  return (
    <div class="configure">
      <div class="configure-form">
        <fieldset class="measures">
          <legend>{t.measure.window}</legend>
          {schema.dimensions.map((one) => (
            <Measure
              of={one}
              value={sizes[one.key] ?? ""}
              errors={errors[`dimensions.${one.key}`]}
              onInput={(value) => {
                setSizes({ ...sizes, [one.key]: value });
                change();
              }}
            />
          ))}
        </fieldset>
        {schema.groups.map((group) => (
          <Choices
            of={group}
            product={of}
            all={offered(schema, group, choices)}
            chosen={choices}
            errors={errors}
            choose={(id) => choose(group, id)}
          />
        ))}
        <TextFields
          of={of}
          texts={texts}
          errors={fieldErrors(add.failure)}
          write={(next) => {
            setTexts(next);
            change();
          }}
        />
      </div>
      <div class="configure-side">
        <Blind of={of} width={Number(sizes.width)} height={Number(sizes.height)} choices={choices} />
        <QuantityField value={amount} unit="piece" pack={of} cap={cap} label={t.product.quantity} onChange={setAmount} />
        <div class="configure-bar">
          <PriceNow price={price} of={of} amount={amount} added={added && !add.failure} reason={reason(schema, errors)} />
          <button
            type="button"
            class="button button-buy"
            aria-disabled={!price.body || price.loading || add.busy}
            data-busy={add.busy}
            onClick={() => price.body && !price.loading && add.run(null)}
          >
            {t.product.put}
          </button>
        </div>
        <FailureNotice failure={add.failure} again={add.again} busy={add.busy} />
        <Breakdown price={price} />
        <GoodToKnow of={of} variant={null} />
        {vat.ex && <p class="hint">{t.measure.exTax}</p>}
      </div>
    </div>
  );
}

/** The first refusal, in the words of the form. */
function reason(schema: Schema, errors: Record<string, ErrorCode[]>): string | null {
  const [first] = Object.entries(errors);
  if (!first) return null;
  const [name, [code]] = first;
  const label = schema.dimensions.find((one) => `dimensions.${one.key}` === name)?.label;
  return code ? errorText(code, label ?? t.measure.choice) : null;
}

/** A first size that can be made. */
function usual({ min, max, step }: Schema["dimensions"][number]): number {
  const wanted = Math.min(max, Math.max(min, 1200));
  return wanted - ((wanted - min) % step);
}

/** The sizes as numbers. A text that is none stays: the server says what is wrong with it. */
function numbers(sizes: Record<string, string>): Record<string, number | string> {
  const entries = Object.entries(sizes).filter(([, text]) => text.trim() !== "");
  return Object.fromEntries(entries.map(([key, text]) => [key, Number.isNaN(Number(text)) ? text : Number(text)]));
}

/** The picked choices that can be chosen, and the first one of a required group that has none. */
function complete(schema: Schema, picked: string[]): string[] {
  const chosen: string[] = [];
  for (const group of schema.groups) {
    const possible = offered(schema, group, chosen);
    const own = possible.filter((one) => picked.includes(one.id));
    if (own.length === 0 && group.required && possible[0]) own.push(possible[0]);
    chosen.push(...own.map((one) => one.id));
  }
  return chosen;
}

/** The choices of a group without those that need another choice of a group above it. */
function offered(schema: Schema, group: Group, chosen: string[]): Group["choices"] {
  const above = schema.groups.slice(0, schema.groups.indexOf(group)).flatMap((one) => one.choices.map(({ id }) => id));
  return group.choices.filter((one) => one.requires.every((id) => chosen.includes(id) || !above.includes(id)));
}

function next(group: Group, chosen: string[], id: string): string[] {
  if (chosen.includes(id)) return group.required ? chosen : chosen.filter((one) => one !== id);
  const others = group.multiple ? chosen : chosen.filter((one) => !group.choices.some((choice) => choice.id === one));
  return [...others, id];
}

interface Pricing {
  body: Priced | null;
  failure: Failure | null;
  loading: boolean;
  again(): void;
}

const pause = 200; // milliseconds after the last key

/** The price of a configuration, asked for when the visitor stops typing. */
function usePrice(id: string, configuration: Selection): Pricing {
  const [settled, setSettled] = useState(configuration);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(configuration), pause);
    return () => clearTimeout(timer);
  }, [configuration]);
  const query = useTaxCountry();
  const priced = useLoad(
    (signal) => shop.post("/v1/api/configurator/products/{id}/quote", { path: { id }, query, body: { ...settled, quantity: 1 }, signal }),
    [id, settled, query.country],
  );
  return { ...priced, loading: priced.loading || settled !== configuration };
}

function Measure({
  of,
  value,
  errors,
  onInput,
}: {
  of: Schema["dimensions"][number];
  value: string;
  errors: ErrorCode[] | undefined;
  onInput: (value: string) => void;
}) {
  const id = useId();
  return (
    <div class="field measure">
      <label for={id}>{of.label}</label>
      <span class="measure-input">
        <input
          id={id}
          inputMode="numeric"
          value={value}
          aria-invalid={errors ? "true" : undefined}
          aria-describedby={`${id}-hint`}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
        <span aria-hidden="true">{of.unit}</span>
      </span>
      <p class={errors ? "errors" : "hint"} id={`${id}-hint`}>
        {errors ? errors.map((one) => errorText(one, of.label)).join(" ") : range(of)}
      </p>
    </div>
  );
}

/** The sizes that can be made. */
function range({ min, max, unit, step }: Schema["dimensions"][number]): string {
  return t.measure.range(min, max, unit) + (step > 1 ? t.measure.steps(step) : "");
}

function Choices({
  of,
  product,
  all,
  chosen,
  errors,
  choose,
}: {
  of: Group;
  product: Product;
  all: Group["choices"];
  chosen: string[];
  errors: Record<string, ErrorCode[]>;
  choose: (id: string) => void;
}) {
  const id = useId();
  const vat = useVat();
  if (all.length === 0) return null;
  const refused = (one: Group["choices"][number]) => errors[`choices.${one.id}`];
  return (
    <fieldset class="options">
      <legend>
        {of.label}
        {!of.required && <span class="optional"> {t.shell.optional}</span>}
      </legend>
      <div class="options-values">
        {all.map((one) => (
          <label class="option">
            <input
              type={of.multiple ? "checkbox" : "radio"}
              name={`${id}-${of.id}`}
              checked={chosen.includes(one.id)}
              onChange={() => choose(one.id)}
              aria-invalid={refused(one) ? "true" : undefined}
              aria-describedby={refused(one) ? `${id}-said` : undefined}
            />
            <span>
              <Swatch colour={colourOf(product, one.id)} />
              {one.label} <small>{surcharge(one.price, vat)}</small>
            </span>
          </label>
        ))}
      </div>
      <p class="errors options-said" id={`${id}-said`}>
        {all.flatMap((one) => (refused(one) ?? []).map((code) => errorText(code, one.label))).join(" ")}
      </p>
    </fieldset>
  );
}

function Swatch({ colour }: { colour: string | null }) {
  if (colour === null) return null;
  return (
    <svg class="swatch" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="7" fill={colour} />
    </svg>
  );
}

function surcharge(price: Group["choices"][number]["price"], { pick }: Vat): string {
  if (price.type === "percent") return `+${price.percent} %`;
  const amount = pick({ amount: 0, amount_without_tax: 0, ...price }, "amount");
  if (amount === 0) return "";
  return `+${cents(amount)}${price.type === "per_m2" ? ` ${t.measure.perSquare}` : ""}`;
}

/** What it costs now, or why it cannot be made: always in the same place, so that nothing moves. */
function PriceNow({
  price,
  of,
  amount,
  added,
  reason,
}: {
  price: Pricing;
  of: Product;
  amount: number;
  added: boolean;
  reason: string | null;
}) {
  const { body, failure, loading } = price;
  const vat = useVat();
  const sum = body && vat.sum(lineTotal(body.unit_price_amount, amount), of);
  if (failure && failure.kind !== "refused") return <FailureNotice failure={failure} again={price.again} />;
  return (
    <div class={loading ? "price-now stale" : "price-now"} role="status">
      <p class="buy-price">
        {body ? <b>{money(vat.pick(body, "unit_price"))}</b> : failure ? <b class="unpriced">{t.measure.notYet}</b> : <b>…</b>}
        {body && vat.label && <small> {vat.label}</small>}
        {sum !== null && amount > 1 && <small class="price-now-sum">{t.product.cost(String(amount), cents(sum))}</small>}
      </p>
      <p class={reason ? "price-now-why errors" : "price-now-why"}>
        {reason ??
          (added ? (
            <>
              {t.product.inCart} <a href="#/cart">{t.product.seeCart}</a>
            </>
          ) : body?.requires_quote ? (
            t.measure.byQuote
          ) : null)}
      </p>
    </div>
  );
}

/** What the price consists of. */
function Breakdown({ price: { body, loading } }: { price: Pricing }) {
  const { pick } = useVat();
  if (!body) return null;
  const parts = body.breakdown.map((one) => ({ label: one.label, amount: pick(one, "amount") }));
  const rounding = pick(body, "unit_price").amount - parts.reduce((sum, one) => sum + one.amount, 0);
  return (
    <dl class={loading ? "breakdown stale" : "breakdown"}>
      {[...parts, { label: t.measure.rounding, amount: rounding }]
        .filter((one, i) => i === 0 || one.amount !== 0)
        .map((one) => (
          <div>
            <dt>{one.label}</dt>
            <dd>{one.amount < 0 ? `−${cents(-one.amount)}` : cents(one.amount)}</dd>
          </div>
        ))}
    </dl>
  );
}
