import { Missing } from "./parts/failure.js";
import type { Route } from "./router.js";
import { CartView } from "./views/cart.js";
import { CheckoutView } from "./views/checkout.js";
import { HomeView } from "./views/home.js";
import { ListView } from "./views/list.js";
import { ProductView } from "./views/product.js";
import { ThanksView } from "./views/thanks.js";

/** The view of an address. */
export function View({ segments, query }: Route) {
  const [name, id] = segments;
  if (name === undefined) return <HomeView />;
  if (name === "products") return <ListView query={query} />;
  if (name === "product" && id !== undefined) return <ProductView slug={id} />;
  if (name === "cart") return <CartView />;
  if (name === "checkout") return <CheckoutView />;
  if (name === "thanks" && id !== undefined) return <ThanksView token={id} />;
  return <Missing title="There is no such page"><p>The address may be old. <a href="#/">Go to the start</a>.</p></Missing>;
}
