import type { Code, ErrorCode } from "cartd-client";

/** The shop's own texts for what the API refuses, in one language. */
export interface Texts {
  /** One text for each code of `error_codes` (docs/api/errors.md). `label` is the name of the field on the page. */
  errors: Record<ErrorCode["code"], (of: ErrorCode, label: string) => string>;
  /** Texts for the codes of whole refusals. The API's own message stands in for those that are missing. */
  refusals: Partial<Record<Code, string>>;
  /** The names of fields, where they differ from the page's. */
  labels: Record<string, string>;
}
