// A Vendure for the flash sale of docs/bench.md. With the word seed it makes the tables and what is sold, and prints the ids
// that the adapter needs. Usage: PGPORT=5432 node server.js PORT [seed]
const { bootstrap, DefaultLogger, LogLevel, dummyPaymentHandler } = require("@vendure/core");
const [port, seed] = [Number(process.argv[2]), process.argv[3]];

async function ask(query, variables, token) {
  const answer = await fetch(`http://127.0.0.1:${port}/admin-api`, {
    method: "POST", headers: { "Content-Type": "application/json", Authorization: `Bearer ${token ?? ""}` }, body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await answer.json();
  if (errors) throw new Error(JSON.stringify(errors));
  return { ...data, token: answer.headers.get("vendure-auth-token") };
}

async function fill() {
  const { token } = await ask(`mutation{login(username:"flash",password:"flash"){__typename}}`);
  const make = async (name, type, input) => (await ask(`mutation($input:${type}!){made:${name}(input:$input){id}}`, { input }, token)).made.id;
  const text = (name) => [{ languageCode: "en", name, slug: name.toLowerCase(), description: "" }];
  const named = (name) => [{ languageCode: "en", name }];
  const country = await make("createCountry", "CreateCountryInput", { code: "NL", enabled: true, translations: named("Netherlands") });
  const zone = await make("createZone", "CreateZoneInput", { name: "NL", memberIds: [country] });
  const tax = await make("createTaxCategory", "CreateTaxCategoryInput", { name: "None", isDefault: true });
  await make("createTaxRate", "CreateTaxRateInput", { name: "None", enabled: true, value: 0, categoryId: tax, zoneId: zone });
  await ask(`mutation($input:UpdateChannelInput!){updateChannel(input:$input){__typename}}`, { input: {
    id: "1", defaultTaxZoneId: zone, defaultShippingZoneId: zone, pricesIncludeTax: true, defaultCurrencyCode: "EUR", availableCurrencyCodes: ["EUR"],
  } }, token);
  const product = await make("createProduct", "CreateProductInput", { enabled: true, translations: text("Flash") });
  const { made } = await ask(`mutation($input:[CreateProductVariantInput!]!){made:createProductVariants(input:$input){id}}`, { input: [{
    productId: product, sku: "FLASH", price: 1000, taxCategoryId: tax, stockOnHand: 500, trackInventory: "TRUE", translations: named("Flash"),
  }] }, token);
  const method = await make("createShippingMethod", "CreateShippingMethodInput", {
    code: "parcel", fulfillmentHandler: "manual-fulfillment", translations: [{ languageCode: "en", name: "Parcel", description: "" }],
    checker: { code: "default-shipping-eligibility-checker", arguments: [{ name: "orderMinimum", value: "0" }] },
    calculator: { code: "default-shipping-calculator", arguments: [
      { name: "rate", value: "495" }, { name: "includesTax", value: "auto" }, { name: "taxRate", value: "0" }] },
  });
  await make("createPaymentMethod", "CreatePaymentMethodInput", {
    code: "dummy-payment", enabled: true, translations: [{ languageCode: "en", name: "Dummy", description: "" }],
    handler: { code: "dummy-payment-handler", arguments: [{ name: "automaticSettle", value: "true" }] },
  });
  await ask(`mutation($input:CreatePromotionInput!){createPromotion(input:$input){__typename}}`, { input: {
    enabled: true, couponCode: "FLASH1", usageLimit: 200, translations: [{ languageCode: "en", name: "Flash", description: "" }], conditions: [],
    actions: [{ code: "order_fixed_discount", arguments: [{ name: "discount", value: "100" }] }],
  } }, token);
  console.log(`VARIANT_EDIT=${made[0].id} SHIPPING_EDIT=${method} ADMIN=${token}`);
}

bootstrap({
  apiOptions: { port, adminApiPath: "admin-api", shopApiPath: "shop-api" },
  authOptions: { tokenMethod: ["bearer"], superadminCredentials: { identifier: "flash", password: "flash" } },
  dbConnectionOptions: {
    type: "postgres", host: "127.0.0.1", port: Number(process.env.PGPORT), username: "flash", password: "flash", database: "vendure", synchronize: !!seed,
    poolSize: 40,
  },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  logger: new DefaultLogger({ level: LogLevel.Warn }),
}).then(() => seed && fill()).catch((e) => { console.error(e); process.exit(1); });
