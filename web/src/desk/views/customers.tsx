import type { Success } from "cartd-client";
import { FailureNotice, Loaded, Missing } from "../../shared/failure.js";
import { known, useLoad } from "../../shared/load.js";
import { href } from "../../shared/router.js";
import { makeStore, useStore } from "../../shared/store.js";
import { t } from "../../shared/t.js";
import { listEntries } from "../entries.js";
import { Changed } from "../parts/changed.js";
import { Facts } from "../parts/facts.js";
import { RowList, Search, Tabs, useRows } from "../parts/rows.js";
import { useChange, useRecord, type Facts as Told } from "../record.js";
import { api, can } from "../session.js";
import { day } from "../times.js";
import { useTitle } from "../title.js";
import type { Order } from "../types.js";
import { OrderRow } from "./orders.js";

type Contact = Success<"/v1/api/contacts/{id}", "get">;

const searched = makeStore("");

const nameOf = (of: Contact): string =>
  of.company_name || of.display_name || [of.first_name, of.last_name].filter(Boolean).join(" ") || of.email || of.id;

export function CustomersView({ query }: { query: URLSearchParams }) {
  useTitle(t.places.customers);
  const show = query.get("show") === "awaiting" ? "awaiting" : "found";
  const q = useStore(searched);
  const ready = show === "awaiting" || q.length >= 2;
  const rows = useRows<Contact, string>(
    async (after, signal) => {
      if (!ready) return known({ rows: [], next: null });
      const asked = show === "awaiting" ? { awaiting: "true" as const } : q.includes("@") ? { email: q } : { q };
      const result = await api.get("/v1/api/contacts", { query: { ...asked, ...(after !== null && { after }) }, signal });
      return result.ok ? { ...result, body: { rows: result.body.data, next: result.body.meta.next_after } } : result;
    },
    [show, q],
  );
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1}>{t.places.customers}</h1>
        {show === "found" && <Search label={t.customers.search} hint={t.customers.searchHint} value={q} onSearch={searched.set} />}
      </div>
      <Tabs
        label={t.customers.which}
        here={show}
        tabs={[
          { key: "found", to: "#/customers", name: t.customers.find },
          { key: "awaiting", to: "#/customers?show=awaiting", name: t.customers.awaiting },
        ]}
      />
      <RowList
        of={rows}
        kind="customers"
        heads={t.customers.heads}
        none={<p>{show === "awaiting" ? t.customers.noneAwaits : ready ? t.customers.none : t.customers.how}</p>}
      >
        {(one) => (
          <a class="row cells-customers" href={href(["customers", one.id])}>
            <b class="cut">{nameOf(one)}</b>
            <span class="cut cell-soft">{one.email}</span>
            <span class="cut cell-soft">{one.customer_group?.name}</span>
            <span>{stateOf(one)}</span>
          </a>
        )}
      </RowList>
    </>
  );
}

function stateOf(of: Contact) {
  if (of.guest) return <i class="state">{t.customer.guest}</i>;
  return of.approved ? null : <i class="state state-open">{t.customer.awaits}</i>;
}

const factsOf = (of: Contact): Told => [
  [t.customer.approved, of.approved ? t.customer.yes : t.customer.no],
  [t.customer.group, of.customer_group?.name ?? ""],
  [t.order.vatId, of.vat_id ?? ""],
  [t.customer.reverseCharge, of.reverse_charge ? t.customer.yes : t.customer.no],
  [t.customer.name, nameOf(of)],
  [t.order.email, of.email ?? ""],
];

export function CustomerView({ id }: { id: string }) {
  useTitle(t.customer.title);
  const record = useRecord<Contact>((signal) => api.get("/v1/api/contacts/{id}", { path: { id }, signal }), [id]);
  const change = useChange<{ approved?: boolean; customer_group_id?: string | null; reverse_charge?: boolean }, Contact>(
    record,
    (body, ifMatch, idempotencyKey) =>
      api.patch("/v1/api/contacts/{id}", { path: { id }, body, ifMatch, ...(idempotencyKey !== undefined && { idempotencyKey }) }),
  );
  const groups = useLoad(
    (signal) =>
      can("catalog:manage", "store:read")
        ? listEntries("customer_groups", "", null, signal)
        : Promise.resolve(known({ rows: [] as { id: string; name: string }[], next: null })),
    [],
  );
  return (
    <Loaded
      from={record}
      outline={<span class="line title" />}
      missing={
        <Missing title={t.customer.missing}>
          <p>
            <a href="#/customers">{t.customer.toCustomers}</a>
          </p>
        </Missing>
      }
    >
      {(of) => {
        const business = of.kind === "b2b";
        const manages = can("sales:manage") && !of.guest;
        return (
          <article class="record">
            <div class="head">
              <div>
                <p class="crumb">
                  <a href="#/customers">{t.places.customers}</a>
                </p>
                <h1 tabIndex={-1}>
                  {nameOf(of)} {stateOf(of)}
                </h1>
                <p class="under">{of.email}</p>
              </div>
              {manages && business && (
                <div class="acts">
                  <button
                    type="button"
                    class={of.approved ? "button button-quiet" : "button"}
                    aria-disabled={change.busy}
                    data-busy={change.busy}
                    onClick={() => void change.run({ approved: !of.approved })}
                  >
                    {of.approved ? t.customer.disapprove : t.customer.approve}
                  </button>
                </div>
              )}
            </div>
            <Changed record={record} facts={factsOf} />
            <FailureNotice failure={change.failure} again={change.again} busy={change.busy} />
            <div class="split">
              <Bought id={id} />
              <Facts
                title={t.customer.who}
                rows={[
                  [t.customer.kind, of.guest ? t.customer.guest : business ? t.customer.business : t.customer.consumer],
                  [t.customer.person, [of.first_name, of.last_name].filter(Boolean).join(" ")],
                  [t.customer.phone, of.phone],
                  [t.customer.registration, of.registration_number],
                  [t.order.vatId, of.vat_id],
                  [t.customer.since, of.created_at && day(of.created_at)],
                ]}
              >
                {manages && (
                  <div class="form">
                    <div class="field">
                      <label for="group">{t.customer.group}</label>
                      <select
                        id="group"
                        value={of.customer_group?.id ?? ""}
                        onChange={(event) => void change.run({ customer_group_id: event.currentTarget.value || null })}
                      >
                        <option value="">{t.customer.noGroup}</option>
                        {groupsOf(of, groups.body?.rows ?? []).map((one) => (
                          <option value={one.id}>{one.name}</option>
                        ))}
                      </select>
                    </div>
                    {of.vat_id !== null && (
                      <label class="check">
                        <input
                          type="checkbox"
                          checked={of.reverse_charge}
                          onChange={(event) => void change.run({ reverse_charge: event.currentTarget.checked })}
                        />
                        <span>{t.customer.reverseCharge}</span>
                      </label>
                    )}
                  </div>
                )}
              </Facts>
            </div>
          </article>
        );
      }}
    </Loaded>
  );
}

/** The groups to choose from, with the account's own in any case. */
function groupsOf({ customer_group: own }: Contact, all: { id: string; name: string }[]) {
  return own && !all.some((one) => one.id === own.id) ? [own, ...all] : all;
}

/** What a customer has bought. */
function Bought({ id }: { id: string }) {
  const may = can("orders:read");
  const rows = useRows<Order, number>(
    async (before, signal) => {
      if (!may) return known({ rows: [], next: null });
      const result = await api.get("/v1/api/orders", {
        query: { customer_id: id, sort: "newest", ...(before !== null && { before }) },
        signal,
      });
      return result.ok ? { ...result, body: { rows: result.body.data, next: result.body.meta.next_before } } : result;
    },
    [id],
  );
  return (
    <section>
      <h2>{t.customer.bought}</h2>
      <RowList of={rows} kind="orders" heads={t.orders.heads} none={<p>{may ? t.customer.nothing : t.shell.closed}</p>}>
        {(order) => <OrderRow of={order} />}
      </RowList>
    </section>
  );
}
