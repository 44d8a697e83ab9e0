import type { Input } from "cartd-client";
import { useState } from "preact/hooks";
import { shop, type Address } from "../api.js";
import { dropDraft, readDraft } from "../drafts.js";
import { useAction, useLoad } from "../load.js";
import { AccountTabs, ForAccount } from "../parts/account.js";
import { AddressFields, addressFields, AddressText, readAddress } from "../parts/address.js";
import { FailureNotice, Loaded } from "../parts/failure.js";
import { Field, Form, Select, text } from "../parts/form.js";
import { go, href } from "../router.js";
import { store } from "../settings.js";
import { useStore } from "../store.js";
import { useTitle } from "../title.js";

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
