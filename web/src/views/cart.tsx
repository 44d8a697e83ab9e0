import { cents, money, unitSign, type Cart, type CartLine, type Media } from "../api.js";
import { applyCode, cartState, merged, openCart, removeCode, removeLine, setQuantity } from "../cart.js";
import { useAction } from "../load.js";
import { Explained } from "../parts/explained.js";
import { explain, FailureNotice } from "../parts/failure.js";
import { Field, Form, text } from "../parts/form.js";
import { ConfigurationText, Totals } from "../parts/lines.js";
import { Merged } from "../parts/merged.js";
import { Picture } from "../parts/picture.js";
import { QuantityField } from "../parts/quantity.js";
import { href } from "../router.js";
import { useStore } from "../store.js";
import { useTitle } from "../title.js";

export function CartView() {
  useTitle("Cart");
  const { cart, loading, failure } = useStore(cartState);
  const report = useStore(merged);
  return (
    <>
      <h1 tabIndex={-1}>Your cart</h1>
      {report && <Merged report={report} cart={cart} />}
      <FailureNotice failure={failure} again={openCart} busy={loading} />
      {cart && cart.lines.length > 0 ? (
        <Filled cart={cart} />
      ) : loading ? (
        <div class="outline" aria-busy="true">
          <span class="line" />
          <span class="line" />
        </div>
      ) : (
        !failure && <Empty />
      )}
    </>
  );
}

function Empty() {
  return (
    <div class="empty">
      <h2>Nothing in it yet</h2>
      <p>What you put into it stays for thirty days, on this device without an account, on all of them with one.</p>
      <p>
        <a class="button" href="#/products">
          Look around
        </a>
      </p>
    </div>
  );
}

function Filled({ cart }: { cart: Cart }) {
  return (
    <div class="split">
      <div>
        <ul class="lines">
          {cart.lines.map((one) => (
            <Line of={one} key={one.id} />
          ))}
        </ul>
      </div>
      <aside class="summary" aria-label="Summary">
        <h2>Summary</h2>
        <Totals of={cart} />
        <p class="hint">Delivery is added at the checkout, where you see it before you order.</p>
        {cart.requires_quote ? (
          <AskForQuote cart={cart} />
        ) : (
          <a class="button button-wide" href="#/checkout">
            Check out
          </a>
        )}
        <Code cart={cart} />
        <Explained cart={cart} />
      </aside>
    </div>
  );
}

const reasons: Record<Cart["quote_reasons"][number], string> = {
  cart_threshold: "its total is high enough for a price of its own",
  configurator_choice: "something in it is made in a special way",
  customer_group: "your company buys by quote",
  product_purchasability: "something in it is sold by quote only",
};

function AskForQuote({ cart }: { cart: Cart }) {
  return (
    <>
      <p class="notice">This cart is sold by quote: {cart.quote_reasons.map((one) => reasons[one]).join(", and ")}.</p>
      <a class="button button-wide" href="#/request">
        Ask for a quote
      </a>
    </>
  );
}

function Line({ of }: { of: CartLine }) {
  const more = useStore(cartState).details[of.id];
  const unit = more?.unit ?? (Number.isInteger(of.quantity) ? "piece" : "m");
  const sign = unitSign(unit);
  const change = useAction((quantity: number, key) => setQuantity(of.id, quantity, key));
  const remove = useAction((_: null, key) => removeLine(of.id, key));
  const failing = change.failure ? change : remove;
  return (
    <li class={remove.busy || change.busy ? "line-item stale" : "line-item"}>
      <Picture of={(more as { media?: Media | null } | undefined)?.media} />
      <div class="line-item-text">
        <h3>{more?.slug ? <a href={href(["product", more.slug])}>{of.name}</a> : of.name}</h3>
        {more?.variant_name && <p>{more.variant_name}</p>}
        <ConfigurationText of={of.attributes?.configuration} />
        <p class="hint">
          {of.sku && <>No. {of.sku} · </>}
          {money(of.unit_price)} {sign ? `per ${sign}` : "each"}
          {more?.original_unit_price && (
            <>
              {" "}
              <s>{money(more.original_unit_price)}</s>
            </>
          )}
        </p>
        {failing.failure && (
          <div class="errors" role="alert">
            <p>
              {explain(failing.failure)}{" "}
              {failing.failure.kind !== "refused" && (
                <button type="button" class="link" onClick={failing.again}>
                  Try again
                </button>
              )}
            </p>
          </div>
        )}
      </div>
      <QuantityField value={of.quantity} unit={unit} label={`Quantity of ${of.name}`} onChange={(value) => change.run(value)} />
      <p class="line-item-total">
        <b>{money(of.line_total)}</b>
        {more && more.discount_amount.amount > 0 && <s>{money(more.full_total)}</s>}
      </p>
      <button type="button" class="link line-item-remove" aria-label={`Remove ${of.name}`} onClick={() => remove.run(null)}>
        Remove
      </button>
    </li>
  );
}

const codeErrors: Record<string, string> = {
  invalid: "This code is not known.",
  expired: "This code is over.",
  min_order: "The cart is too small for this code.",
  not_eligible: "This code is not for you.",
  usage_limit: "This code is used up.",
};

function Code({ cart }: { cart: Cart }) {
  const apply = useAction((data: FormData, key) => applyCode(text(data, "code") ?? "", key));
  const remove = useAction((_: null, key) => removeCode(key));
  if (cart.discount_code === null) {
    return (
      <details class="fold">
        <summary>Have a code?</summary>
        <Form action={apply} values={["code"]} label="Use the code">
          <Field name="code" label="Code" maxLength={64} autocomplete="off" />
        </Form>
      </details>
    );
  }
  const applied = cart.discounts.find((one) => one.code?.toLowerCase() === cart.discount_code?.toLowerCase());
  return (
    <div class={cart.discount_code_error ? "code code-refused" : "code"} role="status">
      <p>
        <b>{cart.discount_code}</b>{" "}
        {cart.discount_code_error
          ? codeErrors[cart.discount_code_error]
          : applied && applied.amount > 0
            ? `takes ${cents(applied.amount)} off.`
            : "is kept for the delivery."}
      </p>
      <button type="button" class="link" onClick={() => remove.run(null)}>
        Take it off
      </button>
      <FailureNotice failure={remove.failure} again={remove.again} busy={remove.busy} />
    </div>
  );
}
