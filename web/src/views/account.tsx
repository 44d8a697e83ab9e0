import type { Input } from "cartd-client";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { date, shop, type Address, type Order, type Profile } from "../api.js";
import { cartState, forgetCart, merged } from "../cart.js";
import { dropDraft, readDraft } from "../drafts.js";
import { useAction, useLoad } from "../load.js";
import { AddressFields, addressFields, AddressText, readAddress } from "../parts/address.js";
import { FailureNotice, Loaded, Missing } from "../parts/failure.js";
import { Field, Form, Select, text } from "../parts/form.js";
import { Merged } from "../parts/merged.js";
import { OrderDetails } from "../parts/order.js";
import { OrderStatus } from "../parts/status.js";
import { Beyond, Pager } from "../parts/pager.js";
import { Paid } from "../parts/price.js";
import { go, href } from "../router.js";
import { account, session } from "../session.js";
import { store } from "../settings.js";
import { useStore } from "../store.js";
import { useTitle } from "../title.js";
import { PasswordForm } from "./password.js";

/** A view that needs an account. */
export function ForAccount({ children }: { children: (visitor: Profile) => ComponentChildren }) {
  const visitor = useStore(account);
  const trouble = useStore(session.trouble);
  if (trouble) return <FailureNotice failure={trouble} again={session.identify} />;
  if (visitor === undefined)
    return (
      <div class="outline" aria-busy="true">
        <span class="line title" />
      </div>
    );
  if (visitor === null)
    return (
      <Missing title="For this, log in">
        <p>
          It belongs to an account. <a href="#/login">Log in</a>.
        </p>
      </Missing>
    );
  return <>{children(visitor)}</>;
}

const tabs: [string, string][] = [
  ["account", "Account"],
  ["addresses", "Addresses"],
  ["orders", "Orders"],
  ["quotes", "Quotes"],
];

export function AccountTabs({ here }: { here: string }) {
  return (
    <nav class="tabs" aria-label="Account">
      {tabs.map(([name, label]) => (
        <a href={`#/${name}`} aria-current={name === here ? "page" : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

export function AccountView() {
  useTitle("Account");
  const report = useStore(merged);
  const { cart } = useStore(cartState);
  return (
    <ForAccount>
      {(visitor) => (
        <>
          <h1 tabIndex={-1}>Hello, {visitor.first_name ?? visitor.display_name}</h1>
          <AccountTabs here="account" />
          {report && <Merged report={report} cart={cart} />}
          <ProfileForm of={visitor} />
          <PasswordForm />
          <LogOut />
        </>
      )}
    </ForAccount>
  );
}

function ProfileForm({ of }: { of: Profile }) {
  const [saved, setSaved] = useState(false);
  const save = useAction(
    (data: FormData, key) => {
      setSaved(false);
      const body = { first_name: text(data, "first_name"), last_name: text(data, "last_name"), phone: text(data, "phone") };
      return shop.patch("/v1/api/contacts/me", { body, idempotencyKey: key });
    },
    (body) => {
      account.set(body);
      setSaved(true);
    },
  );
  return (
    <div class="narrow">
      <dl class="facts">
        <div>
          <dt>E-mail</dt>
          <dd>{of.email}</dd>
        </div>
        {of.company_name && (
          <div>
            <dt>Company</dt>
            <dd>{of.company_name}</dd>
          </div>
        )}
        {of.vat_id && (
          <div>
            <dt>VAT number</dt>
            <dd>{of.vat_id}</dd>
          </div>
        )}
        {of.registration_number && (
          <div>
            <dt>Registration number</dt>
            <dd>{of.registration_number}</dd>
          </div>
        )}
        {of.customer_group && (
          <div>
            <dt>Prices of</dt>
            <dd>{of.customer_group.name}</dd>
          </div>
        )}
        <div>
          <dt>Since</dt>
          <dd>{date(of.created_at)}</dd>
        </div>
      </dl>
      <Form action={save} values={["first_name", "last_name", "phone"]} label="Save" done={saved && "Saved."}>
        <div class="fields">
          <Field name="first_name" label="First name" autocomplete="given-name" maxLength={100} value={of.first_name} optional />
          <Field name="last_name" label="Last name" autocomplete="family-name" maxLength={100} value={of.last_name} optional />
          <Field name="phone" label="Phone" type="tel" autocomplete="tel" maxLength={50} value={of.phone} optional wide />
        </div>
      </Form>
    </div>
  );
}

function LogOut() {
  const leave = useAction(
    (_: null) => shop.post("/v1/api/contacts/logout"),
    () => {
      forgetCart();
      session.logOut();
      merged.set(null);
      go("#/");
    },
  );
  return (
    <p class="aside">
      <button type="button" class="link" onClick={() => leave.run(null)}>
        Log out
      </button>
      <FailureNotice failure={leave.failure} again={leave.again} busy={leave.busy} />
    </p>
  );
}

/** The book of addresses; `?edit=` names the address that is changed, or `new`. */
export function AddressesView({ query }: { query: URLSearchParams }) {
  useTitle("Addresses");
  return (
    <ForAccount>
      {() => (
        <>
          <h1 tabIndex={-1}>Addresses</h1>
          <AccountTabs here="addresses" />
          <Book editing={query.get("edit")} />
        </>
      )}
    </ForAccount>
  );
}

function Book({ editing }: { editing: string | null }) {
  const book = useLoad((signal) => shop.get("/v1/api/contacts/me/addresses", { signal }), []);
  const edit = (id: string | null) => go(href(["addresses"], id === null ? undefined : new URLSearchParams({ edit: id })));
  const done = () => {
    edit(null);
    book.again();
  };
  const edited = book.body?.data.find((one) => one.id === editing);
  if (editing === "new" || edited) return <AddressForm key={editing} of={edited} done={done} cancel={() => edit(null)} />;
  return (
    <>
      <Loaded from={book} outline={<span class="line" />}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="empty">No address yet. With one, checking out takes a click.</p>
          ) : (
            <ul class="book">
              {data.map((one) => (
                <Entry key={one.id} of={one} edit={() => edit(one.id)} done={done} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <button type="button" class="button" onClick={() => edit("new")}>
        Add an address
      </button>
    </>
  );
}

const types: [Address["type"], string][] = [
  ["shipping", "Delivery"],
  ["billing", "Invoice"],
  ["work", "Work"],
];

function Entry({ of, edit, done }: { of: Address; edit: () => void; done: () => void }) {
  const remove = useAction(
    (_: null, key) => shop.delete("/v1/api/contacts/me/addresses/{id}", { path: { id: of.id }, idempotencyKey: key }),
    done,
  );
  const prefer = useAction(
    (_: null, key) =>
      shop.patch("/v1/api/contacts/me/addresses/{id}", {
        path: { id: of.id },
        body: { type: of.type, is_default: true },
        idempotencyKey: key,
      }),
    done,
  );
  const failing = remove.failure ? remove : prefer;
  const name = of.label ?? of.street;
  return (
    <li class="book-entry">
      <p class="tags">
        {types.find(([type]) => type === of.type)?.[1]}
        {of.is_default && " · preferred"}
      </p>
      {of.label && <h2>{of.label}</h2>}
      <AddressText of={of} />
      <p class="book-actions">
        <button type="button" class="link" aria-label={`Change ${name}`} onClick={edit}>
          Change
        </button>
        {!of.is_default && (
          <button type="button" class="link" aria-label={`Prefer ${name}`} onClick={() => prefer.run(null)}>
            Prefer
          </button>
        )}
        <button type="button" class="link" aria-label={`Delete ${name}`} onClick={() => remove.run(null)}>
          Delete
        </button>
      </p>
      <FailureNotice failure={failing.failure} again={failing.again} busy={failing.busy} />
    </li>
  );
}

type AddressAdd = NonNullable<Input<"/v1/api/contacts/me/addresses", "post">["body"]>;

function AddressForm({ of, done, cancel }: { of: Address | undefined; done: () => void; cancel: () => void }) {
  const settings = useStore(store);
  const draft = `address ${of?.id ?? "new"}`;
  const [kept] = useState(() => readDraft(draft));
  const preferred = Object.keys(kept).length > 0 ? kept.is_default !== undefined : (of?.is_default ?? false);
  const save = useAction((data: FormData, key) => {
    const body: AddressAdd = {
      ...readAddress(data),
      type: types.find(([type]) => type === data.get("type"))?.[0] ?? "shipping",
      label: text(data, "label"),
      is_default: data.has("is_default"),
    };
    return of
      ? shop.patch("/v1/api/contacts/me/addresses/{id}", { path: { id: of.id }, body, idempotencyKey: key })
      : shop.post("/v1/api/contacts/me/addresses", { body, idempotencyKey: key });
  }, done);
  return (
    <div class="narrow">
      <h2>{of ? "Change the address" : "A new address"}</h2>
      <Form action={save} values={["type", "label", ...addressFields]} label={of ? "Save the address" : "Add the address"} draft={draft}>
        <div class="fields">
          <Select name="type" label="For" value={of?.type ?? "shipping"} options={types} />
          <Field name="label" label="Your name for it" maxLength={50} value={of?.label} optional />
        </div>
        <AddressFields
          delivered={settings?.shipping_countries}
          country={of?.country ?? settings?.shipping_countries?.[0] ?? "NL"}
          of={of}
        />
        <label class="check">
          <input type="checkbox" name="is_default" defaultChecked={preferred} /> Prefer this one
        </label>
        <button
          type="button"
          class="link"
          onClick={() => {
            dropDraft(draft);
            cancel();
          }}
        >
          Cancel
        </button>
      </Form>
    </div>
  );
}

export function OrdersView({ query }: { query: URLSearchParams }) {
  useTitle("Orders");
  const page = Number(query.get("page") ?? 1);
  return (
    <ForAccount>
      {() => (
        <>
          <h1 tabIndex={-1}>Orders</h1>
          <AccountTabs here="orders" />
          <OrderRows page={page} />
        </>
      )}
    </ForAccount>
  );
}

const ordersPage = (page: number) => href(["orders"], new URLSearchParams({ page: String(page) }));

function OrderRows({ page }: { page: number }) {
  const orders = useLoad((signal) => shop.get("/v1/api/commerce/orders", { query: { page, per_page: 10 }, signal }), [page]);
  return (
    <Loaded from={orders} outline={<span class="line" />}>
      {({ data, meta }) =>
        data.length === 0 && meta.total > 0 ? (
          <Beyond page={meta.current_page} last={meta.last_page} href={ordersPage} />
        ) : data.length === 0 ? (
          <div class="empty">
            <p>
              No order yet. <a href="#/products">Look around</a>.
            </p>
          </div>
        ) : (
          <>
            <ul class="rows">
              {data.map((one) => (
                <li>
                  <a class="row" href={href(["orders", one.id])}>
                    <b>Order {one.number}</b>
                    <span>{date(one.placed_at)}</span>
                    <span>{one.lines_count === 1 ? "1 line" : `${one.lines_count} lines`}</span>
                    <span class={`state state-${one.status}`}>{states[one.status] ?? one.status}</span>
                    <Paid of={one.totals.total} />
                  </a>
                </li>
              ))}
            </ul>
            <Pager current={meta.current_page} last={meta.last_page} href={ordersPage} />
          </>
        )
      }
    </Loaded>
  );
}

const states: Record<string, string> = { placed: "placed", cancelled: "cancelled", completed: "completed" } satisfies Record<
  Order["status"] | "cancelled" | "completed",
  string
>;

export function OrderView({ id }: { id: string }) {
  return <ForAccount>{() => <OneOrder id={id} />}</ForAccount>;
}

function OneOrder({ id }: { id: string }) {
  const order = useLoad((signal) => shop.get("/v1/api/commerce/orders/{id}", { path: { id }, signal }), [id]);
  useTitle(order.body ? `Order ${order.body.number}` : "Order");
  return (
    <>
      <AccountTabs here="orders" />
      <Loaded
        from={order}
        outline={<span class="line title" />}
        missing={
          <Missing title="This order is not yours">
            <p>
              <a href="#/orders">See your orders</a>.
            </p>
          </Missing>
        }
      >
        {(body) => (
          <>
            <h1 tabIndex={-1}>Order {body.number}</h1>
            <OrderStatus
              of={body}
              pay={`/payment#${id}`}
              requests={{
                cancel: (idempotencyKey) => shop.post("/v1/api/commerce/orders/{id}/cancel", { path: { id }, idempotencyKey }),
                copy: (query, idempotencyKey) => shop.post("/v1/api/commerce/orders/{id}/copy", { path: { id }, query, idempotencyKey }),
              }}
              again={order.again}
            />
            <OrderDetails of={body} />
          </>
        )}
      </Loaded>
    </>
  );
}
