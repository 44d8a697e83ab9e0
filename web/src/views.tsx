import { Missing } from "./parts/failure.js";
import type { Route } from "./router.js";
import { useTitle } from "./title.js";
import { AccountView, AddressesView, OrdersView, OrderView } from "./views/account.js";
import { CartView } from "./views/cart.js";
import { CheckoutView } from "./views/checkout.js";
import { HomeView } from "./views/home.js";
import { ListView } from "./views/list.js";
import { LoginView, RegisterView } from "./views/login.js";
import { ForgotView, ResetView } from "./views/password.js";
import { ProductView } from "./views/product.js";
import { QuoteView, RequestView } from "./views/quote.js";
import { OwnQuoteView, QuotesView } from "./views/quotes.js";
import { ThanksView } from "./views/thanks.js";

/** The view of an address. */
export function View({ segments, query }: Route) {
  const [name, id] = segments;
  if (name === undefined) return <HomeView />;
  if (name === "products") return <ListView query={query} />;
  if (name === "product" && id !== undefined) return <ProductView slug={id} />;
  if (name === "cart") return <CartView />;
  if (name === "checkout") return <CheckoutView page={id} />;
  if (name === "thanks" && id !== undefined) return <ThanksView token={id} />;
  if (name === "login") return <LoginView to={query.get("to")} />;
  if (name === "forgot") return <ForgotView />;
  if (name === "reset" && id !== undefined) return <ResetView token={id} email={query.get("email")} />;
  if (name === "register") return <RegisterView to={query.get("to")} />;
  if (name === "account") return <AccountView />;
  if (name === "addresses") return <AddressesView query={query} />;
  if (name === "orders") return id === undefined ? <OrdersView query={query} /> : <OrderView id={id} />;
  if (name === "request") return <RequestView />;
  if (name === "quote" && id !== undefined) return <QuoteView token={id} />;
  if (name === "quotes") return id === undefined ? <QuotesView /> : <OwnQuoteView id={id} />;
  return <Unknown />;
}

function Unknown() {
  useTitle("There is no such page");
  return (
    <Missing title="There is no such page">
      <p>
        The address may be old. <a href="#/">Go to the start</a>.
      </p>
    </Missing>
  );
}
