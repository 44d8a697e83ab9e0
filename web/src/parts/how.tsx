import { howDraft, keep, type Kept, type PageProps, type Patch } from "../checkout.js";
import { lacking, useAction } from "../shared/load.js";
import { go, href } from "../shared/router.js";
import { countryName } from "./address.js";
import { Delivery } from "./delivery.js";
import { Field, Form, text } from "../shared/form.js";
import { t } from "../shared/t.js";

/** How it is delivered, and what else there is to say. `gone`: the delivery that was chosen is offered no more, so another one must be chosen. */
export function How({
  cart,
  of,
  ships,
  aside,
  instead,
  method,
  gone,
  choose,
}: PageProps & { method: Kept["shipping_methods"][number] | undefined; gone: boolean; choose: (id: string) => void }) {
  const country = of.shipping_address?.country ?? "";
  const next = useAction(
    (data: FormData, key) => {
      if (ships && !method) return lacking("shipping_method_id");
      const body: Patch = { customer_note: text(data, "customer_note"), reference: text(data, "reference") };
      if (ships && method) body.shipping_method_id = method.id;
      return keep(cart, body, key);
    },
    () => go(href(["checkout", "order"])),
  );
  const undeliverable = ships && of.shipping_methods.length === 0 && (
    <p class="notice notice-failure">{t.checkout.undeliverable(countryName(country))}</p>
  );
  return (
    <Form
      action={next}
      draft={howDraft}
      values={["shipping_method_id", "customer_note", "reference"]}
      label={t.checkout.continue}
      aside={aside}
      instead={instead ?? (undeliverable || undefined)}
    >
      {ships && (
        <Delivery
          methods={{ body: { data: of.shipping_methods }, failure: null, loading: false, again: () => {} }}
          chosen={method}
          gone={gone}
          choose={choose}
          country={country}
        />
      )}
      <section class="step" aria-labelledby="notes">
        <h2 id="notes">{t.checkout.anythingElse}</h2>
        <div class="fields">
          <Field name="reference" label={t.fields.reference} optional maxLength={100} value={of.reference} />
          <Field name="customer_note" label={t.checkout.noteToUs} optional multiline wide maxLength={1000} value={of.customer_note} />
        </div>
      </section>
    </Form>
  );
}
