/** Settings of the environment; .env has those of the demo. */
export const settings = {
  cartd: required("CARTD_URL"),
  /** The key of the shoppers' requests. Each carries the visitor's address, so that cartd bounds each visitor. */
  key: required("CARTD_KEY"),
  /** The key of the guests' reads that Next keeps: `client_limit: false`, because they come from this server. */
  guestsKey: process.env.CARTD_GUESTS_KEY || required("CARTD_KEY"),
  merchantKey: required("CARTD_MERCHANT_KEY"),
  shop: required("SHOP_URL"),
  paymentSecret: required("PAYMENT_SECRET"),
  proxies: Number(process.env.PROXIES ?? 0),
  /** Seconds for which guests see a kept catalogue page. */
  fresh: 30,
};

if (settings.shop.startsWith("https:") && settings.paymentSecret === "demo-payment-secret") {
  throw new Error("PAYMENT_SECRET is that of the demo, with which anybody can sign a payment: set one of your own");
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: see .env`);
  return value;
}
