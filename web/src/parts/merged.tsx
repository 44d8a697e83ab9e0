import type { Cart } from "../api.js";
import { merged } from "../cart.js";

type Report = NonNullable<ReturnType<typeof merged.get>>;

/** What the login merged into the cart. */
export function Merged({ report, cart }: { report: Report; cart: Cart | null }) {
  if (report.length === 0) return null;
  const sum = (count: (one: Report[number]) => number) => report.reduce((total, one) => total + count(one), 0);
  const name = (id: string) => cart?.lines.find((one) => one.id === id)?.name ?? "a line";
  return (
    <div class="notice notice-good" role="status">
      <p>
        <b>
          {report.length === 1
            ? "Your other cart was merged into this one."
            : `Your ${report.length} other carts were merged into this one.`}
        </b>
      </p>
      <ul>
        {sum((one) => one.moved) > 0 && <li>{count(sum((one) => one.moved))} came with it.</li>}
        {sum((one) => one.summed) > 0 && <li>{count(sum((one) => one.summed))} stood in both: the quantities add up.</li>}
        {report
          .flatMap((one) => one.clamped)
          .map((one) => (
            <li>
              Of {name(one.line_id)}, {one.kept} of {one.requested} could be kept.
            </li>
          ))}
        {sum((one) => one.dropped.length) > 0 && <li>{count(sum((one) => one.dropped.length))} had no room.</li>}
      </ul>
      <button type="button" class="link" onClick={() => merged.set(null)}>
        Good
      </button>
    </div>
  );
}

const count = (lines: number) => (lines === 1 ? "One line" : `${lines} lines`);
