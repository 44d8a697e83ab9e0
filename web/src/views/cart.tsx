import { useEffect, useRef, useState } from "preact/hooks";
import { cents, type Cart, type CartLine } from "../api.js";
import { addLine, type NewLine, cartState, merged, openCart, removeLine, setQuantity } from "../cart.js";
import { useExplain } from "../explain.js";
import { useAction } from "../load.js";
import { Codes } from "../parts/codes.js";
import { Explained } from "../parts/explained.js";
import { explain, FailureNotice } from "../parts/failure.js";
import { LineFacts, TaxHint, unitOf } from "../parts/lines.js";
import { Merged } from "../parts/merged.js";
import { Picture } from "../parts/picture.js";
import { Proceed } from "../parts/proceed.js";
import { QuantityField } from "../parts/quantity.js";
import { Sums } from "../parts/sums.js";
import { href } from "../router.js";
import { onlyLeft, useCap, useInCart, useStock } from "../stock.js";
import { useStore } from "../store.js";
import { fullTotal } from "../sums.js";
import { useTitle } from "../title.js";
import { useVat } from "../vat.js";

export function CartView() {
  useTitle("Cart");
  const { cart, loading, failure } = useStore(cartState);
  const report = useStore(merged);
  const [removed, setRemoved] = useState<Removed | null>(null);
  const filled = cart && cart.lines.length > 0;
  const lines = <LinesOfCart all={cart?.lines ?? []} removed={removed} setRemoved={setRemoved} />;
  return (
    <>
      <h1 tabIndex={-1}>Your cart</h1>
      {report && <Merged report={report} cart={cart} />}
      <FailureNotice failure={failure} again={openCart} busy={loading} />
      {filled ? (
        <div class="split">
          {lines}
          <Summary cart={cart} />
        </div>
      ) : loading ? (
        <div class="outline" aria-busy="true">
          <span class="line" />
          <span class="line" />
        </div>
      ) : (
        !failure && (
          <>
            {removed && lines}
            <Empty />
          </>
        )
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

/** A line that was just removed. It can be put back, from the place where it was. */
interface Removed {
  line: CartLine;
  at: number;
}

function LinesOfCart({
  all,
  removed,
  setRemoved,
}: {
  all: CartLine[];
  removed: Removed | null;
  setRemoved: (removed: Removed | null) => void;
}) {
  const stock = useStock(all.filter((one) => !one.attributes?.configuration));
  const list = useRef<HTMLUListElement>(null);
  const undone = () => {
    setRemoved(null);
    list.current?.querySelector<HTMLElement>("li:last-child .line-item-remove")?.focus(); // it is the last line now
  };
  const rows = all.map((one, at) => (
    <Line of={one} key={one.id} left={one.attributes?.configuration ? null : stock(one)} onRemoved={() => setRemoved({ line: one, at })} />
  ));
  if (removed) rows.splice(removed.at, 0, <RemovedLine of={removed.line} key={`removed-${removed.line.id}`} done={undone} />);
  return (
    <div>
      <h2 class="hidden">Lines</h2>
      <ul class="lines" ref={list}>
        {rows}
      </ul>
    </div>
  );
}

/** A line as it is put into the cart again, at today's price. */
function lineAgain({ product_id, variant_id, quantity, properties, attributes }: CartLine): NewLine {
  const made = attributes?.configuration;
  return {
    product_id,
    variant_id,
    quantity,
    ...(properties && { properties }),
    ...(made && { configuration: { dimensions: made.dimensions, choices: made.choices } }),
  };
}

/** Where a line was: the focus stays here, and the line can be put back. */
function RemovedLine({ of, done }: { of: CartLine; done: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const undo = useAction((_: null, key) => addLine(lineAgain(of), key), done);
  useEffect(() => button.current?.focus({ preventScroll: true }), []);
  return (
    <li class="line-removed">
      <p role="status">{of.name} was removed.</p>
      <button
        type="button"
        class="link"
        ref={button}
        aria-label={`Undo: put ${of.name} back`}
        aria-disabled={undo.busy}
        onClick={() => undo.run(null)}
      >
        Undo
      </button>
      <FailureNotice failure={undo.failure} again={undo.again} busy={undo.busy} />
    </li>
  );
}

function Line({ of, left, onRemoved }: { of: CartLine; left: number | null | undefined; onRemoved: () => void }) {
  const more = useStore(cartState).details[of.id];
  const { ex } = useVat();
  const unit = unitOf(of, more);
  const others = useInCart(of, of.id);
  const cap = useCap(left, others, unit);
  const change = useAction((quantity: number, key) => setQuantity(of.id, quantity, key));
  const remove = useAction((_: null, key) => removeLine(of.id, key), onRemoved);
  const failing = change.failure ? change : remove;
  return (
    <li class={remove.busy || change.busy ? "line-item stale" : "line-item"}>
      <Picture of={more?.media} />
      <div class="line-item-text">
        <h3>{more?.slug ? <a href={href(["product", more.slug])}>{of.name}</a> : of.name}</h3>
        <LineFacts of={of} details={more} />
        {left != null && of.quantity + others > left && (
          <p class="errors">
            {left > 0 ? onlyLeft(left, others, unit) : "It is sold out."}{" "}
            {left - others > 0 && (
              <button type="button" class="link" onClick={() => change.run(left - others)}>
                Take what is left
              </button>
            )}
          </p>
        )}
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
      <QuantityField
        value={of.quantity}
        unit={unit}
        cap={cap && cap.most >= of.quantity ? cap : null}
        label={`Quantity of ${of.name}`}
        onChange={(value) => change.run(value)}
      />
      <p class="line-item-total">
        <b>{cents(fullTotal(of, ex))}</b>
      </p>
      <button type="button" class="link line-item-remove" aria-label={`Remove ${of.name}`} onClick={() => remove.run(null)}>
        Remove
      </button>
    </li>
  );
}

function Summary({ cart }: { cart: Cart }) {
  const explained = useExplain(cart);
  return (
    <aside class="summary" aria-label="Summary">
      <h2>Summary</h2>
      <Sums of={cart} />
      <TaxHint />
      <p class="hint">Delivery is added at the checkout, where you see it before you order.</p>
      <Proceed cart={cart} explained={explained}>
        <a class="button button-wide" href="#/checkout">
          Check out
        </a>
      </Proceed>
      <Codes cart={cart} />
      <Explained from={explained} />
    </aside>
  );
}
