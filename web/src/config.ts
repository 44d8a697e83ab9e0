import type { Money } from "cartd-client";

// What differs from shop to shop: build.mjs takes it from the environment.

export interface Config {
  /** The key of the store, SHOP_KEY. It is public: docs/api/keys.md says what may stand in a browser. */
  key: string;
  /** The server's address, SHOP_API; empty for that of the page. */
  api: string;
  /** The language of amounts, dates and countries, SHOP_LOCALE. */
  locale: string;
  /** The currency of amounts that come without one, SHOP_CURRENCY. */
  currency: Money["currency"];
}

declare const SHOP: Config;

export const config: Config = SHOP;
