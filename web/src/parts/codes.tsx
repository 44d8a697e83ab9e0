import { useEffect, useRef, useState } from "preact/hooks";
import { cents, type Cart } from "../api.js";
import { applyCode, cartState, removeCode, type AttachedCode } from "../cart.js";
import { useAction } from "../load.js";
import { store } from "../settings.js";
import { useStore } from "../store.js";
import { useVat } from "../vat.js";
import { FailureNotice } from "./failure.js";
import { Field, Form, text } from "./form.js";

export const codeErrors: Record<NonNullable<AttachedCode["error"]>, string> = {
  invalid: "This code is not known.",
  expired: "This code is over.",
  min_order: "The cart is too small for this code.",
  not_eligible: "This code is not for you or this cart, or other offers take more off.",
  usage_limit: "This code is used up.",
};

/** The cart's codes, each with what it does or why it does nothing, and the field for a further one where the cart has room. */
export function Codes({ cart }: { cart: Cart }) {
  const { codes } = useStore(cartState);
  const most = useStore(store)?.offers.max_discount_codes ?? 1;
  const box = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const [acted, setActed] = useState(0);
  const done = () => setActed(acted + 1);
  const apply = useAction((data: FormData, key) => applyCode(text(data, "code") ?? "", key), done);
  const attached = ["Use the code", ...codes.map(({ code }) => code)].join("\n"); // the field is empty after each code
  const failing = codes.some(({ error }) => error !== null);
  useEffect(() => {
    if (acted === 0) return;
    const all = (what: string) => [...(box.current?.querySelectorAll<HTMLElement>(what) ?? [])];
    (all(failing ? "input" : ".code button").at(-1) ?? all("summary")[0])?.focus();
  }, [acted]);
  const replaced = most === 1 ? codes[0]?.error !== null : codes.some(({ error }) => error === "invalid" || error === "expired");
  return (
    <div ref={box}>
      {codes.length > 0 && (
        <ul class="codes" aria-label="Codes">
          {codes.map((one) => (
            <Code key={one.code} of={one} cart={cart} done={done} />
          ))}
        </ul>
      )}
      {(codes.length < most || replaced) && (
        <details class="fold" open={open || failing} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{codes.length === 0 ? "Have a code?" : "Have another code?"}</summary>
          <Form key={attached} action={apply} values={["code"]} label="Use the code" draft={attached}>
            <Field name="code" label="Code" maxLength={64} autocomplete="off" />
          </Form>
        </details>
      )}
    </div>
  );
}

function Code({ of: { code, error }, cart, done }: { of: AttachedCode; cart: Cart; done: () => void }) {
  const remove = useAction((_: null, key) => removeCode(code, key), done);
  const { ex } = useVat();
  const applied = cart.discounts.find((one) => one.code?.toLowerCase() === code.trim().toLowerCase());
  return (
    <li class={error === null ? "code" : "code code-failing"}>
      <p role="status">
        <b>{code}</b>{" "}
        {error !== null
          ? codeErrors[error]
          : !applied || (ex && applied.amount > 0) // the sums have what it takes off without tax
            ? "applies."
            : applied.amount > 0
              ? `takes ${cents(applied.amount)} off.`
              : "is kept for the delivery."}
      </p>
      <button type="button" class="link" aria-label={`Take it off: ${code}`} onClick={() => remove.run(null)}>
        Take it off
      </button>
      <FailureNotice failure={remove.failure} again={remove.again} busy={remove.busy} />
    </li>
  );
}
