/** Settings of the environment; .env has those of the demo. */
export const settings = {
  cartd: required("CARTD_URL"),
  key: required("CARTD_KEY"),
  merchantKey: required("CARTD_MERCHANT_KEY"),
  shop: required("SHOP_URL"),
  paymentSecret: required("PAYMENT_SECRET"),
  proxies: Number(process.env.PROXIES ?? 0),
  /** Seconds for which guests see a kept catalogue page. */
  fresh: 30,
};

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: see .env`);
  return value;
}
