import { useEffect, useId, useState } from "preact/hooks";
import { unitSign, type Unit } from "../api.js";
import { fit, leastOf, step, type Cap, type Fitted } from "../quantities.js";

/** A quantity with buttons for less and more. Where the typed one cannot be, it says what it took instead. */
export function QuantityField({
  value,
  unit,
  label,
  onChange,
  cap = null,
  invalid,
  describedBy,
}: {
  value: number;
  unit: Unit;
  label: string;
  onChange: (value: number) => void;
  cap?: Cap | null;
  invalid?: boolean;
  describedBy?: string;
}) {
  const [text, setText] = useState(String(value));
  const [said, setSaid] = useState<string | null>(null);
  const saidId = useId();
  useEffect(() => setText(String(value)), [value]);
  const take = (fitted: Fitted | null) => {
    setSaid(fitted?.said ?? null);
    setText(String(fitted?.value ?? value));
    if (fitted && fitted.value !== value) onChange(fitted.value);
  };
  const sign = unitSign(unit);
  const least = value - 1 < leastOf(unit);
  return (
    <div class="quantity-field">
      <div class="quantity" role="group" aria-label={label}>
        <button type="button" aria-label="Less" aria-disabled={least} onClick={() => !least && take(step(value, -1, unit, cap))}>
          −
        </button>
        <input
          inputMode={unit === "piece" ? "numeric" : "decimal"}
          value={text}
          aria-label={sign ? `${label} in ${sign}` : label}
          aria-invalid={invalid ? "true" : undefined}
          aria-describedby={describedBy ?? (said ? saidId : undefined)}
          size={Math.max(2, text.length)}
          onInput={(event) => setText(event.currentTarget.value)}
          onBlur={() => text !== String(value) && take(fit(text, unit, cap))}
          onKeyDown={(event) => event.key === "Enter" && (event.preventDefault(), take(fit(text, unit, cap)))}
        />
        {sign && (
          <span aria-hidden="true" class="unit">
            {sign}
          </span>
        )}
        <button type="button" aria-label="More" onClick={() => take(step(value, 1, unit, cap))}>
          +
        </button>
      </div>
      <p class="hint quantity-said" id={saidId} role="status">
        {said}
      </p>
    </div>
  );
}
