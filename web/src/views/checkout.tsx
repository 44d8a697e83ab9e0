import { useEffect, useState } from "preact/hooks";
import { shop, type Cart } from "../api.js";
import { cartState, openCart } from "../cart.js";
import { howDraft, isPage, pages, type Kept, type Page } from "../checkout.js";
import { readDraft } from "../drafts.js";
import { useExplain } from "../explain.js";
import { useLoad } from "../shared/load.js";
import { FailureNotice, Loaded } from "../shared/failure.js";
import { How } from "../parts/how.js";
import { Lines, TaxHint } from "../parts/lines.js";
import { Order } from "../parts/placing.js";
import { blocked, Proceed } from "../parts/proceed.js";
import { Sums } from "../parts/sums.js";
import { Where } from "../parts/where.js";
import { Linked } from "../shared/linked.js";
import { pendingOrder } from "../pending.js";
import { placedBefore } from "../last-order.js";
import { href } from "../shared/router.js";
import { useStore } from "../shared/store.js";
import { useTitle } from "../title.js";
import { t } from "../shared/t.js";

export function CheckoutView({ page }: { page: string | undefined }) {
  useTitle(t.checkout.title);
  const { cart, loading, failure } = useStore(cartState);
  const last = placedBefore();
  if (failure)
    return (
      <>
        <h1 tabIndex={-1}>{t.checkout.title}</h1>
        <FailureNotice failure={failure} again={openCart} busy={loading} />
      </>
    );
  if (!cart && loading)
    return (
      <>
        <h1 tabIndex={-1}>{t.checkout.title}</h1>
        <div class="outline" aria-busy="true">
          <span class="line" />
          <span class="line" />
        </div>
      </>
    );
  if (!cart || cart.lines.length === 0) {
    return (
      <div class="empty">
        <h1 tabIndex={-1}>{t.checkout.nothing}</h1>
        <p>
          <Linked text={t.checkout.emptyCart} to="#/products" />
        </p>
        {last && (
          <p>
            <Linked text={t.checkout.lastOrder} to={last} />
          </p>
        )}
      </div>
    );
  }
  return (
    <>
      <h1 tabIndex={-1}>{t.checkout.title}</h1>
      <Checkout cart={cart} asked={isPage(page) ? page : "where"} />
    </>
  );
}

function Checkout({ cart, asked }: { cart: Cart; asked: Page }) {
  const kept = useLoad((signal) => shop.get("/v1/api/commerce/carts/{id}/checkout", { path: { id: cart.id }, signal }), [cart]);
  const { requiresShipping: ships, details } = useStore(cartState);
  const explained = useExplain(cart);
  const [of, setOf] = useState<Kept | null>(null);
  const [picked, setPicked] = useState(readDraft(howDraft).shipping_method_id);
  useEffect(() => {
    if (kept.body && of === null) setOf(kept.body.data); // the fields keep what is typed while the cart changes
  }, [kept.body]);
  const sent = pendingOrder() !== null; // a sold cart keeps no checkout: the page stays until the answer is known
  const now = sent ? of : (kept.body?.data ?? of);
  if (cart.requires_quote && !sent) {
    return (
      <div class="split">
        <div>
          <Proceed cart={cart} explained={explained} />
        </div>
        <aside class="summary" aria-label={t.cart.summary}>
          <h2>{t.cart.title}</h2>
          <Lines of={cart.lines} details={details} />
          <Sums of={cart} />
          <TaxHint />
        </aside>
      </div>
    );
  }
  if (!now || !of) return <Loaded from={kept} outline={<span class="line" />} children={() => null} />;
  const page = sent ? "order" : reachable(asked, now);
  const chosenId = page === "how" ? (picked ?? now.shipping_method_id) : now.shipping_method_id;
  const chosen = now.shipping_methods.find((one) => one.id === chosenId);
  const first = page === "how" && chosenId == null ? now.shipping_methods[0] : undefined; // in place of one that is gone nothing is chosen
  const method = ships ? (chosen ?? first) : undefined;
  const aside = (
    <aside class="summary" aria-label={t.cart.summary}>
      <h2>{t.checkout.yours}</h2>
      <Lines of={cart.lines} details={details} />
      {page === "order" ? (
        <Sums
          of={{ ...cart, totals: now.totals, tax_exemption: now.tax_exemption }}
          delivery={method && { ...method, order_total: undefined }}
        />
      ) : (
        <Sums of={cart} delivery={page === "where" ? null : (method ?? null)} />
      )}
      <TaxHint />
      <p class="hint">
        <a class="target" href="#/cart">
          {t.checkout.changeCart}
        </a>
      </p>
    </aside>
  );
  const instead = blocked(cart, explained) ? <Proceed cart={cart} explained={explained} /> : undefined;
  const shared = { cart, of, ships, aside, instead };
  return (
    <>
      <Steps at={page} ships={ships} />
      {page === "where" && <Where {...shared} />}
      {page === "how" && <How {...shared} of={now} method={method} gone={ships && chosenId != null && !chosen} choose={setPicked} />}
      {page === "order" && (
        <Order
          {...shared}
          of={now}
          etag={kept.etag}
          reading={kept.loading}
          again={() => {
            explained.again(); // what refused it may be told ahead of the next try
            void openCart();
          }}
        />
      )}
    </>
  );
}

/** The page that is asked for, or an earlier one that still lacks something. */
function reachable(asked: Page, { missing }: Kept): Page {
  if (missing.includes("email") || missing.includes("shipping_address")) return "where";
  if (missing.includes("shipping_method_id") && asked === "order") return "how";
  return asked;
}

const label = (of: Page, ships: boolean): string => (of === "how" && !ships ? t.checkout.notes : t.checkout[of]);

function Steps({ at, ships }: { at: Page; ships: boolean }) {
  return (
    <nav class="stages" aria-label={t.checkout.title}>
      <ol>
        {pages.map((one, i) => (
          <li>
            {i < pages.indexOf(at) ? (
              <a href={href(["checkout", one])}>{label(one, ships)}</a>
            ) : (
              <span aria-current={one === at ? "step" : undefined}>{label(one, ships)}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
