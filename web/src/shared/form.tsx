import type { ErrorCode, Failure } from "cartd-client";
import { createContext, type ComponentChildren, type ComponentProps } from "preact";
import { useContext, useEffect, useId, useMemo, useRef } from "preact/hooks";
import { dropDraft, keepDraft, readDraft, type Draft } from "app/drafts.js";
import { errorText } from "./language.js";
import type { Action } from "./load.js";
import { FailureNotice } from "./failure.js";
import { t } from "./t.js";

// Forms show each refusal at its field, and move the focus to the first one. What is typed survives a reload.

const Refusals = createContext<Record<string, ErrorCode[]>>({});
const Drafts = createContext<Draft>({});

/** The refusals of each field. */
export const fieldErrors = (failure: Failure | null): Record<string, ErrorCode[]> =>
  failure?.kind === "refused" ? failure.errorCodes : {};

export function Form({
  action,
  values,
  children,
  label,
  notice,
  aside,
  instead,
  draft = label,
  done,
}: {
  action: Action<FormData>;
  /** Names of fields that the form shows; other errors stand above the button. */
  values: string[];
  children: ComponentChildren;
  label: string;
  notice?: ComponentChildren;
  /** What stands beside the fields: above the button where the window is narrow. */
  aside?: ComponentChildren;
  /** What stands in place of the button, where it would be refused. */
  instead?: ComponentChildren;
  /** The name under which the form's values are kept: that of the form and of what it is about. */
  draft?: string;
  /** What stands beside the button when it has worked. */
  done?: string | false;
}) {
  const form = useRef<HTMLFormElement>(null);
  const kept = useMemo(() => readDraft(draft), [draft]);
  const settle = (worked: boolean) => worked && dropDraft(draft);
  const errors = fieldErrors(action.failure);
  useEffect(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus(), [action.failure]);
  const others = Object.entries(errors).filter(([name]) => !values.includes(name));
  // What stands in place of the button says what a refusal would say again.
  const told = instead !== undefined && action.failure?.kind === "refused" && action.failure.code === "OUT_OF_STOCK";
  const shown = action.failure && !told && (others.length > 0 || Object.keys(errors).length === 0);
  return (
    <Refusals.Provider value={errors}>
      <Drafts.Provider value={kept}>
        <form
          ref={form}
          class={aside ? "form form-split" : "form"}
          noValidate
          aria-label={label}
          onInput={(event) => keepDraft(draft, event.currentTarget)}
          onSubmit={(event) => {
            event.preventDefault();
            if (!instead) void action.run(new FormData(event.currentTarget)).then(settle);
          }}
        >
          {aside ? <div class="form-fields">{children}</div> : children}
          {aside}
          <div class="form-end">
            {instead ?? (
              <div class="form-actions">
                <button class="button" aria-disabled={action.busy} data-busy={action.busy}>
                  {label}
                </button>
                <span role="status" class="form-done">
                  {!action.failure && done}
                </span>
              </div>
            )}
            {shown && (
              <FailureNotice failure={action.failure} again={() => void action.again().then(settle)} busy={action.busy}>
                {notice}
              </FailureNotice>
            )}
          </div>
        </form>
      </Drafts.Provider>
    </Refusals.Provider>
  );
}

interface FieldProps {
  name: string;
  label: string;
  hint?: string;
  optional?: boolean;
  multiline?: boolean;
  /** The field takes the whole row. */
  wide?: boolean;
  value?: string | null | undefined;
  type?: keyof typeof typed;
  autocomplete?: string;
  maxLength?: number;
  /** What is wrong with the value that it has. */
  problem?: string | undefined;
}

type Shared = Omit<ComponentProps<"input">, "type" | "role" | "list">;

/** An input of each type. */
const typed = {
  text: (shared: Shared) => <input {...shared} type="text" />,
  email: (shared: Shared) => <input {...shared} type="email" />,
  tel: (shared: Shared) => <input {...shared} type="tel" />,
  password: (shared: Shared) => <input {...shared} type="password" />,
};

/** A labelled field with its refusals. */
export function Field({
  name,
  label,
  hint,
  optional,
  multiline,
  wide,
  value,
  type = "text",
  autocomplete,
  maxLength,
  problem,
}: FieldProps) {
  const id = useId();
  const errors = useContext(Refusals)[name];
  const kept = useContext(Drafts)[name];
  const faulty = errors !== undefined || problem !== undefined;
  const described = [hint && `${id}-hint`, faulty && `${id}-errors`].filter(Boolean).join(" ");
  const shared = {
    id,
    name,
    maxLength,
    autocomplete,
    defaultValue: kept ?? value ?? "",
    "aria-invalid": faulty ? ("true" as const) : undefined,
    "aria-describedby": described || undefined,
    "aria-required": optional ? undefined : ("true" as const),
  };
  return (
    <div class={`field${wide ? " field-wide" : ""}`}>
      <label for={id}>
        {label}
        {optional && <span class="optional"> {t.shell.optional}</span>}
      </label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {multiline ? <textarea {...shared} rows={3} /> : typed[type](shared)}
      {problem !== undefined && !errors && (
        <div class="errors" id={`${id}-errors`}>
          <p>{problem}</p>
        </div>
      )}
      <Errors id={`${id}-errors`} of={errors} label={label} />
    </div>
  );
}

/** A labelled choice of one of several values. */
export function Select({
  name,
  label,
  value,
  options,
  onChange,
  autocomplete,
}: {
  name: string;
  label: string;
  value: string;
  options: [string, string][];
  onChange?: (value: string) => void;
  autocomplete?: string;
}) {
  const id = useId();
  const errors = useContext(Refusals)[name];
  const kept = useContext(Drafts)[name];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        name={name}
        autocomplete={autocomplete}
        aria-invalid={errors ? "true" : undefined}
        aria-describedby={errors && `${id}-errors`}
        onChange={(event) => onChange?.(event.currentTarget.value)}
      >
        {options.map(([code, text]) => (
          <option value={code} selected={code === (onChange ? value : (kept ?? value))}>
            {text}
          </option>
        ))}
      </select>
      <Errors id={`${id}-errors`} of={errors} label={label} />
    </div>
  );
}

/** The refusals of a group of fields. */
export function GroupErrors({ name, label }: { name: string; label: string }) {
  return <Errors id={`errors-${name}`} of={useContext(Refusals)[name]} label={label} />;
}

/** The refusals of one field, which call it by its label. */
export function Errors({ id, of, label }: { id: string; of: ErrorCode[] | undefined; label: string }) {
  if (!of) return null;
  return (
    <div class="errors" id={id}>
      {of.map((one) => (
        <p>{errorText(one, label)}</p>
      ))}
    </div>
  );
}

/** The text of a form's field; null if it is blank. */
export function text(data: FormData, name: string): string | null {
  const value = String(data.get(name) ?? "").trim();
  return value === "" ? null : value;
}
