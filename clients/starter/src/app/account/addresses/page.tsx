import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { removeAddress, saveAddress } from "../actions";
import { AccountMenu } from "@/parts/account";
import { AddressFields } from "@/parts/address";
import { Field, Form, Select, Submit } from "@/parts/form";
import { Address } from "@/parts/record";
import { Refocus } from "@/parts/refocus";
import { ownPage } from "@/server/meta";
import { found, shopper, type Schemas } from "@/server/shop";
import { texts } from "@/texts/texts";

export async function generateMetadata(): Promise<Metadata> {
  return ownPage((await texts()).word("addresses"));
}

export default async function Addresses() {
  const answer = await (await shopper()).get("/v1/api/contacts/me/addresses");
  const book = found(answer)?.data;
  if (!book) redirect("/account");
  const { word } = await texts();
  const titled = (one: Schemas["Address"]) => one.label ?? `${one.name}, ${one.street}`;
  return (
    <>
      <h1>{word("addresses")}</h1>
      <AccountMenu />
      <Refocus after={book.map(({ id }) => id).join()} />
      {book.length === 0 && <p>{word("none_yet")}</p>}
      <ul className="lines">
        {book.map((one) => (
          <li key={one.id}>
            <div>
              <strong>{one.label}</strong> <span>{word(`type_${one.type}`)}</span>{" "}
              {one.is_default && <span className="badge">{word("default_address")}</span>}
              <Address address={one} />
              <details key={JSON.stringify(one)}>
                <summary aria-label={`${word("edit")}: ${titled(one)}`}>{word("edit")}</summary>
                <Fields of={one} />
              </details>
              <Form action={removeAddress.bind(null, one.id)} className="inline">
                <Submit aria-label={`${word("remove")}: ${titled(one)}`}>{word("remove")}</Submit>
              </Form>
            </div>
          </li>
        ))}
      </ul>
      <details key={book.length} open={book.length === 0}>
        <summary>{word("add_address")}</summary>
        <Fields of={null} />
      </details>
    </>
  );
}

async function Fields({ of }: { of: Schemas["Address"] | null }) {
  const { word, language } = await texts();
  return (
    <Form action={saveAddress.bind(null, of?.id ?? null)}>
      <Select label={word("type")} name="type" defaultValue={of?.type ?? "shipping"}>
        {(["shipping", "billing", "work"] as const).map((type) => (
          <option key={type} value={type}>
            {word(`type_${type}`)}
          </option>
        ))}
      </Select>
      <Field label={word("label")} name="label" hint={word("optional")} maxLength={50} defaultValue={of?.label ?? ""} />
      <AddressFields of="address" kept={of} countries={null} language={language} />
      <label>
        <input type="checkbox" name="is_default" defaultChecked={of?.is_default ?? false} /> {word("is_default")}
      </label>
      <p>
        <Submit>{word("save")}</Submit>
      </p>
    </Form>
  );
}
