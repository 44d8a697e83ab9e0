// A storefront on one page: browse, fill a cart, log in, claim the cart, check out.
import { Shop, formatMoney } from "cartd-client";

const shop = new Shop({ url: "http://127.0.0.1:8080", key: "demo-storefront-key", customerToken: sessionStorage.getItem("token") });
const $ = (id) => document.getElementById(id);
const say = (text) => ($("message").textContent = text);
let cart, methods;

function setToken(token) {
  shop.customerToken = token;
  if (token === null) sessionStorage.removeItem("token");
  else sessionStorage.setItem("token", token);
}

/** Returns the body of an answer. Shows a failure and throws it, which ends the action. */
async function ask(promise) {
  const result = await promise;
  if (result.ok) return result.body;
  const { failure } = result;
  if (failure.status === 401) setToken(null); // the token has ended
  const errors = failure.kind === "refused" ? Object.values(failure.errors).flat() : [];
  say(failure.kind === "unknown" ? "We do not know whether that worked. Please look at your cart." : errors.join(" ") || failure.message);
  throw failure;
}

function item(text, price, label, action) {
  const row = document.createElement("li");
  const button = Object.assign(document.createElement("button"), { textContent: label, onclick: () => action().catch(console.warn) });
  row.append(Object.assign(document.createElement("span"), { textContent: text }), price, button);
  return row;
}

/** Shows a cart with its deliveries. */
async function show(next) {
  cart = next;
  localStorage.setItem("cart", cart.id);
  const path = { id: cart.id };
  $("lines").replaceChildren(...cart.lines.map((line) =>
    item(`${line.quantity} × ${line.name}`, formatMoney(line.line_total), "Remove", async () => {
      await show((await ask(shop.delete("/v1/api/commerce/carts/{id}/lines/{lineId}", { path: { ...path, lineId: line.id } }))).data);
    })));
  $("total").textContent = formatMoney(cart.totals.total);
  methods = (await ask(shop.get("/v1/api/commerce/carts/{id}/shipping-methods", { path }))).data;
  $("checkout").method.replaceChildren(...methods.map((one) => new Option(`${one.name}, ${formatMoney(one.price)}`, one.id)));
}

async function add(product) {
  say("");
  const body = { product_id: product.id, variant_id: product.variants[0]?.id ?? null, quantity: 1 };
  await show((await ask(shop.post("/v1/api/commerce/carts/{id}/lines", { path: { id: cart.id }, body }))).data);
}

async function browse(q = "") {
  const found = await ask(shop.get("/v1/api/catalog/products", { query: { q, capability: "standard", per_page: 12 } }));
  $("products").replaceChildren(...found.data.filter((one) => one.price !== null).map((one) =>
    item(one.name, formatMoney(one.price), "Add", () => add(one))));
}

/** Shows the visitor's cart. Makes a new one if there is none, or it is refused or no longer active. */
async function openCart() {
  const id = localStorage.getItem("cart");
  if (id !== null) {
    const kept = await shop.get("/v1/api/commerce/carts/{id}", { path: { id } });
    if (kept.ok && kept.body.data.status === "active") return show(kept.body.data);
    if (!kept.ok && kept.failure.kind !== "refused") await ask(kept); // the cart may still exist: show the failure
  }
  await show((await ask(shop.post("/v1/api/commerce/carts"))).data);
}

const forms = {
  search: ({ q }) => browse(q.value),

  async code({ code }) {
    const { data } = await ask(shop.post("/v1/api/commerce/carts/{id}/discount", { path: { id: cart.id }, body: { code: code.value } }));
    say(data.discount_code_error === null ? "" : `The code does not apply: ${data.discount_code_error}`);
    await show(data);
  },

  async login({ email, password }) {
    const signedIn = await ask(shop.post("/v1/api/contacts/login", { body: { email: email.value, password: password.value } }));
    setToken(signedIn.token);
    await show((await ask(shop.post("/v1/api/commerce/carts/{id}/claim", { path: { id: cart.id } }))).data);
    say(`Hello, ${signedIn.contact.first_name}.`);
  },

  async checkout({ method }) {
    const { data: addresses } = shop.customerToken === null ? { data: [] } : await ask(shop.get("/v1/api/contacts/me/addresses"));
    const home = addresses.find((one) => one.type === "shipping");
    const chosen = methods.find((one) => one.id === method.value);
    const expected_total_amount = cart.totals.total.amount + chosen.price.amount; // the total on the page
    const body = { shipping_method_id: chosen.id, shipping_address_id: home?.id ?? null, expected_total_amount };
    const { data: order } = await ask(shop.post("/v1/api/commerce/carts/{id}/checkout", { path: { id: cart.id }, body }));
    await openCart();
    say(`Order ${order.number}: ${formatMoney(order.totals.total)}. Thank you!`);
  },
};

for (const [id, action] of Object.entries(forms)) {
  $(id).addEventListener("submit", (event) => {
    event.preventDefault();
    action(event.target.elements).catch(console.warn);
  });
}
await Promise.all([browse(), openCart()]);
