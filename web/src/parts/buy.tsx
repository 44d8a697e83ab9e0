import { useId, useState } from "preact/hooks";
import { cents, lineTotal, money, quantity, unitSign, type Product, type Variant } from "../api.js";
import { addLine } from "../cart.js";
import { useAction } from "../load.js";
import { FailureNotice } from "./failure.js";
import { byLabel, fieldErrors } from "./form.js";
import { QuantityField } from "./quantity.js";

/** Quantity, price and the button that puts a product into the cart. */
export function Buy({ of, variant }: { of: Product; variant: Variant | null }) {
  const [amount, setAmount] = useState(1);
  const [added, setAdded] = useState(false);
  const errorId = useId();
  const priced = variant ?? of;
  const add = useAction(
    (body: Parameters<typeof addLine>[0], key) => addLine(body, key),
    () => setAdded(true),
  );
  const quantityErrors = fieldErrors(add.failure).quantity;
  const unit = unitSign(of.unit);
  const tier = [...priced.tier_prices].reverse().find((one) => one.min_quantity <= amount);
  const each = tier?.unit_price ?? priced.price;
  const waits = of.variants.length > 0 && !variant;
  const gone = priced.stock_status === "out_of_stock";
  return (
    <div class="buy">
      <p class="buy-price" aria-live="polite">
        {each ? (
          <>
            <b>{money(each)}</b>
            {unit && <small> per {unit}</small>}
          </>
        ) : (
          <b>Price on request</b>
        )}
        {each && amount !== 1 && (
          <small class="buy-sum">
            {quantity(amount, of.unit)} cost {cents(lineTotal(each.amount, amount))}
          </small>
        )}
      </p>
      <Tiers of={of} all={priced.tier_prices} amount={amount} />
      <Stock status={priced.stock_status} of={of} />
      {of.purchasability === "quote" && <p class="notice">This product is sold by quote: put it into the cart and ask for one there.</p>}
      <div class="buy-row">
        <QuantityField
          value={amount}
          unit={of.unit}
          label="Quantity"
          onChange={(value) => {
            setAmount(value);
            setAdded(false);
          }}
          invalid={quantityErrors !== undefined}
          {...(quantityErrors && { describedBy: errorId })}
        />
        <button
          type="button"
          class="button button-buy"
          aria-disabled={waits || !each || add.busy}
          data-busy={add.busy}
          onClick={() => !waits && each && add.run({ product_id: of.id, variant_id: variant?.id ?? null, quantity: amount })}
        >
          {waits ? "Choose first" : gone ? "Order anyway" : "Put into the cart"}
        </button>
      </div>
      {quantityErrors ? (
        <div class="errors" id={errorId} role="alert">
          {quantityErrors.map((one) => (
            <p>{byLabel(one, "Quantity")}</p>
          ))}
        </div>
      ) : (
        <FailureNotice failure={add.failure} again={add.again} busy={add.busy} />
      )}
      <Added shown={added && !add.failure} />
    </div>
  );
}

/** Says that a line was added, and where it is. */
export function Added({ shown }: { shown: boolean }) {
  return (
    <div role="status">
      {shown && (
        <p class="notice notice-good">
          It is in your cart. <a href="#/cart">See the cart</a>
        </p>
      )}
    </div>
  );
}

/** The prices by quantity. The one that holds now is marked. */
function Tiers({ of, all, amount }: { of: Product; all: Product["tier_prices"]; amount: number }) {
  if (all.length === 0) return null;
  const current = [...all].reverse().find((one) => one.min_quantity <= amount);
  return (
    <table class="tiers">
      <caption>Price by quantity</caption>
      <tbody>
        {all.map((one) => (
          <tr aria-current={one === current ? "true" : undefined}>
            <th scope="row">from {quantity(one.min_quantity, of.unit)}</th>
            <td>{money(one.unit_price)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Stock({ status, of }: { status: Product["stock_status"]; of: Product }) {
  if (status === "in_stock") return <p class="stock stock-in">In stock</p>;
  if (status === "out_of_stock") return <p class="stock stock-out">Sold out at the moment</p>;
  return <p class="stock">{of.requires_shipping ? "Made or ordered for you" : "Nothing to deliver"}</p>;
}
