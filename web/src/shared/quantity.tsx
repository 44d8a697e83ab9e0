import { useEffect, useId, useState } from "preact/hooks";
import { leastQuantity, type Pack } from "cartd-client";
import { unitSign, type Unit } from "./formats.js";
import { fit, step, type Cap, type Fitted } from "./quantities.js";
import { t } from "./t.js";

/** A quantity with buttons for less and more. Where the typed one cannot be, it says what it took instead. */
export function QuantityField({
  value,
  unit,
  pack,
  label,
  onChange,
  cap = null,
  failed = null,
  invalid,
  describedBy,
}: {
  value: number;
  unit: Unit;
  /** Which quantities the line may have. */
  pack: Pack;
  label: string;
  onChange: (value: number) => void;
  cap?: Cap | null;
  /** Why the last change was not made: the field goes back to the value. */
  failed?: unknown;
  invalid?: boolean;
  describedBy?: string;
}) {
  const [text, setText] = useState(String(value));
  const [said, setSaid] = useState<string | null>(null);
  const saidId = useId();
  useEffect(() => setText(String(value)), [value, failed]);
  const take = (fitted: Fitted | null) => {
    setSaid(fitted ? fitted.said : t.product.noQuantity(text.trim()));
    setText(String(fitted?.value ?? value));
    if (fitted && fitted.value !== value) onChange(fitted.value);
  };
  const sign = unitSign(unit);
  const least = value - (pack.quantity_step ?? 1) < leastQuantity(pack, unit);
  return (
    <div class="quantity-field">
      <div class="quantity" role="group" aria-label={label}>
        <button
          type="button"
          aria-label={t.product.less}
          aria-disabled={least}
          onClick={() => !least && take(step(value, -1, unit, pack, cap))}
        >
          −
        </button>
        <input
          inputMode={unit === "piece" ? "numeric" : "decimal"}
          value={text}
          aria-label={sign ? t.product.quantityIn(label, sign) : label}
          aria-invalid={invalid ? "true" : undefined}
          aria-describedby={describedBy ?? (said ? saidId : undefined)}
          size={Math.max(2, text.length)}
          onInput={(event) => setText(event.currentTarget.value)}
          onBlur={() => text !== String(value) && take(fit(text, unit, pack, cap))}
          onKeyDown={(event) => event.key === "Enter" && (event.preventDefault(), take(fit(text, unit, pack, cap)))}
        />
        {sign && (
          <span aria-hidden="true" class="unit">
            {sign}
          </span>
        )}
        <button type="button" aria-label={t.product.more} onClick={() => take(step(value, 1, unit, pack, cap))}>
          +
        </button>
      </div>
      <p class="hint quantity-said" id={saidId} role="status">
        {said}
      </p>
    </div>
  );
}
