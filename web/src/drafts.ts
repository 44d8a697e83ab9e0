import { useState } from "preact/hooks";

// What a visitor has typed into a form and not sent yet. It survives a reload of the page, and ends with
// the tab, with the session, and when it is sent. Passwords are not kept.

const prefix = "draft:";

export type Draft = Record<string, string>;

export function readDraft(form: string): Draft {
  const kept = sessionStorage.getItem(prefix + form);
  return kept === null ? {} : (JSON.parse(kept) as Draft);
}

export function keepDraft(form: string, fields: HTMLFormElement) {
  const values: Draft = {};
  for (const [name, value] of new FormData(fields)) {
    const field = fields.elements.namedItem(name);
    const secret = field instanceof HTMLInputElement && field.type === "password";
    if (typeof value === "string" && !secret) values[name] = value;
  }
  writeDraft(form, values);
}

const writeDraft = (form: string, values: Draft) => sessionStorage.setItem(prefix + form, JSON.stringify(values));

/** The values of a form whose fields are drawn from them. */
export function useDraft(form: string, first: Draft = {}): [values: Draft, write: (values: Draft) => void] {
  const [values, setValues] = useState(() => ({ ...first, ...readDraft(form) }));
  const write = (next: Draft) => {
    writeDraft(form, next);
    setValues(next);
  };
  return [values, write];
}

export const dropDraft = (form: string) => sessionStorage.removeItem(prefix + form);

export function dropDrafts() {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name);
}
