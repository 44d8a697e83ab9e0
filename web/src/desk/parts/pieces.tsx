import { useId } from "preact/hooks";
import { quantity } from "../../shared/formats.js";
import { t } from "../../shared/t.js";
import { parseQuantity } from "../amounts.js";
import type { OrderLine } from "../types.js";

const field = (line: string) => `pieces ${line}`;

/** How many pieces of each line are meant: as many as are left, or none at first. */
export function Pieces({ lines, left, all }: { lines: OrderLine[]; left: (of: OrderLine) => number; all: boolean }) {
  const id = useId();
  const shown = lines.filter((one) => left(one) > 0);
  return (
    <fieldset class="pieces">
      <legend>{t.ask.pieces}</legend>
      {shown.map((line, i) => (
        <p>
          <label for={`${id}-${i}`}>{[line.name, line.variant_name].filter(Boolean).join(", ")}</label>
          <span>
            <input
              id={`${id}-${i}`}
              name={field(line.id)}
              inputMode={line.unit === "piece" ? "numeric" : "decimal"}
              autocomplete="off"
              defaultValue={all ? String(left(line)) : "0"}
              onFocus={(event) => event.currentTarget.select()}
            />{" "}
            {t.ask.of(quantity(left(line), line.unit))}
          </span>
        </p>
      ))}
    </fieldset>
  );
}

/** The pieces that a form names; what is no quantity counts as typed, so that the API says what is wrong. */
export function piecesOf(data: FormData, lines: OrderLine[]): { line_id: string; quantity: number }[] {
  return lines.flatMap((line) => {
    const typed = data.get(field(line.id));
    if (typeof typed !== "string") return [];
    const quantity = typed.trim() === "" ? 0 : (parseQuantity(typed) ?? -1);
    return quantity === 0 ? [] : [{ line_id: line.id, quantity }];
  });
}

/** Whether pieces are all that is left of all lines. */
export const isAll = (pieces: { line_id: string; quantity: number }[], lines: OrderLine[], left: (of: OrderLine) => number): boolean =>
  lines.every((line) => left(line) === 0 || pieces.some((one) => one.line_id === line.id && one.quantity === left(line)));
