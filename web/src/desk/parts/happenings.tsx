import { Loaded } from "../../shared/failure.js";
import { useLoad } from "../../shared/load.js";
import { t } from "../../shared/t.js";
import { api } from "../session.js";
import { when } from "../times.js";
import { RowList, useRows } from "./rows.js";

/** The receivers of events, and the events that were given up. */
export function Events() {
  const hooks = useLoad((signal) => api.get("/v1/api/webhooks", { signal }), []);
  return (
    <section class="block">
      <h2>{t.store.events}</h2>
      <Loaded from={hooks} outline={<span class="line" />}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="hint">{t.store.noReceiver}</p>
          ) : (
            <>
              <ul class="plain">
                {data.map((one) => (
                  <li>
                    <b>{one.host}</b> {one.given_up > 0 && <i class="state state-due">{t.store.givenUp(one.given_up)}</i>}{" "}
                    <span class="hint">
                      {[
                        one.waiting > 0 && t.store.waiting(one.waiting),
                        one.retrying > 0 && t.store.retrying(one.retrying),
                        one.oldest_at && t.store.oldest(when(one.oldest_at)),
                        one.events.join(", "),
                      ]
                        .filter(Boolean)
                        .join(" · ")}
                    </span>
                  </li>
                ))}
              </ul>
              {data.some((one) => one.given_up > 0) && <p class="hint">{t.store.resend}</p>}
            </>
          )
        }
      </Loaded>
    </section>
  );
}

/** Who has done what. */
export function History() {
  const rows = useRows(async (after: string | null, signal) => {
    const result = await api.get("/v1/api/history", { query: after === null ? {} : { after }, signal });
    return result.ok ? { ...result, body: { rows: result.body.data, next: result.body.meta.next_after } } : result;
  }, []);
  return (
    <section class="block">
      <h2>{t.store.history}</h2>
      <RowList of={rows} kind="history" heads={t.store.heads} none={<p>{t.store.noHistory}</p>}>
        {(one) => (
          <p class="row cells-history">
            <span>{when(one.at)}</span>
            <span class="cut">{one.key}</span>
            <span class="cut">{one.act}</span>
            <span class="cut cell-soft">{one.on}</span>
          </p>
        )}
      </RowList>
    </section>
  );
}
