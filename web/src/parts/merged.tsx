import type { Cart } from "../api.js";
import { merged } from "../cart.js";
import { t } from "../shared/t.js";

type Report = NonNullable<ReturnType<typeof merged.get>>;

/** What the login merged into the cart. */
export function Merged({ report, cart }: { report: Report; cart: Cart | null }) {
  if (report.length === 0) return null;
  const sum = (count: (one: Report[number]) => number) => report.reduce((total, one) => total + count(one), 0);
  const name = (id: string) => cart?.lines.find((one) => one.id === id)?.name ?? t.cart.aLine;
  return (
    <div class="notice notice-good" role="status">
      <p>
        <b>{report.length === 1 ? t.cart.mergedOne : t.cart.merged(report.length)}</b>
      </p>
      <ul>
        {sum((one) => one.moved) > 0 && <li>{t.cart.cameAlong(sum((one) => one.moved))}</li>}
        {sum((one) => one.summed) > 0 && <li>{t.cart.inBoth(sum((one) => one.summed))}</li>}
        {report
          .flatMap((one) => one.clamped)
          .map((one) => (
            <li>{t.cart.clamped(name(one.line_id), one.kept, one.requested)}</li>
          ))}
        {sum((one) => one.dropped.length) > 0 && <li>{t.cart.noRoom(sum((one) => one.dropped.length))}</li>}
      </ul>
      <button type="button" class="link" onClick={() => merged.set(null)}>
        {t.shell.good}
      </button>
    </div>
  );
}
