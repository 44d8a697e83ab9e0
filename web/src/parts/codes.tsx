import { useEffect, useRef, useState } from "preact/hooks";
import { shop, type Cart } from "../api.js";
import { cents, quantity } from "../shared/formats.js";
import { applyCode, cartState, removeCode, type AttachedCode } from "../cart.js";
import { categories } from "../catalogue.js";
import type { CodeStep, Explain } from "../explain.js";
import { known, useAction, useLoad, type Loading } from "../shared/load.js";
import { store } from "../settings.js";
import { useStore } from "../shared/store.js";
import { t } from "../shared/t.js";
import { useVat } from "../vat.js";
import { FailureNotice } from "../shared/failure.js";
import { Field, Form, text } from "../shared/form.js";

/** Why a code does nothing. */
export function codeError(of: NonNullable<AttachedCode["error"]>): string {
  const errors: Record<typeof of, string> = {
    invalid: t.cart.codeInvalid,
    expired: t.cart.codeExpired,
    min_order: t.cart.codeMinOrder,
    not_eligible: t.cart.codeNotEligible,
    usage_limit: t.cart.codeUsageLimit,
  };
  return errors[of];
}

/** The cart's codes, each with what it does or why it does nothing, and the field for a further one. */
export function Codes({ cart, explained }: { cart: Cart; explained: Loading<{ data: Explain }> }) {
  const { codes } = useStore(cartState);
  const most = useStore(store)?.offers.max_discount_codes ?? 1;
  const box = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const [acted, setActed] = useState(0);
  const done = () => setActed(acted + 1);
  const full = codes.length >= most;
  // The API replaces an unknown and an expired code by itself. Another one that does nothing makes way, too.
  const idle = full ? codes.find(({ error }) => error !== null) : undefined;
  const apply = useAction(async (data: FormData, key) => {
    const code = text(data, "code") ?? "";
    if (idle && code !== "" && idle.error !== "invalid" && idle.error !== "expired") {
      const removed = await removeCode(idle.code);
      if (!removed.ok) return removed;
    }
    return applyCode(code, key);
  }, done);
  const attached = ["codes", ...codes.map(({ code }) => code)].join("\n"); // the field is empty after each code
  const failing = codes.some(({ error }) => error !== null);
  useEffect(() => {
    if (acted === 0) return;
    const all = (what: string) => [...(box.current?.querySelectorAll<HTMLElement>(what) ?? [])];
    (all(failing ? "input" : ".code button").at(-1) ?? all("summary")[0])?.focus();
  }, [acted]);
  const steps = explained.body?.data.steps.filter((one): one is CodeStep => one.step === "code") ?? [];
  return (
    <div ref={box}>
      {codes.length > 0 && (
        <ul class="codes" aria-label={t.cart.codes}>
          {codes.map((one) => (
            <Code key={one.code} of={one} why={steps.find(({ code }) => code === one.code)} cart={cart} done={done} />
          ))}
        </ul>
      )}
      <details class="fold" open={open || failing} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{codes.length === 0 ? t.cart.haveCode : t.cart.haveOther}</summary>
        <Form key={attached} action={apply} values={["code"]} label={t.cart.useCode} draft={attached}>
          <Field
            name="code"
            label={t.fields.code}
            maxLength={64}
            autocomplete="off"
            {...(full && { hint: idle ? t.cart.replaces(idle.code) : t.cart.codesFull(most) })}
          />
        </Form>
      </details>
    </div>
  );
}

function Code({ of: { code, error }, why, cart, done }: { of: AttachedCode; why: CodeStep | undefined; cart: Cart; done: () => void }) {
  const remove = useAction((_: null, key) => removeCode(code, key), done);
  const { ex } = useVat();
  const applied = cart.discounts.find((one) => one.code?.toLowerCase() === code.trim().toLowerCase());
  return (
    <li class={error === null ? "code" : "code code-failing"}>
      <p role="status">
        <b>{code}</b>{" "}
        {error !== null ? (
          <Reason error={error} why={why} />
        ) : !applied || (ex && applied.amount > 0) ? ( // the sums have what it takes off without tax
          t.cart.applies
        ) : applied.amount > 0 ? (
          t.cart.takesOff(cents(applied.amount))
        ) : (
          t.cart.forDelivery
        )}
      </p>
      <button type="button" class="link target" aria-label={t.cart.takeOffFor(code)} onClick={() => remove.run(null)}>
        {t.cart.takeOff}
      </button>
      <FailureNotice failure={remove.failure} again={remove.again} busy={remove.busy} />
    </li>
  );
}

/** Why a code does nothing, and what is missing where the API says it. */
function Reason({ error, why }: { error: NonNullable<AttachedCode["error"]>; why: CodeStep | undefined }) {
  const missing = why?.error === error ? why.missing : null;
  switch (missing?.kind) {
    case "amount":
      return <>{t.cart.needsAmount(cents(missing.amount ?? 0))}</>;
    case "products":
      return <Needed of={missing} />;
    case "group":
      return <>{t.cart.needsGroup}</>;
    default:
      return <>{why && error === "not_eligible" ? t.cart.needsNoOthers : codeError(error)}</>;
  }
}

const named = 4;

/** The products that a code is for: those that are named, and departments. */
function Needed({ of: { quantity_thousandths, product_ids = [], category_ids = [] } }: { of: NonNullable<CodeStep["missing"]> }) {
  const all = useStore(categories)?.all ?? [];
  const ids = product_ids.slice(0, named);
  const products = useLoad(
    (signal) =>
      ids.length > 0
        ? shop.get("/v1/api/catalog/products", { query: { "ids[]": ids }, signal })
        : Promise.resolve(known<{ data: { name: string }[] }>({ data: [] })),
    [ids.join()],
  );
  const departments = category_ids.flatMap((id) => all.find((one) => one.id === id)?.name ?? []);
  const names = [...(products.body?.data.map(({ name }) => name) ?? []), ...departments];
  if (names.length === 0) return <>{t.cart.codeNotEligible}</>;
  const more = product_ids.length > named ? [...names, "…"] : names;
  return <>{t.cart.needsProducts(quantity((quantity_thousandths ?? 1000) / 1000), more.join(", "))}</>;
}
