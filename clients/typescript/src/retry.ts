// Which requests may be sent again.

/**
 * The effect of a request: it has none, it can be repeated (a write with a key, a login), or a
 * repetition could have a second effect.
 */
export type Effect = "none" | "repeat" | "once";

/** Requests, other than GET, that take no Idempotency-Key. */
export const withoutKey: Record<string, Effect> = {
  "post /v1/api/commerce/price": "none",
  "post /v1/api/configurator/products/{id}/quote": "none",
  "post /v1/api/contacts/login": "repeat", // at worst a second token
  "post /v1/api/contacts/logout": "repeat", // at worst 401
  "post /v1/api/contacts/register": "once",
  "post /v1/api/contacts/forgot-password": "once",
  "post /v1/api/contacts/reset-password": "once",
  "put /v1/api/contacts/me/password": "once",
  "put /v1/api/contacts/by-external-id/{external_id}": "repeat", // the same account again
  "post /v1/api/contacts/{id}/tokens": "repeat", // at worst a second token
  "delete /v1/api/contacts/{id}/tokens": "repeat", // at worst ended again
  "put /v1/api/store/closed": "repeat", // at worst closed again
  "delete /v1/api/store/closed": "repeat",
};
