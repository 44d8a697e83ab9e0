import { useEffect, useState } from "preact/hooks";
import { unitSign, type Product } from "../api.js";

/** A quantity with buttons for less and more. Pieces are whole; other units have up to three decimals. */
export function QuantityField({
  value,
  unit,
  label,
  onChange,
  invalid,
  describedBy,
  min,
}: {
  value: number;
  unit: Product["unit"];
  label: string;
  onChange: (value: number) => void;
  invalid?: boolean;
  describedBy?: string;
  min?: number;
}) {
  const [text, setText] = useState(String(value));
  useEffect(() => setText(String(value)), [value]);
  const lowest = min ?? (unit === "piece" ? 1 : 0.001);
  const step = (by: number) => onChange(Math.max(lowest, round(value + by)));
  const enter = () => {
    const typed = Number(text.trim().replace(",", "."));
    if (Number.isFinite(typed) && typed > 0) onChange(unit === "piece" ? Math.round(typed) || 1 : round(typed));
    else setText(String(value));
  };
  const sign = unitSign(unit);
  return (
    <div class="quantity" role="group" aria-label={label}>
      <button type="button" aria-label="Less" disabled={value - 1 < lowest} onClick={() => step(-1)}>
        −
      </button>
      <input
        inputMode={unit === "piece" ? "numeric" : "decimal"}
        value={text}
        aria-label={sign ? `${label} in ${sign}` : label}
        aria-invalid={invalid ? "true" : undefined}
        aria-describedby={describedBy}
        size={Math.max(2, text.length)}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={enter}
        onKeyDown={(event) => event.key === "Enter" && (event.preventDefault(), enter())}
      />
      {sign && (
        <span aria-hidden="true" class="unit">
          {sign}
        </span>
      )}
      <button type="button" aria-label="More" onClick={() => step(1)}>
        +
      </button>
    </div>
  );
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
