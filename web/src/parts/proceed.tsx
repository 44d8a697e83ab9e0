import type { ComponentChildren } from "preact";
import { quantity, type Cart } from "../api.js";
import type { Check, Explain } from "../explain.js";
import { codeText, errorText, language } from "../language.js";
import type { Loading } from "../load.js";
import { useStore } from "../store.js";

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
        <b>This cart cannot be ordered yet.</b>
      </p>
      <Reasons all={against} cart={cart} />
    </div>
  );
}

const reasons: Record<Cart["quote_reasons"][number], string> = {
  cart_threshold: "its total is high enough for a price of its own",
  configurator_choice: "something in it is made in a special way",
  customer_group: "your company buys by quote",
  product_purchasability: "something in it is sold by quote only",
};

function AskForQuote({ cart, against }: { cart: Cart; against: Check[] }) {
  return (
    <>
      <div class="notice">
        <p>This cart is sold by quote: {cart.quote_reasons.map((one) => reasons[one]).join(", and ")}.</p>
        {against.length > 0 && <Reasons all={against} cart={cart} />}
      </div>
      <a class="button button-wide" href="#/request">
        Ask for a quote
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
  useStore(language);
  switch (of.code) {
    case "OUT_OF_STOCK":
      return <>{short(of, cart)}</>;
    case "login_required":
      return (
        <>
          {codeText(of.code, of.message)} <a href="#/login?to=checkout">Log in</a>
        </>
      );
    case "b2b_approval_required":
      return (
        <>
          We have not approved your company yet. Until then you can <a href="#/request">ask for a quote</a>.
        </>
      );
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
  return `${line?.name ?? "A part of what is made to measure"}: ${quantity(of.available ?? 0)} of ${quantity(of.requested ?? 0)} are there.`;
}
