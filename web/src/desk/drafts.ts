// What is typed at the desk is about customers: it stays in the page's memory, and no form keeps it.

export type Draft = Record<string, string>;

const none: Draft = {};

export const readDraft = (_form: string): Draft => none;
export const keepDraft = (_form: string, _fields: HTMLFormElement) => {};
export const dropDraft = (_form: string) => {};
