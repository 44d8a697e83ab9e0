import type { codes, ErrorCode } from "cartd-client";

/** One text for each code of `error_codes` (docs/api/errors.md). `label` is the name of the field on the page. */
export type Errors = Record<ErrorCode["code"], (of: ErrorCode, label: string) => string>;

/** One text for each code of whole refusals. Of a closed store the message itself counts: its operator has written it. */
export type Refusals = Record<Exclude<(typeof codes)[number], "store_closed">, string>;
