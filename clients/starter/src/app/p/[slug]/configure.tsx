"use client";
import Link from "next/link";
import { useEffect, useState } from "react";
import { formatMoney } from "cartd-client";
import { add, price, type Priced } from "./actions";
import { OwnWords } from "./buy";
import { Field, Form, Submit } from "@/parts/form";
import type { Schemas } from "@/server/shop";
import { textsIn, type Language } from "@/texts/language";

interface Props {
  product: Pick<Schemas["Product"], "id" | "text_fields">;
  schema: Schemas["ConfiguratorSchema"];
  language: Language;
}

/** The form of a product made to measure, with its price after each change. */
export function Configure({ product, schema, language }: Props) {
  const { word } = textsIn(language);
  const [dimensions, measure] = useState<Record<string, number>>(() => Object.fromEntries(schema.dimensions.map(({ key, min }) => [key, min])));
  const [chosen, choose] = useState<string[]>([]);
  const [priced, show] = useState<Priced | null>(null);

  // A choice can be made once all that it requires are made; without them it falls away, and what requires it too.
  const groups: Schemas["ChoiceGroup"][] = [];
  const kept: string[] = [];
  for (const group of schema.groups) {
    const choices = group.choices.filter(({ requires }) => requires.every((id) => kept.includes(id)));
    kept.push(...choices.filter(({ id }) => chosen.includes(id)).map(({ id }) => id));
    if (choices.length > 0) groups.push({ ...group, choices });
  }
  const configuration = JSON.stringify({ dimensions, choices: kept });
  const missing = groups.find(({ required, choices }) => required && !choices.some(({ id }) => kept.includes(id)));

  useEffect(() => {
    if (missing) return show(null);
    let current = true;
    const timer = setTimeout(async () => {
      const answer = await price(product.id, JSON.parse(configuration) as Schemas["Selection"]);
      if (current) show(answer);
    }, 300);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [product.id, configuration, missing !== undefined]);

  const toggle = (group: Schemas["ChoiceGroup"], id: string, on: boolean) => {
    const others = chosen.filter((one) => one !== id && (group.multiple || !group.choices.some((choice) => choice.id === one)));
    choose(on ? [...others, id] : others);
  };
  return (
    <Form action={add} className="buy">
      <input type="hidden" name="product_id" value={product.id} />
      <input type="hidden" name="configuration" value={configuration} />
      {schema.dimensions.map(({ key, label, unit, min, max, step }) => (
        <Field
          key={key}
          label={`${label}, ${unit}`}
          name={`configuration.dimensions.${key}`}
          hint={`${min}–${max}`}
          type="number"
          {...{ min, max, step }}
          defaultValue={min}
          onChange={(event) => measure({ ...dimensions, [key]: event.target.valueAsNumber || 0 })}
        />
      ))}
      {groups.map((group) => (
        <fieldset key={group.id}>
          <legend>
            {group.label} {!group.required && <small>({word("optional")})</small>}
          </legend>
          {group.choices.map(({ id, label }) => (
            <label key={id}>
              <input
                type={group.multiple ? "checkbox" : "radio"}
                name={`choice.${group.id}`}
                checked={kept.includes(id)}
                onChange={(event) => toggle(group, id, event.target.checked)}
              />{" "}
              {label}
            </label>
          ))}
        </fieldset>
      ))}
      <div aria-live="polite" className="live">
        {priced && "price" in priced && (
          <>
            <ul>
              {priced.price.breakdown.map(({ label, amount }, i) => (
                <li key={i}>
                  <span>{label}</span> <span>{formatMoney({ ...priced.price.unit_price, amount }, language)}</span>
                </li>
              ))}
            </ul>
            <p className="price">
              {word("price")}: {formatMoney(priced.price.unit_price, language)}
            </p>
          </>
        )}
        {priced && "said" in priced && <p className="fault">{priced.said}</p>}
      </div>
      <OwnWords fields={product.text_fields} language={language} />
      <Field label={word("quantity")} name="quantity" inputMode="numeric" defaultValue="1" className="field quantity" required />
      <Submit>{word("add")}</Submit> <Link href="/cart">{word("to_cart")}</Link>
    </Form>
  );
}
