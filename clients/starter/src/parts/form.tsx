"use client";
import { createContext, startTransition, use, useActionState, useEffect, useId, useRef, type ComponentProps, type ReactNode } from "react";
import type { Outcome } from "@/server/outcome";

export type Action = (state: Outcome, form: FormData) => Promise<Outcome>;

const State = createContext<{ faults: Record<string, string>; pending: boolean }>({ faults: {}, pending: false });

/** A form of a server action. It works without scripts; with them what was typed stays after a refusal. */
export function Form({ action, children, ...rest }: { action: Action; children: ReactNode } & Omit<ComponentProps<"form">, "action">) {
  const [outcome, run, pending] = useActionState(action, {});
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (outcome.faults) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [outcome]);
  return (
    <form
      ref={form}
      action={run}
      noValidate // faults are told in the shop's words and language
      onSubmit={(event) => {
        event.preventDefault();
        const submitter = (event.nativeEvent as SubmitEvent).submitter;
        startTransition(() => run(new FormData(event.currentTarget ?? form.current!, submitter)));
      }}
      {...rest}
    >
      <State value={{ faults: outcome.faults ?? {}, pending }}>{children}</State>
      <p role="status" className={outcome.done ? "said" : "said fault"}>
        {outcome.said}
      </p>
    </form>
  );
}

export function Submit({ children, ...rest }: ComponentProps<"button">) {
  const { pending } = use(State);
  return (
    <button aria-disabled={pending} onClick={pending ? (event) => event.preventDefault() : undefined} {...rest}>
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
