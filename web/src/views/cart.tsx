import { anyQuantity, fullTotal, greatestQuantity } from "cartd-client";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Cart, CartLine } from "../api.js";
import { cents, quantity } from "../shared/formats.js";
import { addLine, type NewLine, cartState, merged, openCart, removeLine, setQuantity } from "../cart.js";
import { useExplain } from "../explain.js";
import { useAction } from "../shared/load.js";
import { Codes } from "../parts/codes.js";
import { CountryPicker } from "../parts/country.js";
import { Explained } from "../parts/explained.js";
import { FailureNotice } from "../shared/failure.js";
import { LineFacts, TaxHint, unitOf } from "../parts/lines.js";
import { Merged } from "../parts/merged.js";
import { FreeDelivery } from "../parts/known.js";
import { Picture } from "../parts/picture.js";
import { useHiddenPrices } from "../parts/price.js";
import { Proceed } from "../parts/proceed.js";
import { QuantityField } from "../shared/quantity.js";
import { Sums } from "../parts/sums.js";
import { productOf } from "../catalogue.js";
import { leftOf, onlyLeft, shipsFrom, useCap, useInCart, useStock, type Stock } from "../stock.js";
import { useStore } from "../shared/store.js";
import { useTitle } from "../title.js";
import { useVat } from "../vat.js";
import { t } from "../shared/t.js";

export function CartView() {
  useTitle(t.shell.cart);
  const { cart, loading, failure } = useStore(cartState);
  const report = useStore(merged);
  const [removed, setRemoved] = useState<Removed | null>(null);
  const filled = cart && cart.lines.length > 0;
  const lines = <LinesOfCart all={cart?.lines ?? []} removed={removed} setRemoved={setRemoved} />;
  return (
    <>
      <h1 tabIndex={-1}>{t.cart.title}</h1>
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
      <h2>{t.cart.empty}</h2>
      <p>{t.cart.emptyWhy}</p>
      <p>
        <a class="button" href="#/products">
          {t.shell.lookAround}
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
    <Line of={one} key={one.id} stock={one.attributes?.configuration ? null : stock(one)} onRemoved={() => setRemoved({ line: one, at })} />
  ));
  if (removed) rows.splice(removed.at, 0, <RemovedLine of={removed.line} key={`removed-${removed.line.id}`} done={undone} />);
  return (
    <div>
      <h2 class="hidden">{t.cart.lines}</h2>
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
      <p role="status">{t.cart.removed(of.name)}</p>
      <button
        type="button"
        class="link"
        ref={button}
        aria-label={t.cart.undoFor(of.name)}
        aria-disabled={undo.busy}
        onClick={() => undo.run(null)}
      >
        {t.cart.undo}
      </button>
      <FailureNotice failure={undo.failure} again={undo.again} busy={undo.busy} />
    </li>
  );
}

function Line({ of, stock, onRemoved }: { of: CartLine; stock: Stock; onRemoved: () => void }) {
  const left = leftOf(stock);
  const more = useStore(cartState).details[of.id];
  const { display } = useVat();
  const unit = unitOf(of, more);
  const others = useInCart(of, of.id);
  const pack = more ?? anyQuantity;
  const cap = useCap(left, others, unit, pack);
  const change = useAction((to: number, key) => setQuantity(of.id, to, key));
  const remove = useAction((_: null, key) => removeLine(of.id, key), onRemoved);
  const failing = change.failure ? change : remove;
  return (
    <li class={remove.busy || change.busy ? "line-item stale" : "line-item"}>
      <Picture of={more?.media} />
      <div class="line-item-text">
        <h3>{more?.slug ? <a href={productOf(more.slug, of.variant_id)}>{of.name}</a> : of.name}</h3>
        <LineFacts of={of} details={more} />
        {left != null && of.quantity + others > left && (
          <p class="errors">
            {left > 0 ? onlyLeft(left, others, unit) : t.cart.soldOut}{" "}
            {greatestQuantity(pack, left - others) > 0 && (
              <button type="button" class="link" onClick={() => change.run(greatestQuantity(pack, left - others))}>
                {t.cart.takeLeft}
              </button>
            )}
          </p>
        )}
        {left != null && of.quantity + others <= left && of.quantity + others > stock!.available_now! && (
          <p class="hint">
            {stock!.available_now! > 0 ? t.cart.restLater(quantity(stock!.available_now!, unit)) : shipsFrom(stock!.available_from)}
          </p>
        )}
        <FailureNotice failure={failing.failure} again={failing.again} busy={failing.busy} />
      </div>
      <QuantityField
        value={of.quantity}
        unit={unit}
        pack={pack}
        cap={cap && cap.most >= of.quantity ? cap : null}
        failed={change.failure}
        label={t.cart.quantityOf(of.name)}
        onChange={(value) => change.run(value)}
      />
      <p class="line-item-total">
        <b>{cents(fullTotal(of, display))}</b>
      </p>
      <button type="button" class="link line-item-remove" aria-label={t.cart.removeFor(of.name)} onClick={() => remove.run(null)}>
        {t.cart.remove}
      </button>
    </li>
  );
}

function Summary({ cart }: { cart: Cart }) {
  const explained = useExplain(cart);
  const hidden = useHiddenPrices();
  return (
    <aside class="summary" aria-label={t.cart.summary}>
      <h2>{t.cart.summary}</h2>
      <CountryPicker cart={cart} />
      <Sums of={cart} />
      <TaxHint />
      <FreeDelivery cart={cart} />
      <p class="hint">{t.cart.deliveryLater}</p>
      <Proceed cart={cart} explained={explained}>
        <a class="button button-wide" href="#/checkout">
          {t.cart.checkOut}
        </a>
      </Proceed>
      {hidden && !cart.requires_quote && (
        <p>
          <a href="#/request">{t.cart.askQuote}</a>
        </p>
      )}
      <Codes cart={cart} explained={explained} />
      <Explained from={explained} />
    </aside>
  );
}
