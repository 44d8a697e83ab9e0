import type { Schemas } from "@/server/shop";
import { prices } from "@/server/catalogue";
import { texts } from "@/texts/texts";

/** What happened to an order after its sale: parcels, cancels of lines, returns and refunds. */
export async function OrderParts({ order }: { order: Schemas["Order"] }) {
  const { word, date } = await texts();
  const { money } = await prices();
  if (order.parts.length === 0) return null;
  const pieces = ({ lines }: Schemas["OrderPart"]) =>
    lines.map(({ line_id, quantity }) => `${quantity} × ${order.lines.find(({ id }) => id === line_id)?.name ?? ""}`);
  return (
    <section>
      <h2>{word("happened")}</h2>
      <ul>
        {order.parts.map((part) => (
          <li key={part.id}>
            {date(part.at)}: {word(`part_${part.kind}`)}
            {part.amount !== null && <> {money({ ...order.totals.total, amount: part.amount })}</>} {pieces(part).join(", ")} <Tracking part={part} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Tracking({ part: { carrier, tracking_number, tracking_url } }: { part: Schemas["OrderPart"] }) {
  const track = tracking_url?.startsWith("https://") ? tracking_url : null;
  return (
    <>
      {carrier} {track ? <a href={track}>{tracking_number ?? track}</a> : tracking_number}
    </>
  );
}
