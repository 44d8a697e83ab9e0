"use client";
import Link from "next/link";
import { useState } from "react";
import { formatMoney, type Money } from "cartd-client";
import { add } from "./actions";
import { Field, Form, Select, Submit } from "@/parts/form";
import type { Schemas } from "@/server/shop";
import { textsIn, type Language } from "@/texts/language";

type Variant = Pick<Schemas["Variant"], "id" | "name" | "attributes" | "stock_status"> & { shown: Money | null };

interface Props {
  product: Pick<Schemas["Product"], "id" | "options" | "text_fields" | "unit">;
  variants: Variant[];
  language: Language;
}

/** The form of a standard product: its options or variants, the quantity, the shopper's own words. */
export function Buy({ product, variants, language }: Props) {
  const { word } = textsIn(language);
  const [chosen, choose] = useState<Record<string, string>>({});
  const fits = (variant: Variant) => Object.entries(chosen).every(([name, value]) => !value || [variant.attributes[name]].flat().includes(value));
  const left = variants.filter(fits);
  const label = ({ name, shown, stock_status }: Variant) =>
    [name, shown && formatMoney(shown, language), stock_status === "out_of_stock" && word("out_of_stock")].filter(Boolean).join(", ");
  return (
    <Form action={add} className="buy">
      <input type="hidden" name="product_id" value={product.id} />
      {product.options.length > 1 &&
        product.options.map(({ name, values }) => (
          <Select key={name} label={name} name={`option.${name}`} value={chosen[name] ?? ""} onChange={(event) => choose({ ...chosen, [name]: event.target.value })}>
            <option value="">–</option>
            {values.map((value) => (
              <option key={value}>{value}</option>
            ))}
          </Select>
        ))}
      {variants.length > 0 && (
        <Select key={left[0]?.id} label={word("version")} name="variant_id">
          {left.map((variant) => (
            <option key={variant.id} value={variant.id}>
              {label(variant)}
            </option>
          ))}
        </Select>
      )}
      <OwnWords fields={product.text_fields} language={language} />
      <Field label={word("quantity")} name="quantity" inputMode="decimal" defaultValue="1" className="field quantity" required />
      <Submit>{word("add")}</Submit> <Link href="/cart">{word("to_cart")}</Link>
    </Form>
  );
}

/** The text fields of a product. */
export function OwnWords({ fields, language }: { fields: Schemas["TextField"][]; language: Language }) {
  const { word } = textsIn(language);
  return fields.map(({ key, label, required, max_length }) => (
    <div key={key}>
      <input type="hidden" name={`label.properties.${key}`} value={label} />
      <Field label={label} name={`properties.${key}`} hint={required ? undefined : word("optional")} maxLength={max_length} required={required} />
    </div>
  ));
}
