import type { RefObject } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { t } from "../../shared/t.js";
import { fieldAmount, parseAmount, parseQuantity } from "../amounts.js";

// Fields of an editor that saves by itself. What is typed counts with each key, as far as it means something. A field that is being typed into keeps its text
// whatever an answer says.

function useTyped(shown: string): [text: string, setText: (text: string) => void, field: RefObject<HTMLInputElement | null>] {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(shown);
  useEffect(() => {
    if (document.activeElement !== field.current) setText(shown);
  }, [shown]);
  return [text, setText, field];
}

/** A number of an editor; `read` says what a text means, null if nothing. */
function LiveNumber({
  label,
  shown,
  empty = false,
  hint,
  wrong: said,
  read,
  onChange,
}: {
  label: string;
  shown: string;
  empty?: boolean;
  hint?: string | undefined;
  wrong: string;
  read: (text: string) => number | null;
  onChange: (value: number | null) => void;
}) {
  const [text, setText, field] = useTyped(shown);
  const id = useId();
  const blank = text.trim() === "";
  const wrong = !(blank && empty) && read(text) === null;
  return (
    <span class="live">
      <input
        ref={field}
        inputMode="decimal"
        autocomplete="off"
        aria-label={label}
        placeholder={hint}
        value={text}
        aria-invalid={wrong ? "true" : undefined}
        aria-describedby={wrong ? id : undefined}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={() => setText(shown)}
        onInput={(event) => {
          const next = event.currentTarget.value;
          setText(next);
          if (next.trim() === "" && empty) onChange(null);
          else if (read(next) !== null) onChange(read(next));
        }}
      />
      {wrong && (
        <small class="errors" id={id}>
          {said}
        </small>
      )}
    </span>
  );
}

export function LiveAmount(of: {
  label: string;
  value: number | null;
  empty?: boolean;
  hint?: string | undefined;
  onChange: (value: number | null) => void;
}) {
  return <LiveNumber {...of} shown={fieldAmount(of.value)} wrong={t.amount.wrong} read={parseAmount} />;
}

export function LiveQuantity({ label, value, onChange }: { label: string; value: number; onChange: (value: number) => void }) {
  const read = (text: string) => {
    const quantity = parseQuantity(text);
    return quantity !== null && quantity > 0 ? quantity : null;
  };
  return (
    <LiveNumber
      label={label}
      shown={String(value)}
      wrong={t.quote.noQuantity}
      read={read}
      onChange={(quantity) => quantity !== null && onChange(quantity)}
    />
  );
}

/** A text of an editor, with its label. */
export function LiveText({
  label,
  value,
  multiline,
  mode = "text",
  maxLength,
  onChange,
}: {
  label: string;
  value: string | null;
  multiline?: boolean;
  mode?: "text" | "email" | "tel";
  maxLength: number;
  onChange: (value: string | null) => void;
}) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText, field] = useTyped(value ?? "");
  const write = (next: string) => {
    setText(next);
    onChange(next.trim() === "" ? null : next);
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {multiline ? (
        <textarea
          ref={area}
          id={id}
          rows={3}
          maxLength={maxLength}
          value={document.activeElement === area.current && area.current ? text : (value ?? "")}
          onInput={(event) => write(event.currentTarget.value)}
        />
      ) : (
        <input
          ref={field}
          id={id}
          inputMode={mode}
          autocomplete="off"
          maxLength={maxLength}
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
        />
      )}
    </div>
  );
}
