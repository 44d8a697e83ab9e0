import { Missing } from "../parts/failure.js";
import { OrderDetails } from "../parts/order.js";
import { lastOrder } from "../placed.js";
import { useStore } from "../store.js";
import { useTitle } from "../title.js";

/** The page after an order. */
export function ThanksView({ token }: { token: string }) {
  useTitle("Thank you");
  const order = useStore(lastOrder);
  if (!order || order.id !== token) return <Missing title="This order is not here"><p>Its link is wrong. <a href="#/">Go to the start</a>.</p></Missing>;
  return (
    <>
      <h1 tabIndex={-1}>Thank you. It is order {order.number}.</h1>
      <OrderDetails of={order} />
    </>
  );
}
