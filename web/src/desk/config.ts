import type { Money } from "cartd-client";

export interface Config {
  /** The language of amounts and dates, SHOP_LOCALE. */
  locale: string;
  /** The currency of amounts that come without one, SHOP_CURRENCY. */
  currency: Money["currency"];
}

declare const DESK: Config;

export const config: Config = DESK;
