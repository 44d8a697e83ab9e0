import { lineTotal, packBeside, usualQuantity } from "cartd-client";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { Product, Variant } from "../api.js";
import { cents, money, quantity, unitSign } from "../shared/formats.js";
import { addLine } from "../cart.js";
import { categories } from "../catalogue.js";
import { dropDraft, useDraft } from "../drafts.js";
import { useAction } from "../shared/load.js";
import { href } from "../shared/router.js";
import { leftOf, onlyLeft, shipsFrom, useCap, useInCart, useStock, type Stock } from "../stock.js";
import { useStore } from "../shared/store.js";
import { tierFor, tiersOf, type Tier } from "../tiers.js";
import { nearest, optionsOf, type Picked } from "../variants.js";
import { useVat } from "../vat.js";
import { account } from "../session.js";
import { t } from "../shared/t.js";
import { FailureNotice } from "../shared/failure.js";
import { Errors, fieldErrors } from "../shared/form.js";
import { Linked } from "../shared/linked.js";
import { saleOf, useHiddenPrices, Was } from "./price.js";
import { QuantityField } from "../shared/quantity.js";
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
  const [asked, setAmount] = useState<number | null>(null);
  const [added, setAdded] = useState(false);
  const [texts, setTexts] = useDraft(textsDraft(of));
  const errorId = useId();
  const priced = variant ?? of;
  const waits = of.variants.length > 0 && !variant;
  const item = { product_id: of.id, variant_id: variant?.id ?? null };
  const stock = useStock(waits || priced.stock_status === "untracked" ? [] : [item])(item);
  const left = leftOf(stock);
  const inCart = useInCart(item);
  const merges = of.text_fields.length === 0; // lines with words of their own stay apart
  const inLine = merges ? inCart : 0;
  const cap = useCap(left, inCart, of.unit, of, inLine);
  const pack = packBeside(of, inLine);
  const gone = left == null ? priced.stock_status === "out_of_stock" : left <= 0;
  const wish = Math.max(asked ?? usualQuantity(pack), pack.min_quantity ?? 0);
  const amount = cap && cap.most > 0 ? Math.min(wish, cap.most) : wish; // what is left becomes less with each add
  const add = useAction(
    (body: Parameters<typeof addLine>[0], key) => addLine(body, key),
    () => {
      setTexts({}); // the next one has words of its own
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
  const sum = tier ? vat.sum(lineTotal(tier.price.amount, amount), of) : null;
  const from = waits && new Set(of.variants.map((one) => one.price?.amount)).size > 1;
  const full = !gone && cap !== null && cap.most <= 0; // the cart has all that is left, or as much as a line can have
  const hidden = useHiddenPrices() && !tier;
  const sale = tier?.from === null ? saleOf(priced) : null;
  const was = sale !== null && vat.pick(priced, "original_price");
  const inPlace = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (added) inPlace.current?.focus({ preventScroll: true }); // the button that had the focus is gone
  }, [full]);
  return (
    <div class="buy">
      <p class="buy-price" aria-live="polite">
        {tier ? (
          <>
            {from && <small>{t.product.from} </small>}
            <b>{money(vat.pick(tier, "price"))}</b>
            <small> {[unit && t.product.per(unit), vat.label].filter(Boolean).join(", ")}</small>
            {was && <Was of={was} />}
          </>
        ) : (
          <b>{hidden ? t.product.hidden : t.product.onRequest}</b>
        )}
        {sum !== null && amount !== 1 && !gone && !full && (
          <small class="buy-sum">{t.product.cost(quantity(amount, of.unit), cents(sum))}</small>
        )}
      </p>
      {sale && (
        <p class="tags">
          <b class="sale">{sale}</b>
        </p>
      )}
      {!tier && <Unpriced hidden={hidden} here={of.slug} />}
      <Tiers of={of} all={tiers} current={tier} />
      {tier && <StockText of={of} priced={priced} gone={gone} stock={waits ? undefined : stock} inCart={inCart} />}
      {of.purchasability === "quote" && <p class="notice">{t.product.soldByQuote}</p>}
      {!gone && !full && (tier || hidden) && (
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
        <Instead of={of} variant={variant} choose={choose} />
      ) : full ? (
        <p>
          <a class="button button-quiet" href="#/cart" ref={inPlace}>
            {t.product.seeCart}
          </a>
        </p>
      ) : !tier && !hidden ? null : (
        <div class="buy-row">
          <QuantityField
            value={amount}
            unit={of.unit}
            pack={pack}
            cap={cap}
            label={t.product.quantity}
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
            aria-disabled={waits || add.busy}
            data-busy={add.busy}
            onClick={() => !waits && add.run({ ...item, ...textsOf(texts), quantity: amount })}
          >
            {waits ? wanted(of, picked) : hidden ? t.product.forQuote : t.product.put}
          </button>
        </div>
      )}
      {quantityErrors ? (
        <div role="alert">
          <Errors id={errorId} of={quantityErrors} label={t.product.quantity} />
        </div>
      ) : (
        !textErrors && <FailureNotice failure={add.failure} again={add.again} busy={add.busy} />
      )}
      <Added shown={added && !add.failure} quote={hidden} />
    </div>
  );
}

/** What the visitor chooses first, as "Choose: Colour". */
function wanted(of: Product, picked: Picked): string {
  const open = optionsOf(of).filter(({ name }) => picked[name] === undefined);
  return open.length > 0 ? t.product.choose(open.map(({ name }) => name).join(", ")) : t.product.chooseTogether;
}

/** Says that a line was added, and where it is. */
function Added({ shown, quote }: { shown: boolean; quote: boolean }) {
  return (
    <div role="status">
      {shown && (
        <p class="notice notice-good">
          {quote ? (
            <Linked text={t.product.askHere} to="#/request" />
          ) : (
            <>
              {t.product.inCart} <a href="#/cart">{t.product.seeCart}</a>
            </>
          )}
        </p>
      )}
    </div>
  );
}

/** What a visitor can do who sees no price: log in, and ask for one. */
function Unpriced({ hidden, here }: { hidden: boolean; here: string }) {
  const guest = useStore(account) === null;
  const to = new URLSearchParams({ to: `product/${here}` });
  if (!guest)
    return (
      <p class="notice">
        <Linked text={t.product.requestKnown} to="#/contact" />
      </p>
    );
  return (
    <div class="notice">
      <p>{hidden ? t.product.hiddenWhy : <Linked text={t.product.requestWhy} to="#/contact" />}</p>
      <p class="notice-actions">
        <a class="button" href={href(["login"], to)}>
          {hidden ? t.product.hidden : t.product.logInTrade}
        </a>{" "}
        <a href={href(["register"], to)}>{t.product.makeAccount}</a>
      </p>
    </div>
  );
}

/** The prices by quantity. The one that holds now is marked. */
function Tiers({ of, all, current }: { of: Product; all: Tier[]; current: Tier | undefined }) {
  const { pick, label } = useVat();
  if (all.length < 2) return null;
  return (
    <table class="tiers">
      <caption>
        {t.product.tiers}
        {label && `, ${label}`}
      </caption>
      <tbody>
        {all.map((one) => (
          <tr aria-current={one === current ? "true" : undefined}>
            <th scope="row">{one.from === null ? below(all[1]!.from!, of.unit) : t.product.tierFrom(quantity(one.from, of.unit))}</th>
            <td>{money(pick(one, "price"))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function below(first: number, unit: Product["unit"]): string {
  if (unit !== "piece") return t.product.tierBelow(quantity(first, unit));
  return first <= 2 ? "1" : t.product.tierUpTo(quantity(first - 1));
}

interface StockProps {
  of: Product;
  priced: Product | Variant;
  gone: boolean;
  stock: Stock;
  inCart: number;
}

function StockText({ of, priced, gone, stock, inCart }: StockProps) {
  if (priced.stock_status === "untracked") return <p class="stock">{of.requires_shipping ? t.product.forYou : t.product.noDelivery}</p>;
  if (gone) return <p class="stock stock-out">{t.product.outNow}</p>;
  const { stock_status, available_from } = stock ?? priced;
  if (stock_status === "backorder") return <p class="stock">{shipsFrom(available_from)}</p>;
  const left = leftOf(stock);
  if (left == null) return <p class="stock stock-in">{t.product.inStock}</p>;
  const now = stock!.available_now ?? left;
  if (inCart > 0) return <p class="stock stock-in">{onlyLeft(left, inCart, of.unit)}</p>;
  const some = quantity(now, of.unit);
  return <p class="stock stock-in">{now < left ? t.product.leftNow(some) : t.product.left(some)}</p>;
}

const offered = 6;

/** What there is in place of what is sold out: other variants, those that have most in common with it first, else other products. */
function Instead({ of, variant, choose }: { of: Product; variant: Variant | null; choose: (variant: Variant) => void }) {
  const all = useStore(categories)?.all ?? [];
  const there = of.variants.filter((one) => one.stock_status !== "out_of_stock");
  const others = variant ? nearest(of, variant, there) : there;
  const category = all.filter((one) => of.category_ids.includes(one.id)).at(-1);
  if (others.length === 0) {
    return (
      <p>
        <a class="button button-quiet" href={href(["products"], category && new URLSearchParams({ category: category.slug }))}>
          {category ? t.product.seeOthersIn(category.name) : t.product.seeOthers}
        </a>
      </p>
    );
  }
  return (
    <div class="instead">
      <p>{t.product.these}</p>
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
