import type { codes, ErrorCode } from "cartd-client";

/** The shop's own texts for what the API refuses, in one language. */
export interface Texts {
  /** One text for each code of `error_codes` (docs/api/errors.md). `label` is the name of the field on the page. */
  errors: Record<ErrorCode["code"], (of: ErrorCode, label: string) => string>;
  /** One text for each code of whole refusals. Of a closed store the message itself counts: its operator has written it. */
  refusals: Record<Exclude<(typeof codes)[number], "store_closed">, string>;
  /** The names of fields, where they differ from the page's. */
  labels: Record<string, string>;
}
