import type { components } from "cartd-client";
import { money } from "../api.js";
import { useVat } from "../vat.js";
import type { Loading } from "../load.js";
import { countryName } from "./address.js";
import { Loaded } from "./failure.js";
import { GroupErrors } from "./form.js";

export type Method = components["schemas"]["ShippingMethod"];

export type Methods = Loading<{ data: Method[] }>;

export function Delivery({
  methods,
  chosen,
  choose,
  country,
}: {
  methods: Methods;
  chosen: Method | undefined;
  choose: (id: string) => void;
  country: string;
}) {
  const { ex, label, pick } = useVat();
  return (
    <section class="step" aria-labelledby="how">
      <h2 id="how">How</h2>
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
            <p class="notice">Nothing delivers these things to {countryName(country)}. Choose another country, or fewer things.</p>
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
                    {one.price.amount === 0 ? "free" : [money(pick(one, "price")), label].filter(Boolean).join(" ")}
                    {one.order_total && (
                      <small>
                        {money(one.order_total)} in all{ex && ", incl. tax"}
                      </small>
                    )}
                  </span>
                </label>
              ))}
            </div>
          )
        }
      </Loaded>
      <GroupErrors name="shipping_method_id" label="Delivery" />
    </section>
  );
}

function days({ min_days: from, max_days: to }: Method): string {
  if (from == null && to == null) return "";
  if (from == null || to == null || from === to) return `${to ?? from} ${(to ?? from) === 1 ? "day" : "days"}`;
  return `${from} to ${to} days`;
}
