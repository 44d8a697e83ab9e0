import type { components } from "cartd-client";
import { money } from "../shared/formats.js";
import { useVat } from "../vat.js";
import type { Loading } from "../shared/load.js";
import { countryName } from "./address.js";
import { Loaded } from "../shared/failure.js";
import { GroupErrors } from "../shared/form.js";
import { t } from "../shared/t.js";

export type Method = components["schemas"]["ShippingMethod"];

export type Methods = Loading<{ data: Method[] }>;

export function Delivery({
  methods,
  chosen,
  gone = false,
  choose,
  country,
}: {
  methods: Methods;
  chosen: Method | undefined;
  /** The one that was chosen is offered no more. */
  gone?: boolean;
  choose: (id: string) => void;
  country: string;
}) {
  const { ex, exempt, label, pick } = useVat();
  return (
    <section class="step" aria-labelledby="how">
      <h2 id="how">{t.checkout.how}</h2>
      <div role="status">{gone && <p class="notice">{t.checkout.gone}</p>}</div>
      <Loaded
        from={methods}
        outline={
          <>
            <span class="line" />
            <span class="line" />
          </>
        }
      >
        {({ data }) =>
          data.length === 0 ? (
            <p class="notice">{t.checkout.nothingDelivers(countryName(country))}</p>
          ) : (
            <div class="choices" role="radiogroup" aria-labelledby="how">
              {data.map((one) => (
                <label class="choice">
                  <input
                    type="radio"
                    name="shipping_method_id"
                    value={one.id}
                    checked={one.id === chosen?.id}
                    onChange={() => choose(one.id)}
                  />
                  <span class="choice-text">
                    <b>{one.name}</b>
                    <small>{[one.description, days(one)].filter(Boolean).join(" · ")}</small>
                  </span>
                  <span class="choice-price">
                    {one.price.amount === 0 ? t.cart.free : [money(pick(one, "price")), label].filter(Boolean).join(" ")}
                    {one.order_total && (
                      <small>
                        {ex && !exempt ? t.checkout.inAllTaxed(money(one.order_total)) : t.checkout.inAll(money(one.order_total))}
                      </small>
                    )}
                  </span>
                </label>
              ))}
            </div>
          )
        }
      </Loaded>
      <GroupErrors name="shipping_method_id" label={t.fields.delivery} />
    </section>
  );
}

/** In how many days it comes; empty if that is not said. */
export function days({ min_days: from, max_days: to }: Pick<Method, "min_days" | "max_days">): string {
  if (from == null && to == null) return "";
  if (from == null || to == null || from === to) return t.checkout.days((to ?? from)!);
  return t.checkout.daysTo(from, to);
}
