import type { ComponentChildren } from "preact";
import type { Cart } from "../api.js";
import { quantity } from "../shared/formats.js";
import type { Check, Explain } from "../explain.js";
import { codeText, errorText } from "../shared/language.js";
import type { Loading } from "../shared/load.js";
import { Linked } from "../shared/linked.js";
import { t } from "../shared/t.js";

type Explained = Loading<{ data: Explain }>;

/** What a checkout of the cart would be refused for, but for a quote. */
const reasonsAgainst = (explained: Explained): Check[] =>
  (explained.body?.data.checks ?? []).filter((one) => one.code !== "QUOTE_REQUIRED");

/** Whether a checkout of the cart must fail. */
export const blocked = (cart: Cart, explained: Explained): boolean => cart.requires_quote || reasonsAgainst(explained).length > 0;

/** The ways out of a cart: its children where a checkout can work, else a quote, or why there is no way. */
export function Proceed({ cart, explained, children }: { cart: Cart; explained: Explained; children?: ComponentChildren }) {
  const against = reasonsAgainst(explained);
  if (cart.requires_quote) return <AskForQuote cart={cart} against={against} />;
  if (against.length === 0) return <>{children}</>;
  return (
    <div class="notice notice-failure" role="status">
      <p>
        <b>{t.cart.cannotOrder}</b>
      </p>
      <Reasons all={against} cart={cart} />
    </div>
  );
}

function reason(of: Cart["quote_reasons"][number]): string {
  const reasons: Record<typeof of, string> = {
    cart_threshold: t.cart.whyThreshold,
    configurator_choice: t.cart.whyChoice,
    customer_group: t.cart.whyGroup,
    product_purchasability: t.cart.whyProduct,
  };
  return reasons[of];
}

function AskForQuote({ cart, against }: { cart: Cart; against: Check[] }) {
  return (
    <>
      <div class="notice">
        <p>{t.cart.byQuote(cart.quote_reasons.map(reason))}</p>
        {against.length > 0 && <Reasons all={against} cart={cart} />}
      </div>
      <a class="button button-wide" href="#/request">
        {t.cart.askQuote}
      </a>
    </>
  );
}

function Reasons({ all, cart }: { all: Check[]; cart: Cart }) {
  return (
    <ul>
      {all.map((one) => (
        <li>
          <Reason of={one} cart={cart} />
        </li>
      ))}
    </ul>
  );
}

function Reason({ of, cart }: { of: Check; cart: Cart }) {
  switch (of.code) {
    case "OUT_OF_STOCK":
      return <>{short(of, cart)}</>;
    case "login_required":
      return (
        <>
          {codeText(of.code, of.message)} <a href="#/login?to=checkout">{t.shell.logIn}</a>
        </>
      );
    case "b2b_approval_required":
      return <Linked text={t.cart.notApproved} to="#/request" />;
    default: {
      const line = cart.lines.find((one) => one.id === of.line_id);
      return <>{line ? `${line.name}: ${goneText(of)}` : codeText(of.code, of.message)}</>;
    }
  }
}

/** Why a line cannot be bought. A check with a line but no code means that its product is gone. */
const goneText = (of: Check): string => (of.code === null ? errorText({ code: "product_unavailable" }, "") : codeText(of.code, of.message));

/** As "Book: 48 of 49 are there." An item that is no line is a part of one made to measure. */
export function short(
  of: { product_id: string | null; variant_id: string | null; requested: number | null; available: number | null },
  cart: Cart,
): string {
  const line = cart.lines.find((one) => one.product_id === of.product_id && one.variant_id === of.variant_id);
  return t.cart.short(line?.name ?? t.cart.aPart, quantity(of.available ?? 0), quantity(of.requested ?? 0));
}
