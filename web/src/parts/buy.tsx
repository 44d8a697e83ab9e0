import { useEffect, useId, useRef, useState } from "preact/hooks";
import { cents, money, quantity, unitSign, type Product, type Variant } from "../api.js";
import { addLine } from "../cart.js";
import { categories } from "../catalogue.js";
import { dropDraft, useDraft } from "../drafts.js";
import { useAction } from "../load.js";
import { href } from "../router.js";
import { onlyLeft, useCap, useInCart, useStock } from "../stock.js";
import { useStore } from "../store.js";
import { lineTotal } from "../sums.js";
import { tierFor, tiersOf, type Tier } from "../tiers.js";
import { optionsOf, type Picked } from "../variants.js";
import { useVat } from "../vat.js";
import { FailureNotice } from "./failure.js";
import { Errors, fieldErrors } from "./form.js";
import { QuantityField } from "./quantity.js";
import { TextFields, textsDraft, textsOf } from "./texts.js";

/** Quantity, price and the button that puts a product into the cart. Where nothing of it is left, what else there is takes the button's place. */
export function Buy({
  of,
  variant,
  picked,
  choose,
}: {
  of: Product;
  variant: Variant | null;
  picked: Picked;
  choose: (variant: Variant) => void;
}) {
  const [asked, setAmount] = useState(1);
  const [added, setAdded] = useState(false);
  const [texts, setTexts] = useDraft(textsDraft(of));
  const errorId = useId();
  const priced = variant ?? of;
  const waits = of.variants.length > 0 && !variant;
  const item = { product_id: of.id, variant_id: variant?.id ?? null };
  const left = useStock(waits || priced.stock_status === "untracked" ? [] : [item])(item);
  const inCart = useInCart(item);
  const cap = useCap(left, inCart, of.unit);
  const amount = cap ? Math.min(asked, cap.most) : asked; // what is left becomes less with each add
  const add = useAction(
    (body: Parameters<typeof addLine>[0], key) => addLine(body, key),
    () => {
      dropDraft(textsDraft(of));
      setAdded(true);
    },
  );
  const errors = fieldErrors(add.failure);
  const quantityErrors = errors.quantity;
  const textErrors = Object.keys(errors).some((name) => name.startsWith("properties."));
  const unit = unitSign(of.unit);
  const tiers = tiersOf(priced);
  const tier = tierFor(tiers, amount);
  const vat = useVat();
  const from = waits && new Set(of.variants.map((one) => one.price?.amount)).size > 1;
  const gone = left == null ? priced.stock_status === "out_of_stock" : left <= 0;
  const allMine = !gone && left != null && inCart >= left;
  const inPlace = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (added) inPlace.current?.focus({ preventScroll: true }); // the button that had the focus is gone
  }, [allMine]);
  return (
    <div class="buy">
      <p class="buy-price" aria-live="polite">
        {tier ? (
          <>
            {from && <small>from </small>}
            <b>{money(vat.pick(tier, "price"))}</b>
            <small> {[unit && `per ${unit}`, vat.label].filter(Boolean).join(", ")}</small>
          </>
        ) : (
          <b>Price on request</b>
        )}
        {tier && amount !== 1 && (
          <small class="buy-sum">
            {quantity(amount, of.unit)} cost {cents(vat.sum(lineTotal(tier.price.amount, amount), of))}
          </small>
        )}
      </p>
      <Tiers of={of} all={tiers} current={tier} />
      <Stock of={of} gone={gone} left={left} inCart={inCart} waits={waits} tracked={priced.stock_status !== "untracked"} />
      {of.purchasability === "quote" && <p class="notice">This product is sold by quote: put it into the cart and ask for one there.</p>}
      {!gone && !allMine && (
        <TextFields
          of={of}
          texts={texts}
          errors={errors}
          write={(next) => {
            setTexts(next);
            setAdded(false);
          }}
        />
      )}
      {gone ? (
        <Instead of={of} choose={choose} />
      ) : allMine ? (
        <p>
          <a class="button button-quiet" href="#/cart" ref={inPlace}>
            See the cart
          </a>
        </p>
      ) : (
        <div class="buy-row">
          <QuantityField
            value={amount}
            unit={of.unit}
            cap={cap}
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
            aria-disabled={waits || !tier || add.busy}
            data-busy={add.busy}
            onClick={() => !waits && tier && add.run({ ...item, ...textsOf(texts), quantity: amount })}
          >
            {waits ? wanted(of, picked) : "Put into the cart"}
          </button>
        </div>
      )}
      {quantityErrors ? (
        <div role="alert">
          <Errors id={errorId} of={quantityErrors} label="Quantity" />
        </div>
      ) : (
        !textErrors && <FailureNotice failure={add.failure} again={add.again} busy={add.busy} />
      )}
      <Added shown={added && !add.failure} />
    </div>
  );
}

/** What the visitor chooses first, as "Choose: Colour". */
function wanted(of: Product, picked: Picked): string {
  const open = optionsOf(of).filter(({ name }) => picked[name] === undefined);
  return open.length > 0 ? `Choose: ${open.map(({ name }) => name).join(", ")}` : "Choose what goes together";
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
function Tiers({ of, all, current }: { of: Product; all: Tier[]; current: Tier | undefined }) {
  const { pick, label } = useVat();
  if (all.length < 2) return null;
  return (
    <table class="tiers">
      <caption>Price by quantity{label && `, ${label}`}</caption>
      <tbody>
        {all.map((one) => (
          <tr aria-current={one === current ? "true" : undefined}>
            <th scope="row">{one.from === null ? below(all[1]!.from!, of.unit) : `from ${quantity(one.from, of.unit)}`}</th>
            <td>{money(pick(one, "price"))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function below(first: number, unit: Product["unit"]): string {
  if (unit !== "piece") return `below ${quantity(first, unit)}`;
  return first <= 2 ? "1" : `1 to ${quantity(first - 1)}`;
}

interface StockProps {
  of: Product;
  gone: boolean;
  left: number | null | undefined;
  inCart: number;
  waits: boolean;
  tracked: boolean;
}

function Stock({ of, gone, left, inCart, waits, tracked }: StockProps) {
  if (!tracked) return <p class="stock">{of.requires_shipping ? "Made or ordered for you" : "Nothing to deliver"}</p>;
  if (gone) return <p class="stock stock-out">Sold out at the moment</p>;
  if (waits || left == null) return <p class="stock stock-in">In stock</p>;
  return <p class="stock stock-in">{inCart > 0 ? onlyLeft(left, inCart, of.unit) : `In stock: ${quantity(left, of.unit)} left`}</p>;
}

const offered = 6;

/** What there is in place of what is sold out: other variants, else other products. */
function Instead({ of, choose }: { of: Product; choose: (variant: Variant) => void }) {
  const all = useStore(categories)?.all ?? [];
  const others = of.variants.filter((one) => one.stock_status !== "out_of_stock");
  const category = all.filter((one) => of.category_ids.includes(one.id)).at(-1);
  if (others.length === 0) {
    return (
      <p>
        <a class="button button-quiet" href={href(["products"], category && new URLSearchParams({ category: category.slug }))}>
          See others{category && ` in ${category.name}`}
        </a>
      </p>
    );
  }
  return (
    <div class="instead">
      <p>These are there:</p>
      <p class="chips">
        {others.slice(0, offered).map((one) => (
          <button type="button" class="chip" onClick={() => choose(one)}>
            {one.name}
          </button>
        ))}
      </p>
    </div>
  );
}
