"use client";
import { useState } from "react";
import { add } from "./actions";
import { useChosen } from "./choosing";
import { Field, Form, Select, Submit } from "@/parts/form";
import { Link } from "@/parts/link";
import { quantityField, type Pack } from "@/parts/quantity";
import type { Schemas } from "@/server/shop";
import { textsIn, type Language } from "@/texts/language";

type Variant = Pick<Schemas["Variant"], "id" | "name" | "attributes" | "stock_status" | "available_from"> & { shown: string | null };

interface Props {
  product: Pick<Schemas["Product"], "id" | "options" | "text_fields" | "unit" | keyof Pack>;
  variants: Variant[];
  soldOut: boolean;
  language: Language;
}

/** The form of a standard product: its options or variants, the quantity, the shopper's own words. What is sold out can be seen, and not chosen. */
export function Buy({ product, variants, soldOut, language }: Props) {
  const { word, ships } = textsIn(language);
  const { choose: chooseVariant } = useChosen();
  const [chosen, choose] = useState<Record<string, string>>({});
  const fitting = (options: Record<string, string>) =>
    variants.filter(({ attributes }) => Object.entries(options).every(([name, value]) => !value || [attributes[name]].flat().includes(value)));
  const firstOf = (some: Variant[]) => some.find(({ stock_status }) => stock_status !== "out_of_stock") ?? some[0];
  const left = fitting(chosen);
  const label = ({ name, shown, stock_status, available_from }: Variant) =>
    [name, shown, stock_status === "out_of_stock" && word("out_of_stock"), stock_status === "backorder" && ships(available_from)]
      .filter(Boolean)
      .join(", ");
  return (
    <Form action={add} className="buy">
      <input type="hidden" name="product_id" value={product.id} />
      {product.options.length > 1 &&
        product.options.map(({ name, values }) => (
          <Select
            key={name}
            label={name}
            name={`option.${name}`}
            value={chosen[name] ?? ""}
            onChange={(event) => {
              const now = { ...chosen, [name]: event.target.value };
              choose(now);
              chooseVariant(firstOf(fitting(now))?.id ?? null);
            }}
          >
            <option value="">–</option>
            {values.map((value) => (
              <option key={value}>{value}</option>
            ))}
          </Select>
        ))}
      {variants.length > 0 && (
        <Select
          key={left[0]?.id}
          label={word("version")}
          name="variant_id"
          defaultValue={firstOf(left)?.id}
          onChange={(event) => chooseVariant(event.target.value)}
        >
          {left.map((variant) => (
            <option key={variant.id} value={variant.id} disabled={variant.stock_status === "out_of_stock"}>
              {label(variant)}
            </option>
          ))}
        </Select>
      )}
      <OwnWords fields={product.text_fields} language={language} />
      <Field
        label={word("quantity")}
        name="quantity"
        inputMode={product.unit === "piece" ? "numeric" : "decimal"}
        {...quantityField(product)}
        className="field quantity"
        required
      />
      {soldOut ? <p className="fault">{word("all_gone")}</p> : <Submit>{word("add")}</Submit>} <Link href="/cart">{word("to_cart")}</Link>
    </Form>
  );
}

/** The text fields of a product, with what was written before. */
export function OwnWords({
  fields,
  written = {},
  language,
}: {
  fields: Schemas["TextField"][];
  written?: Record<string, string>;
  language: Language;
}) {
  const { word } = textsIn(language);
  return fields.map(({ key, label, required, max_length }) => (
    <div key={key}>
      <input type="hidden" name={`label.properties.${key}`} value={label} />
      <Field
        label={label}
        name={`properties.${key}`}
        hint={required ? undefined : word("optional")}
        maxLength={max_length}
        required={required}
        defaultValue={written[key] ?? ""}
      />
    </div>
  ));
}
