import type { Input } from "cartd-client";
import { useEffect, useRef, useState } from "preact/hooks";
import { shop, type Address } from "../api.js";
import { dropDraft, readDraft } from "../drafts.js";
import { useAction, useLoad, type Loading } from "../shared/load.js";
import { AccountTabs, ForAccount } from "../parts/account.js";
import { AddressFields, addressFields, AddressText, readAddress } from "../parts/address.js";
import { FailureNotice, Loaded } from "../shared/failure.js";
import { Field, Form, Select, text } from "../shared/form.js";
import { go, href } from "../shared/router.js";
import { store } from "../settings.js";
import { useStore } from "../shared/store.js";
import { t } from "../shared/t.js";
import { useTitle } from "../title.js";

/** The book of addresses; `?edit=` names the address that is changed, or `new`. */
export function AddressesView({ query }: { query: URLSearchParams }) {
  useTitle(t.account.addresses);
  return (
    <ForAccount>
      {() => (
        <>
          <h1 tabIndex={-1}>{t.account.addresses}</h1>
          <AccountTabs here="addresses" />
          <Book editing={query.get("edit")} />
        </>
      )}
    </ForAccount>
  );
}

/** An address that was just deleted. It can be put back, from the place where it was. */
interface Deleted {
  address: Address;
  at: number;
}

const edit = (id: string | null) => go(href(["addresses"], id === null ? undefined : new URLSearchParams({ edit: id })));

function Book({ editing }: { editing: string | null }) {
  const book = useLoad((signal) => shop.get("/v1/api/contacts/me/addresses", { signal }), []);
  const [deleted, setDeleted] = useState<Deleted | null>(null);
  const [focus, setFocus] = useState<string | null>(null); // the address, or "new", whose button gets the focus
  const leave = (to: string) => {
    setFocus(to);
    edit(null);
  };
  const edited = book.body?.data.find((one) => one.id === editing);
  if (editing === "new" || edited) {
    const done = (saved: Address) => {
      leave(saved.id);
      book.again();
    };
    return <AddressForm key={editing} of={edited} done={done} cancel={() => leave(editing!)} />;
  }
  return <Entries book={book} focus={focus} setFocus={setFocus} deleted={deleted} setDeleted={setDeleted} />;
}

function Entries({
  book,
  focus,
  setFocus,
  deleted,
  setDeleted,
}: {
  book: Loading<{ data: Address[] }>;
  focus: string | null;
  setFocus: (to: string | null) => void;
  deleted: Deleted | null;
  setDeleted: (deleted: Deleted | null) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  // After a form and an undo the focus is on the address that it was about.
  useEffect(() => {
    if (focus === null || book.loading) return;
    const entry = box.current?.querySelector<HTMLElement>(`[data-entry="${focus}"] button, button[data-entry="${focus}"]`);
    (entry ?? box.current?.querySelector<HTMLElement>("button[data-entry=new]"))?.focus();
    setFocus(null);
  }, [focus, book.loading]);
  const changed = (to: string) => {
    setFocus(to);
    book.again();
  };
  return (
    <div ref={box}>
      <Loaded from={book} outline={<span class="line" />}>
        {({ data }) => {
          const entries = data
            .filter((one) => one.id !== deleted?.address.id)
            .map((one, at) => (
              <Entry
                key={one.id}
                of={one}
                preferred={() => changed(one.id)}
                deleted={() => {
                  setDeleted({ address: one, at });
                  book.again();
                }}
              />
            ));
          if (deleted) {
            const back = (put: Address) => {
              setDeleted(null);
              changed(put.id);
            };
            entries.splice(deleted.at, 0, <DeletedEntry key={`deleted-${deleted.address.id}`} of={deleted.address} done={back} />);
          }
          return entries.length === 0 ? <p class="empty">{t.account.noAddress}</p> : <ul class="book">{entries}</ul>;
        }}
      </Loaded>
      <button type="button" class="button" data-entry="new" onClick={() => edit("new")}>
        {t.account.addAddress}
      </button>
    </div>
  );
}

const types = (): [Address["type"], string][] => [
  ["shipping", t.account.shipping],
  ["billing", t.account.billing],
  ["work", t.account.work],
];

const nameOf = (of: Address): string => of.label ?? of.street;

function Entry({ of, preferred, deleted }: { of: Address; preferred: () => void; deleted: () => void }) {
  const remove = useAction(
    (_: null, key) => shop.delete("/v1/api/contacts/me/addresses/{id}", { path: { id: of.id }, idempotencyKey: key }),
    deleted,
  );
  const prefer = useAction(
    (_: null, key) =>
      shop.patch("/v1/api/contacts/me/addresses/{id}", {
        path: { id: of.id },
        body: { type: of.type, is_default: true },
        idempotencyKey: key,
      }),
    preferred,
  );
  const failing = remove.failure ? remove : prefer;
  const name = nameOf(of);
  return (
    <li class="book-entry" data-entry={of.id}>
      <p class="tags">
        {types().find(([type]) => type === of.type)?.[1]}
        {of.is_default && ` · ${t.account.preferred}`}
      </p>
      {of.label && <h2>{of.label}</h2>}
      <AddressText of={of} />
      <p class="book-actions">
        <button type="button" class="link" aria-label={t.account.changeFor(name)} onClick={() => edit(of.id)}>
          {t.account.change}
        </button>
        {!of.is_default && (
          <button type="button" class="link" aria-label={t.account.preferFor(name)} onClick={() => prefer.run(null)}>
            {t.account.prefer}
          </button>
        )}
        <button type="button" class="link" aria-label={t.account.deleteFor(name)} onClick={() => remove.run(null)}>
          {t.account.delete}
        </button>
      </p>
      <FailureNotice failure={failing.failure} again={failing.again} busy={failing.busy} />
    </li>
  );
}

/** Where an address was: the focus stays here, and the address can be put back. */
function DeletedEntry({ of, done }: { of: Address; done: (put: Address) => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const undo = useAction(
    (_: null, key) => {
      const { id: _id, ...body } = of;
      return shop.post("/v1/api/contacts/me/addresses", { body, idempotencyKey: key });
    },
    ({ data }) => done(data),
  );
  useEffect(() => button.current?.focus({ preventScroll: true }), []);
  const name = nameOf(of);
  return (
    <li class="book-entry">
      <p role="status">{t.account.deleted(name)}</p>
      <button
        type="button"
        class="link"
        ref={button}
        aria-label={t.cart.undoFor(name)}
        aria-disabled={undo.busy}
        onClick={() => undo.run(null)}
      >
        {t.cart.undo}
      </button>
      <FailureNotice failure={undo.failure} again={undo.again} busy={undo.busy} />
    </li>
  );
}

type AddressAdd = NonNullable<Input<"/v1/api/contacts/me/addresses", "post">["body"]>;

function AddressForm({ of, done, cancel }: { of: Address | undefined; done: (saved: Address) => void; cancel: () => void }) {
  const settings = useStore(store);
  const box = useRef<HTMLDivElement>(null);
  const draft = `address ${of?.id ?? "new"}`;
  const [kept] = useState(() => readDraft(draft));
  const preferred = Object.keys(kept).length > 0 ? kept.is_default !== undefined : (of?.is_default ?? false);
  const save = useAction(
    (data: FormData, key) => {
      const body: AddressAdd = {
        ...readAddress(data),
        type: types().find(([type]) => type === data.get("type"))?.[0] ?? "shipping",
        label: text(data, "label"),
        is_default: data.has("is_default"),
      };
      return of
        ? shop.patch("/v1/api/contacts/me/addresses/{id}", { path: { id: of.id }, body, idempotencyKey: key })
        : shop.post("/v1/api/contacts/me/addresses", { body, idempotencyKey: key });
    },
    ({ data }) => done(data),
  );
  useEffect(() => box.current?.querySelector<HTMLElement>("h2")?.focus(), []);
  const away = () => {
    dropDraft(draft);
    cancel();
  };
  return (
    <div class="narrow" ref={box} onKeyDown={(event) => event.key === "Escape" && away()}>
      <h2 tabIndex={-1}>{of ? t.account.changeAddress : t.account.newAddress}</h2>
      <Form action={save} values={["type", "label", ...addressFields]} label={of ? t.account.saveAddress : t.account.addIt} draft={draft}>
        <div class="fields">
          <Select name="type" label={t.account.for} value={of?.type ?? "shipping"} options={types()} />
          <Field name="label" label={t.account.label} maxLength={50} value={of?.label} optional />
        </div>
        <AddressFields
          delivered={settings?.shipping_countries}
          country={of?.country ?? settings?.shipping_countries?.[0] ?? "NL"}
          of={of}
        />
        <label class="check">
          <input type="checkbox" name="is_default" defaultChecked={preferred} /> {t.account.preferThis}
        </label>
        <button type="button" class="link" onClick={away}>
          {t.account.cancel}
        </button>
      </Form>
    </div>
  );
}
