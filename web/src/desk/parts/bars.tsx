import { cents, quantity } from "../../shared/formats.js";
import { makeStore, useStore } from "../../shared/store.js";
import { t } from "../../shared/t.js";
import { rounded } from "../amounts.js";
import { weekday } from "../times.js";

/** A day of sales. */
export interface Day {
  date: Date;
  orders: number;
  amount: number;
  cancelled: number;
}

const [height, left, below] = [220, 72, 22];
const least = 1000; // the cents of the scale where nothing was sold

const phone = matchMedia("(max-width: 44rem)");
const narrow = makeStore(phone.matches);
phone.addEventListener("change", () => narrow.set(phone.matches));

/** The turnover of days as bars, and the same as a table. */
export function Bars({ days }: { days: Day[] }) {
  const [width, every] = useStore(narrow) ? [400, 14] : [900, 7]; // of the drawing; every how many days one is named
  const top = ceiling(Math.max(least, ...days.map((one) => one.amount)));
  const step = (width - left) / days.length;
  const y = (amount: number) => (height - below) * (1 - amount / top);
  return (
    <figure class="bars">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t.start.chart}>
        {[0, 0.5, 1].map((part) => (
          <g>
            <line x1={left} x2={width} y1={y(top * part) + 0.5} y2={y(top * part) + 0.5} />
            <text x={left - 8} y={y(top * part) + 14 * part - 2} text-anchor="end">
              {rounded(top * part)}
            </text>
          </g>
        ))}
        {days.map((one, i) => (
          <g class={i === days.length - 1 ? "bar bar-today" : "bar"}>
            <title>{`${weekday(one.date)}: ${t.start.orders(one.orders)}, ${cents(one.amount)}`}</title>
            <rect class="bar-room" x={left + i * step} y={0} width={step} height={height - below} />
            <rect
              x={left + i * step + step * 0.15}
              width={step * 0.7}
              y={y(one.amount)}
              height={Math.max(0, height - below - y(one.amount))}
              rx={2}
            />
            {(days.length - 1 - i) % every === 0 && (
              <text x={left + (i + 0.5) * step} y={height - 6} text-anchor={i === days.length - 1 ? "end" : "middle"}>
                {weekday(one.date)}
              </text>
            )}
          </g>
        ))}
      </svg>
      <details>
        <summary>{t.start.table}</summary>
        <div class="scroll" tabIndex={0} role="region" aria-label={t.start.table}>
          <table class="lines">
            <thead>
              <tr>
                <th scope="col">{t.start.day}</th>
                <th scope="col" class="number">
                  {t.places.orders}
                </th>
                <th scope="col" class="number">
                  {t.start.turnover}
                </th>
                <th scope="col" class="number">
                  {t.start.cancelled}
                </th>
              </tr>
            </thead>
            <tbody>
              {days.toReversed().map((one) => (
                <tr>
                  <td>{weekday(one.date)}</td>
                  <td class="number">{quantity(one.orders)}</td>
                  <td class="number">{cents(one.amount)}</td>
                  <td class="number">{one.cancelled === 0 ? "–" : cents(one.cancelled)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

/** The next round amount: 1, 2 or 5 with zeros. */
function ceiling(amount: number): number {
  const ten = 10 ** Math.floor(Math.log10(amount));
  return [1, 2, 5, 10].map((one) => one * ten).find((one) => one >= amount) ?? amount;
}
