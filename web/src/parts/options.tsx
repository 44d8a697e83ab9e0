import type { Product, Variant } from "../api.js";
import { useState } from "preact/hooks";

/** The choice of a variant: by its options, or by its name where the product has none. */
export function Options({ of, chosen, choose }: { of: Product; chosen: Variant | null; choose: (variant: Variant | null) => void }) {
  const { options } = of;
  const [picked, setPicked] = useState<Record<string, string>>({});
  if (options.length === 0) {
    return (
      <Values
        name="Variant"
        all={of.variants.map((one) => ({ value: one.name, gone: one.stock_status === "out_of_stock" }))}
        chosen={chosen?.name}
        choose={(name) => choose(of.variants.find((one) => one.name === name) ?? null)}
      />
    );
  }
  const pick = (name: string, value: string) => {
    const next = { ...picked, [name]: value };
    setPicked(next);
    choose(of.variants.find((one) => options.every((option) => has(one, option.name, next[option.name]))) ?? null);
  };
  return (
    <>
      {options.map(({ name, values }) => {
        const others = options.filter((one) => one.name !== name && picked[one.name] !== undefined);
        const fits = (value: string) =>
          of.variants.filter((one) => has(one, name, value) && others.every((other) => has(one, other.name, picked[other.name])));
        return (
          <Values
            name={name}
            chosen={picked[name]}
            choose={(value) => pick(name, value)}
            all={values.map((value) => ({ value, gone: fits(value).every((one) => one.stock_status === "out_of_stock") }))}
          />
        );
      })}
    </>
  );
}

function has(variant: Variant, name: string, value: string | undefined): boolean {
  const own = variant.attributes[name];
  return value !== undefined && (Array.isArray(own) ? own.includes(value) : own === value);
}

function Values({
  name,
  all,
  chosen,
  choose,
}: {
  name: string;
  all: { value: string; gone: boolean }[];
  chosen: string | undefined;
  choose: (value: string) => void;
}) {
  return (
    <fieldset class="options">
      <legend>{name}</legend>
      <div class="options-values">
        {all.map(({ value, gone }) => (
          <label class={gone ? "option option-gone" : "option"}>
            <input type="radio" name={`option-${name}`} checked={chosen === value} onChange={() => choose(value)} />
            <span>
              {value}
              {gone && <span class="hidden">, sold out</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
