import type { ErrorCode } from "cartd-client";
import { useEffect, useId, useRef } from "preact/hooks";
import { shop, type Product } from "../api.js";
import { errorText } from "../shared/language.js";
import { known, useLoad } from "../shared/load.js";
import { t } from "../shared/t.js";

/** What the visitor has written, by the keys of the product's text fields. */
export type Texts = Record<string, string>;

/** The texts of a line add; nothing where all are blank. */
export function textsOf(texts: Texts): { properties?: Texts } {
  const written = Object.entries(texts).filter(([, text]) => text.trim() !== "");
  return written.length > 0 ? { properties: Object.fromEntries(written) } : {};
}

/** The name under which the texts of a product are kept until they are in the cart. */
export const textsDraft = (of: Product): string => `texts ${of.id}`;

const short = 60; // characters that fit into a line

/** The fields for the visitor's own words, with their refusals. */
export function TextFields({
  of,
  texts,
  errors,
  write,
}: {
  of: Product;
  texts: Texts;
  errors: Record<string, ErrorCode[]>;
  write: (texts: Texts) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const refused = of.text_fields.some(({ key }) => errors[`properties.${key}`]);
  useEffect(() => {
    if (refused) box.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [errors, refused]);
  if (of.text_fields.length === 0) return null;
  return (
    <div class="texts" ref={box}>
      {of.text_fields.map((one) => (
        <TextField
          key={one.key}
          of={one}
          value={texts[one.key] ?? ""}
          errors={errors[`properties.${one.key}`]}
          write={(text) => write({ ...texts, [one.key]: text })}
        />
      ))}
    </div>
  );
}

function TextField({
  of,
  value,
  errors,
  write,
}: {
  of: Product["text_fields"][number];
  value: string;
  errors: ErrorCode[] | undefined;
  write: (text: string) => void;
}) {
  const id = useId();
  const shared = {
    id,
    maxLength: of.max_length,
    value,
    "aria-required": of.required ? ("true" as const) : undefined,
    "aria-invalid": errors ? ("true" as const) : undefined,
    "aria-describedby": `${id}-hint`,
  };
  return (
    <div class="field">
      <label for={id}>
        {of.label}
        {!of.required && <span class="optional"> {t.shell.optional}</span>}
      </label>
      {of.max_length > short ? (
        <textarea {...shared} rows={2} onInput={(event) => write(event.currentTarget.value)} />
      ) : (
        <input {...shared} autocomplete="off" onInput={(event) => write(event.currentTarget.value)} />
      )}
      <p class={errors ? "errors" : "hint"} id={`${id}-hint`}>
        {errors ? errors.map((one) => errorText(one, of.label)).join(" ") : t.product.atMost(of.max_length)}
      </p>
    </div>
  );
}

interface Written {
  properties?: Texts;
  property_labels?: Texts;
}

/** The words that belong to a line. Lines of orders and quotes have their labels; those of a cart have them from the product. */
export function LineTexts({ of, slug }: { of: Written; slug: string | null | undefined }) {
  const written = Object.entries(of.properties ?? {}).filter(([key]) => !key.startsWith("_"));
  const own = of.property_labels;
  const asked = written.length > 0 && !own && slug ? slug : null;
  const product = useLoad(
    (signal) =>
      asked === null
        ? Promise.resolve(known<Product | null>(null))
        : shop.get("/v1/api/catalog/products/{id}", { path: { id: asked }, signal }),
    [asked],
  );
  const label = (key: string) => own?.[key] ?? product.body?.text_fields.find((one) => one.key === key)?.label ?? key;
  return (
    <>
      {written.map(([key, text]) => (
        <p class="line-text">
          {label(key)}: <q>{text}</q>
        </p>
      ))}
    </>
  );
}
