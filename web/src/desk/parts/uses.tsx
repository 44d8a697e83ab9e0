import { useState } from "preact/hooks";
import { Loaded } from "../../shared/failure.js";
import { useLoad } from "../../shared/load.js";
import { t } from "../../shared/t.js";
import type { DiscountEntry } from "../entries.js";
import { api } from "../session.js";

/** How often a discount was used, by all and with one code. */
export function Uses({ of }: { of: DiscountEntry }) {
  const [code, setCode] = useState("");
  const uses = useLoad(
    (signal) => api.get("/v1/api/catalog/discounts/{id}/uses", { path: { id: of.id }, query: code === "" ? {} : { code }, signal }),
    [of.id, code],
  );
  const byCode = of.code != null || (of.code_batches ?? []).length > 0;
  return (
    <section class="block">
      <h2>{t.discount.uses}</h2>
      <Loaded from={uses} outline={<span class="line" />}>
        {({ used, usage_limit, code_uses }) => (
          <p>
            {usage_limit === null ? t.discount.used(used) : t.discount.usedOf(used, usage_limit)}
            {code !== "" && code_uses !== null && ` · ${t.discount.usedBy(code, code_uses)}`}
          </p>
        )}
      </Loaded>
      {byCode && (
        <form
          class="inline"
          onSubmit={(event) => {
            event.preventDefault();
            setCode(String(new FormData(event.currentTarget).get("code") ?? "").trim());
          }}
        >
          <input name="code" aria-label={t.discount.ofCode} placeholder={t.discount.ofCode} autocomplete="off" />
          <button class="button button-quiet">{t.discount.look}</button>
        </form>
      )}
    </section>
  );
}
