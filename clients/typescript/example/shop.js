// A storefront on one page: browse, configure, fill a cart, check out as a guest or logged in, orders, a
// quote, and the same cart on a second device.
import { Shop, formatMoney } from "cartd-client";
import { messages } from "./messages.js";

const url = new URLSearchParams(location.search).get("api") ?? "http://127.0.0.1:8080";
const shop = new Shop({ url, key: "demo-storefront-key", customerToken: sessionStorage.getItem("token") });
const $ = (id) => document.getElementById(id);
const language = () => $("language").value;
const money = (amount) => formatMoney(amount, language());
const say = (text) => ($("message").textContent = text);
const withDetails = { include: ["details"] };
let cart, methods, quote;

function setToken(token) {
  shop.customerToken = token;
  if (token === null) sessionStorage.removeItem("token");
  else sessionStorage.setItem("token", token);
}

/** Returns the body of an answer. Shows a failure and throws it, which ends the action. */
async function ask(promise) {
  const result = await promise;
  if (result.customerTokenStatus === "invalid") setToken(null); // it has ended: this answer is a guest's
  if (result.ok) return result.body;
  const { failure } = result;
  if (failure.status === 401) setToken(null); // the token has ended
  const own = failure.kind === "refused" ? messages(failure, language()).join("\n") : "";
  say(failure.kind === "unknown" ? "We do not know whether that worked. Please look at your cart." : own || failure.message);
  throw failure;
}

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

const button = (label, action) => element("button", { type: "button", textContent: label, onclick: () => action().catch(console.warn) });

/** Shows a cart with its details and deliveries. */
async function show({ data, details }) {
  cart = data;
  localStorage.setItem("cart", cart.id);
  const path = { id: cart.id };
  $("lines").replaceChildren(...cart.lines.map((line) => {
    const { variant_name, unit, original_unit_price } = details.lines[line.id];
    const quantity = element("input", { value: line.quantity, ariaLabel: `Quantity of ${line.name}` });
    quantity.onchange = () => change(line, quantity.value).catch(console.warn);
    const name = [line.name, variant_name].filter(Boolean).join(", ");
    const before = original_unit_price === null ? "" : element("s", { textContent: money(original_unit_price) });
    return element("li", {}, element("span", { textContent: name }), quantity, unit ?? "", before, money(line.line_total),
      button("Remove", async () => show(await ask(shop.delete("/v1/api/commerce/carts/{id}/lines/{lineId}", { path: { ...path, lineId: line.id }, query: withDetails })))));
  }));
  $("total").textContent = money(cart.totals.total);
  methods = (await ask(shop.get("/v1/api/commerce/carts/{id}/shipping-methods", { path }))).data;
  showMethods($("checkout"), methods);
}

/** Shows the deliveries that a cart or a quote can have; nothing where it is not shipped. */
function showMethods({ method }, all) {
  method.replaceChildren(...all.map((one) => new Option(`${one.name}, ${money(one.price)}`, one.id)));
  method.hidden = all.length === 0;
}

async function change(line, quantity) {
  const path = { id: cart.id, lineId: line.id };
  await show(await ask(shop.patch("/v1/api/commerce/carts/{id}/lines/{lineId}", { path, query: withDetails, body: { quantity } })));
}

async function browse(q = "") {
  const found = await ask(shop.get("/v1/api/catalog/products", { query: { q, per_page: 12 } }));
  $("products").replaceChildren(...found.data.map((one) =>
    element("li", {}, element("span", { textContent: one.name }), one.price === null ? "" : money(one.price), button("Choose", () => choose(one.id)))));
}

/** Shows a product's form: its variants, or the dimensions and choices of one made to measure. */
async function choose(id) {
  say("");
  const product = await ask(shop.get("/v1/api/catalog/products/{id}", { path: { id } }));
  const form = $("product");
  let options = [];
  if (product.capability === "made_to_measure") {
    const { dimensions, groups } = await ask(shop.get("/v1/api/configurator/products/{id}/schema", { path: { id } }));
    options = [
      ...dimensions.map((one) => element("input", { name: `size.${one.key}`, placeholder: `${one.label}, mm`, ariaLabel: one.label, inputMode: "numeric" })),
      ...groups.map((group) => {
        const select = element("select", { name: "choice", ariaLabel: group.label, multiple: group.multiple }, ...group.choices.map((one) => new Option(one.label, one.id)));
        if (!group.multiple) select.prepend(new Option(group.label, "", true, true));
        return select;
      }),
    ];
  } else if (product.variants.length > 0) {
    options = [element("select", { name: "variant", ariaLabel: "Variant" }, ...product.variants.map((one) => new Option(`${one.name}, ${money(one.price)}`, one.id)))];
  }
  form.querySelector("h2").textContent = product.name;
  form.product = product;
  form.hidden = false;
  $("options").replaceChildren(...options);
  $("unit").textContent = product.unit;
}

/** Follows a merged cart to the one that is active now; null if there is none. */
async function follow(id) {
  for (;;) {
    const kept = await shop.get("/v1/api/commerce/carts/{id}", { path: { id }, query: withDetails });
    if (!kept.ok && kept.failure.kind !== "refused") await ask(kept); // the cart may still exist: show the failure
    if (!kept.ok) return null;
    if (kept.body.data.status === "active") return kept.body;
    if (kept.body.details.merged_into === null) return null;
    id = kept.body.details.merged_into;
  }
}

/**
 * Shows the visitor's cart. The recipe of a second device: follow a merged cart, else take the newest of
 * the account, else a new one, and claim it.
 */
async function openCart({ claim = false } = {}) {
  const id = localStorage.getItem("cart");
  let found = id === null ? null : await follow(id);
  const moved = found === null || found.data.id !== id;
  if (found === null && shop.customerToken !== null) {
    const { data } = await ask(shop.get("/v1/api/commerce/carts"));
    if (data.length > 0) found = await follow(data[0].id);
  }
  found ??= await ask(shop.post("/v1/api/commerce/carts", { query: withDetails }));
  if (shop.customerToken !== null && (claim || moved)) {
    found = await ask(shop.post("/v1/api/commerce/carts/{id}/claim", { path: { id: found.data.id }, query: withDetails }));
  }
  await show(found);
}

async function showAccount() {
  $("login").hidden = shop.customerToken !== null;
  $("logout").hidden = shop.customerToken === null;
  const { data } = shop.customerToken === null ? { data: [] } : await ask(shop.get("/v1/api/commerce/orders"));
  $("orders").replaceChildren(...data.map((order) =>
    element("li", {}, element("span", { textContent: `Order ${order.number}` }), money(order.totals.total), button("Buy again", () => buyAgain(order)))));
}

async function buyAgain(order) {
  const copy = await ask(shop.post("/v1/api/commerce/orders/{id}/copy", { path: { id: order.id }, query: withDetails }));
  await show(copy);
  say(copy.left_out.length === 0 ? "" : `${copy.left_out.length} lines are not for sale now.`);
}

/** The delivery that a form asks for, to the address of the checkout; nothing where nothing is shipped. */
function delivery({ method }) {
  if (method.hidden) return {};
  const { name, street, postal_code, city, country } = $("checkout").elements;
  const shipping_address = { name: name.value, street: street.value, postal_code: postal_code.value, city: city.value, country: country.value };
  return { shipping_method_id: method.value, shipping_address };
}

/** The signer's name as a picture: a quote of the demo asks for a signature. */
function signature(name) {
  const canvas = element("canvas", { width: 300, height: 60 });
  const context = canvas.getContext("2d");
  context.font = "italic 32px serif";
  context.fillText(name, 10, 40);
  return canvas.toDataURL("image/png");
}

const forms = {
  search: ({ q }) => browse(q.value),

  async product({ quantity, variant }) {
    const { product } = $("product");
    const body = { product_id: product.id, quantity: quantity.value };
    if (variant) body.variant_id = variant.value;
    if (product.capability === "made_to_measure") {
      const fields = [...$("options").children];
      const sizes = fields.filter((one) => one.name.startsWith("size.") && one.value !== "");
      const dimensions = Object.fromEntries(sizes.map((one) => [one.name.slice("size.".length), Number(one.value)]));
      const choices = fields.flatMap((one) => [...(one.selectedOptions ?? [])]).map((one) => one.value).filter(Boolean);
      body.configuration = { dimensions, choices };
    }
    await show(await ask(shop.post("/v1/api/commerce/carts/{id}/lines", { path: { id: cart.id }, query: withDetails, body })));
    say("");
  },

  async code({ code }) {
    const answer = await ask(shop.post("/v1/api/commerce/carts/{id}/discount", { path: { id: cart.id }, query: withDetails, body: { code: code.value } }));
    const failing = answer.details.discount_codes.filter((one) => one.error !== null);
    say(failing.length === 0 ? "" : `The code does not apply: ${failing.map((one) => one.error).join(", ")}`);
    await show(answer);
  },

  async login({ email, password }) {
    const signedIn = await ask(shop.post("/v1/api/contacts/login", { body: { email: email.value, password: password.value } }));
    setToken(signedIn.token);
    await openCart({ claim: true });
    await showAccount();
    say(`Hello, ${signedIn.contact.first_name}.`);
  },

  async checkout(fields) {
    const { email } = fields;
    const chosen = fields.method.hidden ? undefined : methods.find((one) => one.id === fields.method.value);
    // The total on the page: with a delivery its order_total, which has the tax of a store whose prices are without.
    const expected_total_amount = (chosen?.order_total ?? cart.totals.total).amount;
    const body = { ...delivery(fields), email: email.value || null, expected_total_amount };
    const { data: order } = await ask(shop.post("/v1/api/commerce/carts/{id}/checkout", { path: { id: cart.id }, body }));
    localStorage.removeItem("cart");
    await Promise.all([openCart(), showAccount()]);
    say(`Order ${order.number}: ${money(order.totals.total)}. Thank you!`);
  },

  async quote({ method, signer }) {
    const body = { ...delivery({ method }), signer_name: signer.value, signature: signature(signer.value) };
    const { order } = await ask(shop.post("/v1/api/sales/quotes/by-token/{token}/accept", { path: { token: quote.token }, body }));
    $("quote").hidden = true;
    say(`Order ${order.number} of quote ${quote.number}: ${money(order.totals.total)}. Thank you!`);
  },
};

async function requestQuote() {
  const { email } = $("checkout").elements;
  quote = (await ask(shop.post("/v1/api/commerce/carts/{id}/quote-request", { path: { id: cart.id }, body: { email: email.value || null } }))).data;
  localStorage.removeItem("cart");
  await openCart();
  showMethods($("quote"), (await ask(shop.get("/v1/api/sales/quotes/by-token/{token}/shipping-methods", { path: { token: quote.token } }))).data);
  $("quote").hidden = false;
  $("quote").querySelector("p").textContent = `Quote ${quote.number}: ${money(quote.totals.total)}, valid until ${quote.valid_until.slice(0, 10)}.`;
  say("");
}

for (const [id, action] of Object.entries(forms)) {
  $(id).addEventListener("submit", (event) => {
    event.preventDefault();
    action(event.target.elements).catch(console.warn);
  });
}
$("checkout").quote.onclick = () => requestQuote().catch(console.warn);
$("language").onchange = () => openCart().catch(console.warn);
$("logout").onclick = () => {
  setToken(null);
  localStorage.removeItem("cart");
  Promise.all([openCart(), showAccount()]).catch(console.warn);
};
await Promise.all([browse(), openCart(), showAccount()]);
