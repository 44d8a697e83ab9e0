import { Missing } from "./shared/failure.js";
import { Linked } from "./shared/linked.js";
import type { Route } from "./shared/router.js";
import { t } from "./shared/t.js";
import { useTitle } from "./title.js";
import { AccountView } from "./views/account.js";
import { AddressesView } from "./views/addresses.js";
import { CheckoutView } from "./views/checkout.js";
import { InfoView, isPage } from "./views/info.js";
import { LoginView, RegisterView } from "./views/login.js";
import { OrdersView, OrderView } from "./views/orders.js";
import { ForgotView, ResetView } from "./views/password.js";
import { QuoteView, RequestView } from "./views/quote.js";
import { OwnQuoteView, QuotesView } from "./views/quotes.js";
import { ThanksView } from "./views/thanks.js";

// What comes after the catalogue and the cart: a file of its own, which is loaded with the first of these views.

/** The view of an address that is none of the catalogue's. */
export function LaterView({ segments, query }: Route) {
  const [name, id] = segments;
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
  if (isPage(name)) return <InfoView page={name} />;
  if (name === "quotes") return id === undefined ? <QuotesView query={query} /> : <OwnQuoteView id={id} />;
  return <Unknown />;
}

function Unknown() {
  useTitle(t.shell.noSuchPage);
  return (
    <Missing title={t.shell.noSuchPage}>
      <p>
        <Linked text={t.shell.oldAddress} to="#/" />
      </p>
    </Missing>
  );
}
