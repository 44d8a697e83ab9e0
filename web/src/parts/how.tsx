import { howDraft, keep, type Kept, type PageProps, type Patch } from "../checkout.js";
import { useAction } from "../load.js";
import { go, href } from "../router.js";
import { countryName } from "./address.js";
import { Delivery } from "./delivery.js";
import { Field, Form, text } from "./form.js";

/** How it is delivered, and what else there is to say. */
export function How({
  cart,
  of,
  ships,
  aside,
  instead,
  method,
  choose,
}: PageProps & { method: Kept["shipping_methods"][number] | undefined; choose: (id: string) => void }) {
  const country = of.shipping_address?.country ?? "";
  const next = useAction(
    (data: FormData, key) => {
      const body: Patch = { customer_note: text(data, "customer_note"), reference: text(data, "reference") };
      if (ships && method) body.shipping_method_id = method.id;
      return keep(cart, body, key);
    },
    () => go(href(["checkout", "order"])),
  );
  const undeliverable = ships && !method && (
    <p class="notice notice-failure">Nothing delivers this cart to {countryName(country)}, so it cannot be ordered from there.</p>
  );
  return (
    <Form
      action={next}
      draft={howDraft}
      values={["shipping_method_id", "customer_note", "reference"]}
      label="Continue"
      aside={aside}
      instead={instead ?? (undeliverable || undefined)}
    >
      {ships && (
        <Delivery
          methods={{ body: { data: of.shipping_methods }, failure: null, loading: false, again: () => {} }}
          chosen={method}
          choose={choose}
          country={country}
        />
      )}
      <section class="step" aria-labelledby="notes">
        <h2 id="notes">Anything else</h2>
        <div class="fields">
          <Field name="reference" label="Your reference" optional maxLength={100} value={of.reference} />
          <Field name="customer_note" label="Note to us" optional multiline wide maxLength={1000} value={of.customer_note} />
        </div>
      </section>
    </Form>
  );
}
