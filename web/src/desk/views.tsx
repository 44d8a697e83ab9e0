import type { Failure, Result } from "cartd-client";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Loaded, Missing } from "../shared/failure.js";
import { known, useLoad } from "../shared/load.js";
import { loadPageAgain } from "../shared/reach.js";
import type { Route } from "../shared/router.js";
import { t } from "../shared/t.js";
import { open, places, type PlaceName } from "./places.js";
import { useTitle } from "./title.js";
import { OrderView } from "./views/order.js";
import { OrdersView } from "./views/orders.js";

type View = (route: Route) => ComponentChildren;

/** The views of each place. All but the orders come with the first one of their place. */
const views: { orders: View } & Record<Exclude<PlaceName, "orders">, () => Promise<View>> = {
  start: async () => {
    const { StartView } = await import("./views/start.js");
    return () => <StartView />;
  },
  orders: ({ segments: [, number], query }) => (number === undefined ? <OrdersView query={query} /> : <OrderView number={number} />),
  quotes: async () => {
    const [{ QuotesView }, { QuoteView }] = await Promise.all([import("./views/quotes.js"), import("./views/quote.js")]);
    return ({ segments: [, id], query }) => (id === undefined ? <QuotesView query={query} /> : <QuoteView key={id} id={id} />);
  },
  customers: async () => {
    const { CustomersView, CustomerView } = await import("./views/customers.js");
    return ({ segments: [, id], query }) => (id === undefined ? <CustomersView query={query} /> : <CustomerView id={id} />);
  },
  products: async () => {
    const [{ ProductsView }, { ProductView }] = await Promise.all([import("./views/products.js"), import("./views/product.js")]);
    return ({ segments: [, id], query }) => (id === undefined ? <ProductsView query={query} /> : <ProductView id={id} />);
  },
  discounts: async () => {
    const { DiscountsView, DiscountView } = await import("./views/discounts.js");
    return ({ segments: [, id] }) => (id === undefined ? <DiscountsView /> : <DiscountView id={id} />);
  },
  store: async () => {
    const { StoreView } = await import("./views/store.js");
    return () => <StoreView />;
  },
};

const isPlace = (name: string | undefined): name is PlaceName => name !== undefined && Object.hasOwn(views, name);

/** The view of an address; the first place that the key opens where it names none. */
export function View(route: Route) {
  const name = route.segments[0] ?? open()[0]?.path;
  if (name === undefined) return <Closed scopes={places.flatMap((one) => one.scopes)} />;
  const place = places.find((one) => one.path === name);
  if (!place || !isPlace(name)) return <Unknown />;
  if (!open().includes(place)) return <Closed scopes={place.scopes} />;
  if (name === "orders") return <>{views.orders(route)}</>;
  return <Later key={name} name={name} route={route} />;
}

type LaterName = Exclude<PlaceName, "orders">;

const loaded = new Map<LaterName, View>();
const unreachable: Failure = { kind: "unavailable", status: 0, message: "" };
let failed = false;

async function load(name: LaterName): Promise<Result<View>> {
  if (failed) await loadPageAgain();
  try {
    const view = await views[name]();
    loaded.set(name, view);
    return known(view);
  } catch {
    failed = true;
    return { ok: false, failure: unreachable, requestId: null, customerTokenStatus: null };
  }
}

/** A view whose script comes with the first one of its place. */
function Later({ name, route }: { name: LaterName; route: Route }) {
  const part = useLoad(() => {
    const view = loaded.get(name);
    return view ? Promise.resolve(known(view)) : load(name);
  }, []);
  const view = loaded.get(name);
  useEffect(() => {
    const main = document.getElementById("main");
    if (main && document.activeElement === main) main.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true }); // it was not there yet
  }, [view]);
  if (view) return <>{view(route)}</>;
  return <Loaded from={part} outline={<span class="line title" />} children={() => null} />;
}

function Unknown() {
  useTitle(t.shell.noSuchPage);
  return (
    <Missing title={t.shell.noSuchPage}>
      <p>
        <a href="#/">{t.shell.toStart}</a>
      </p>
    </Missing>
  );
}

/** The key does not open this view. */
function Closed({ scopes }: { scopes: string[] }) {
  useTitle(t.shell.closed);
  return (
    <Missing title={t.shell.closed}>
      <p>{t.shell.closedWhy([...new Set(scopes)].join(", "))}</p>
    </Missing>
  );
}
