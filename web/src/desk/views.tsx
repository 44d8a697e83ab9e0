import { Missing } from "../shared/failure.js";
import type { Route } from "../shared/router.js";
import { t } from "../shared/t.js";
import { open, places } from "./places.js";
import { useTitle } from "./title.js";
import { OrderView } from "./views/order.js";
import { OrdersView } from "./views/orders.js";

/** The view of an address; the first place that the key opens where it names none. */
export function View({ segments, query }: Route) {
  const [name = open()[0]?.path, id] = segments;
  const place = places.find((one) => one.path === name);
  if (name === undefined) return <Closed scopes={places.flatMap((one) => one.scopes)} />;
  if (place && !open().includes(place)) return <Closed scopes={place.scopes} />;
  if (name === "orders") return id === undefined ? <OrdersView query={query} /> : <OrderView number={id} />;
  return <Unknown />;
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
