import type { Failure, Result } from "cartd-client";
import { useEffect } from "preact/hooks";
import { known, useLoad } from "./shared/load.js";
import { Loaded } from "./shared/failure.js";
import type { Route } from "./shared/router.js";
import { loadPageAgain } from "./shared/reach.js";
import { makeStore, useStore } from "./shared/store.js";
import { CartView } from "./views/cart.js";
import { HomeView } from "./views/home.js";
import { ListView } from "./views/list.js";
import { ProductView } from "./views/product.js";

/** The view of an address. */
export function View(route: Route) {
  const [name, id] = route.segments;
  if (name === undefined) return <HomeView />;
  if (name === "products") return <ListView query={route.query} />;
  if (name === "product" && id !== undefined) return <ProductView slug={id} variant={route.query.get("variant")} />;
  if (name === "cart") return <CartView />;
  return <Later {...route} />;
}

type LaterViews = typeof import("./lazy-views.js");

const laterViews = makeStore<LaterViews | null>(null);

let failed = false;

async function loadLaterViews(): Promise<Result<LaterViews>> {
  if (failed) await loadPageAgain();
  try {
    const all = await import("./lazy-views.js");
    laterViews.set(all);
    return known(all);
  } catch {
    failed = true;
    return { ok: false, failure: unreachable, requestId: null, customerTokenStatus: null };
  }
}

const unreachable: Failure = { kind: "unavailable", status: 0, message: "" };

/** A view whose script comes with the first one of its kind. */
function Later(route: Route) {
  const all = useStore(laterViews);
  const load = useLoad(() => (all ? Promise.resolve(known(all)) : loadLaterViews()), []);
  useEffect(() => {
    const main = document.getElementById("main");
    if (main && document.activeElement === main) main.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true }); // it was not there yet
  }, [all]);
  if (all) return <all.LaterView {...route} />;
  return <Loaded from={load} outline={<span class="line title" />} children={() => null} />;
}
