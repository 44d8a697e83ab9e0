"use client";
import { useEffect, useState } from "react";
import { formatMoney, shownPrice, type VatDisplay } from "cartd-client";
import { add, price, type Priced } from "./actions";
import { OwnWords } from "./buy";
import { Faults, Field, Form, Submit } from "@/parts/form";
import { Link } from "@/parts/link";
import { quantityField, type Pack } from "@/parts/quantity";
import type { Schemas } from "@/server/shop";
import { pageLanguage, textsIn, type Language } from "@/texts/language";

interface Props {
  product: Pick<Schemas["Product"], "id" | "text_fields" | keyof Pack>;
  schema: Schemas["ConfiguratorSchema"];
  language: Language;
  vat: VatDisplay;
  /** Of the tax; absent for the store's own. */
  country: string | undefined;
}

/** The form of a product made to measure, with its price after each change. */
export function Configure({ product, schema, language, vat, country }: Props) {
  const { word } = textsIn(language);
  const [dimensions, measure] = useState<Record<string, number>>(() => Object.fromEntries(schema.dimensions.map(({ key, min }) => [key, min])));
  const [chosen, choose] = useState<string[]>([]);
  const [priced, show] = useState<Priced | null>(null);
  const [live, wake] = useState(false); // whether scripts run
  useEffect(() => wake(true), []);

  // A choice can be made once all that it requires are made; without them it falls away, and what requires it too.
  const groups: Schemas["ChoiceGroup"][] = [];
  const kept: string[] = [];
  for (const group of schema.groups) {
    const choices = group.choices.filter(({ requires }) => requires.every((id) => kept.includes(id)));
    kept.push(...choices.filter(({ id }) => chosen.includes(id)).map(({ id }) => id));
    if (choices.length > 0) groups.push({ ...group, choices });
  }
  const configuration = JSON.stringify({ dimensions, choices: kept });
  const incomplete = groups.some(({ required, choices }) => required && !choices.some(({ id }) => kept.includes(id)));

  useEffect(() => {
    if (incomplete) return show(null);
    let current = true;
    const labels = Object.fromEntries(schema.dimensions.map(({ key, label }) => [`dimensions.${key}`, label]));
    const timer = setTimeout(async () => {
      const lost = () => ({ said: textsIn(pageLanguage()).word("no_connection"), faults: {} });
      const answer = await price(product.id, { ...(country && { country }) }, JSON.parse(configuration) as Schemas["Selection"], labels).catch(lost);
      if (current) show(answer);
    }, 300);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [product.id, schema, configuration, incomplete, country]);

  const toggle = (group: Schemas["ChoiceGroup"], id: string, on: boolean) => {
    const others = chosen.filter((one) => one !== id && (group.multiple || !group.choices.some((choice) => choice.id === one)));
    choose(on ? [...others, id] : others);
  };
  const input = (group: Schemas["ChoiceGroup"], { id, label }: Schemas["Choice"], more: object) => (
    <label key={id}>
      <input type={group.multiple ? "checkbox" : "radio"} name={`choice.${group.id}`} value={id} {...more} /> {label}
    </label>
  );
  const legend = (group: Schemas["ChoiceGroup"]) => (
    <legend>
      {group.label} {!group.required && <small>({word("optional")})</small>}
    </legend>
  );
  return (
    <Form action={add} className="buy">
      <input type="hidden" name="product_id" value={product.id} />
      {live && <input type="hidden" name="configuration" value={configuration} />}
      <Faults now={priced && ("faults" in priced ? priced.faults : {})}>
        {schema.dimensions.map(({ key, label, unit, min, max, step }) => (
          <Field
            key={key}
            label={`${label}, ${unit}`}
            name={`dimensions.${key}`}
            hint={`${min}–${max}`}
            type="number"
            {...{ min, max, step }}
            defaultValue={min}
            onChange={(event) => measure({ ...dimensions, [key]: event.target.valueAsNumber || 0 })}
          />
        ))}
      </Faults>
      {schema.groups.map((group) => {
        const choices = groups.find(({ id }) => id === group.id)?.choices ?? [];
        // Without scripts nothing can fall away: all choices are there.
        const others = group.choices.filter(({ id }) => !choices.some((one) => one.id === id));
        const more = others.length > 0 && <noscript>{others.map((choice) => input(group, choice, {}))}</noscript>;
        if (choices.length === 0) {
          return (
            <noscript key={group.id}>
              <fieldset>
                {legend(group)}
                {others.map((choice) => input(group, choice, {}))}
              </fieldset>
            </noscript>
          );
        }
        return (
          <fieldset key={group.id}>
            {legend(group)}
            {choices.map((choice) =>
              input(group, choice, {
                checked: kept.includes(choice.id),
                onChange: (event: { target: HTMLInputElement }) => toggle(group, choice.id, event.target.checked),
              }),
            )}
            {more}
          </fieldset>
        );
      })}
      <div aria-live="polite" className="live">
        {priced && "price" in priced && (
          <>
            <ul>
              {priced.price.breakdown.map((part, i) => (
                <li key={i}>
                  <span>{part.label}</span>{" "}
                  <span>{formatMoney({ ...priced.price.unit_price, amount: shownPrice(part, "amount", vat) }, language)}</span>
                </li>
              ))}
            </ul>
            <p className="price">
              {word("price")}: {formatMoney(shownPrice(priced.price, "unit_price", vat), language)}{" "}
              {vat === "ex" && <small>{word("without_tax")}</small>}
            </p>
          </>
        )}
        {priced && "said" in priced && <p className="fault">{priced.said}</p>}
      </div>
      <OwnWords fields={product.text_fields} language={language} />
      <Field label={word("quantity")} name="quantity" inputMode="numeric" {...quantityField(product)} className="field quantity" required />
      <Submit>{word("add")}</Submit> <Link href="/cart">{word("to_cart")}</Link>
    </Form>
  );
}
