import type { components } from "./api.js";

/** The codes of docs/api/errors.md. Codes may be added, so any other text is a code too. */
export const codes = [
  "tenant_suspended",
  "store_closed",
  "QUOTE_REQUIRED",
  "CART_CHANGED",
  "OUT_OF_STOCK",
  "ALREADY_CONVERTED",
  "QUOTE_NOT_OFFERED",
  "QUOTE_EXPIRED",
  "QUOTE_CHANGED",
  "QUOTE_OFFERED",
  "QUOTE_REQUESTED",
  "QUOTE_DRAFT_MISSING",
  "PRICE_BASIS_CHANGED",
  "version_mismatch",
  "idempotency_key_reused",
  "NOT_PURCHASABLE",
  "CAPABILITY_INACTIVE",
  "INVALID_CONFIGURATION",
  "INVALID_PROPERTIES",
  "cart_constraint",
  "login_required",
  "guest_only",
  "b2b_approval_required",
  "b2c_only",
  "b2b_only",
  "min_order_value",
  "SIGNATURE_REQUIRED",
  "SIGNATURE_INVALID",
  "ALREADY_PAID",
  "NOT_CANCELLABLE",
  "AMOUNT_DIFFERS",
  "NOT_PAID",
  "NOT_SHIPPED",
  "NOTHING_TO_SHIP",
  "ORDER_CANCELLED",
  "ORDER_ARCHIVED",
  "ORDER_COMPLETED",
  "ORDER_SHIPPED",
  "PARTS_LIMIT",
  "PAYMENT_DUE",
  "REFERENCE_USED",
  "REFUND_TOO_LARGE",
  "REFUNDED",
] as const;

export type Code = (typeof codes)[number] | (string & {});

/** One message of `errors` as a code with its parameters. The list of docs/api/errors.md is closed. */
export type ErrorCode = components["schemas"]["ErrorCode"];

/** The server refused the request: nothing was done. */
export interface Refused {
  kind: "refused";
  status: number;
  code?: Code;
  /** A text for people: the first of `errors` if there are any. */
  message: string;
  /** The messages of each faulty field. */
  errors: Record<string, string[]>;
  /** The same messages as codes, in the same order, for texts in the shopper's language. */
  errorCodes: Record<string, ErrorCode[]>;
  /** The whole body: `reasons`, `current_total`, `discount_codes`, `out_of_stock`, `order_id`. */
  details: RefusalBody;
}

type Described = Partial<components["schemas"]["Refusal"]>;

/** The body of a refusal. Every request asks for error_codes, so whatever has `errors` has them too. */
export type RefusalBody = Omit<Described, "errors" | "error_codes"> &
  (Pick<Required<Described>, "errors" | "error_codes"> | { errors?: never; error_codes?: never });

/** Too many requests: nothing was done. */
export interface Limited {
  kind: "limited";
  status: 429;
  message: string;
  /** Seconds until the request can be repeated. */
  retryAfter: number;
}

/** The browser may not ask this server from this page: nothing was done. Repair `--cors-origins`. */
export interface Blocked {
  kind: "blocked";
  status: 0;
  message: string;
}

/** The answer that `ifNoneMatch` names is still current: show the kept one. */
export interface Unchanged {
  kind: "unchanged";
  status: 304;
  message: string;
}

/** The server cannot be reached or cannot serve now: nothing was done. */
export interface Unavailable {
  kind: "unavailable";
  /** 0 if no answer came; that of a success if it was no JSON: then something in between has answered. */
  status: number;
  message: string;
}

/** The outcome of a write is not known: repeat it with the key, or read the record. */
export interface Unknown {
  kind: "unknown";
  /** 0 if no answer came; that of a success if it was no JSON: then something in between has answered. */
  status: number;
  message: string;
  /** null if the operation takes no key: then read the record first. */
  idempotencyKey: string | null;
}

export type Failure = Refused | Limited | Unavailable | Unknown | Blocked | Unchanged;

/** Whether an answer says that the store takes no orders: no repetition of this try helps. */
export function isClosed(status: number, body: unknown): boolean {
  return status === 503 && isObject(body) && (body as RefusalBody).code === "store_closed";
}

/** The failure of a refusing answer. */
export function refusal(response: Pick<Response, "status" | "statusText" | "headers">, body: unknown): Refused | Limited {
  const details = isObject(body) ? (body as RefusalBody & { error?: string }) : {};
  const message = details.message ?? details.error ?? (response.statusText || `HTTP ${response.status}`);
  if (response.status === 429) {
    return { kind: "limited", status: 429, message, retryAfter: Number(response.headers.get("Retry-After")) || 1 };
  }
  const refused: Refused = {
    kind: "refused",
    status: response.status,
    message,
    errors: details.errors ?? {},
    errorCodes: details.error_codes ?? {},
    details,
  };
  if (details.code !== undefined) refused.code = details.code;
  return refused;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
