import { useEffect, useId, useRef, useState } from "preact/hooks";
import { t } from "../../shared/t.js";
import { fieldAmount, parseAmount } from "../amounts.js";

/** An amount as people type it. It counts at Enter and when the field is left; what is no amount is said. */
export function AmountField({
  label,
  value,
  empty,
  hint,
  onChange,
  shown = false,
}: {
  label: string;
  value: number | null;
  /** Whether there may be none. */
  empty?: boolean;
  /** What counts while there is none. */
  hint?: string | undefined;
  onChange: (value: number | null) => void;
  /** Whether the label is shown. */
  shown?: boolean;
}) {
  const [text, setText] = useState(fieldAmount(value));
  const [wrong, setWrong] = useState(false);
  const id = useId();
  const taken = useRef<string | null>(null); // leaving the field does not send again what Enter has sent
  useEffect(() => {
    setText(fieldAmount(value));
    taken.current = null;
  }, [value]);
  const take = () => {
    taken.current = text;
    if (text === fieldAmount(value)) return setWrong(false);
    const next = text.trim() === "" && empty ? null : parseAmount(text);
    const bad = next === null && !(text.trim() === "" && empty);
    setWrong(bad);
    if (bad || next === value) return;
    onChange(next);
  };
  return (
    <span class="amount">
      {shown && <label for={id}>{label}</label>}
      <input
        id={id}
        inputMode="decimal"
        autocomplete="off"
        aria-label={shown ? undefined : label}
        placeholder={hint}
        value={text}
        aria-invalid={wrong ? "true" : undefined}
        aria-describedby={wrong ? `${id}-wrong` : undefined}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={() => text !== taken.current && take()}
        onFocus={(event) => event.currentTarget.select()}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            take();
          } else if (event.key === "Escape" && text !== fieldAmount(value)) {
            setText(fieldAmount(value));
            setWrong(false);
          }
        }}
      />
      {wrong && (
        <small class="errors" id={`${id}-wrong`} role="alert">
          {t.amount.wrong}
        </small>
      )}
    </span>
  );
}
