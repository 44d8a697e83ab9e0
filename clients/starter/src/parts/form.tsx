"use client";
import { createContext, startTransition, use, useActionState, useEffect, useId, useRef, type ComponentProps, type ReactNode } from "react";
import type { Outcome } from "@/server/outcome";
import { pageLanguage, textsIn } from "@/texts/language";

export type Action = (state: Outcome, form: FormData) => Promise<Outcome>;

const State = createContext<{ faults: Record<string, string>; pending: boolean }>({ faults: {}, pending: false });

/**
 * A form of a server action. It works without scripts; with them what was typed stays after a refusal and after a lost connection. What is sent again
 * because its answer was lost has the same key, so that it is done once.
 */
export function Form({ action, children, ...rest }: { action: Action; children: ReactNode } & Omit<ComponentProps<"form">, "action">) {
  const [posted, post] = useActionState(action, {}); // without scripts
  const lost = useRef<{ key: string; typed: string } | null>(null);
  const [outcome, run, pending] = useActionState(async (state: Outcome, form: FormData) => {
    const typed = JSON.stringify([...form]);
    const key = lost.current?.typed === typed ? lost.current.key : newKey();
    lost.current = { key, typed };
    form.set("idempotency_key", key);
    try {
      const answer = await action(state, form);
      lost.current = null;
      return answer;
    } catch (error) {
      if (isNavigation(error)) throw error;
      return { said: textsIn(pageLanguage()).word("no_connection") };
    } finally {
      busy.current = false;
    }
  }, posted);
  const busy = useRef(false); // a second click may come ahead of the next rendering
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (outcome.faults) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [outcome]);
  return (
    <form
      ref={form}
      action={post}
      noValidate // faults are told in the shop's words and language
      onSubmit={(event) => {
        event.preventDefault();
        if (busy.current) return;
        busy.current = true;
        const data = new FormData(event.currentTarget, event.nativeEvent.submitter);
        startTransition(() => run(data));
      }}
      aria-busy={pending}
      {...rest}
    >
      <State value={{ faults: outcome.faults ?? {}, pending }}>{children}</State>
      <p role="status" className={outcome.done ? "said" : "said fault"}>
        {outcome.said}
      </p>
    </form>
  );
}

/** Next tells of a redirect and of a missing page by errors. */
const isNavigation = (error: unknown) => ((error as { digest?: string } | null)?.digest ?? "").startsWith("NEXT_");

/** A random key. crypto.randomUUID is missing on pages without TLS. */
const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The faults of fields that are judged while they are typed. Null: the form's own count. */
export function Faults({ now, children }: { now: Record<string, string> | null; children: ReactNode }) {
  const { faults, pending } = use(State);
  return <State value={{ faults: now ?? faults, pending }}>{children}</State>;
}

export function Submit({ children, ...rest }: ComponentProps<"button">) {
  const { pending } = use(State);
  return (
    <button aria-disabled={pending} {...rest}>
      {children}
    </button>
  );
}

type FieldProps = { label: string; name: string; hint?: string | undefined } & Omit<ComponentProps<"input">, "name">;

/** An input with its label and its fault. */
export function Field({ label, name, hint, className, ...rest }: FieldProps) {
  const id = useId();
  const fault = use(State).faults[name];
  return (
    <div className={className ?? "field"}>
      <label htmlFor={id}>
        {label}
        {hint && <small> ({hint})</small>}
      </label>
      <input id={id} name={name} aria-invalid={fault ? true : undefined} aria-describedby={fault ? `${id}-fault` : undefined} {...rest} />
      <Fault id={`${id}-fault`} text={fault} />
    </div>
  );
}

export function Select({ label, name, children, ...rest }: { label: string; name: string } & ComponentProps<"select">) {
  const id = useId();
  const fault = use(State).faults[name];
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} name={name} aria-invalid={fault ? true : undefined} aria-describedby={fault ? `${id}-fault` : undefined} {...rest}>
        {children}
      </select>
      <Fault id={`${id}-fault`} text={fault} />
    </div>
  );
}

function Fault({ id, text }: { id: string; text: string | undefined }) {
  return text ? (
    <p id={id} className="fault">
      {text}
    </p>
  ) : null;
}
