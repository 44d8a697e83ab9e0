import { useState } from "preact/hooks";
import { FailureNotice, Loaded } from "../../shared/failure.js";
import { useAction, useLoad } from "../../shared/load.js";
import { t } from "../../shared/t.js";
import { Events, History } from "../parts/happenings.js";
import { api, can, me } from "../session.js";
import { useTitle } from "../title.js";

export function StoreView() {
  useTitle(t.places.store);
  const status = useLoad((signal) => api.get("/v1/api/store", { signal }), []);
  const [message, setMessage] = useState("");
  const done = () => status.refresh();
  const close = useAction((text: string) => api.put("/v1/api/store/closed", { body: { message: text === "" ? null : text } }), done);
  const reopen = useAction((_: null) => api.delete("/v1/api/store/closed"), done);
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1}>{me.get()?.store.name}</h1>
      </div>
      <Loaded from={status} outline={<span class="line title" />}>
        {(of) => (
          <>
            <section class="block">
              <h2>
                {of.closed ? t.store.closed : t.store.open}{" "}
                <i class={`state state-${of.closed ? "due" : "done"}`}>
                  {of.suspended ? t.store.suspended : of.closed ? t.store.noOrders : t.store.orders}
                </i>
              </h2>
              {of.closed && <p class="said">{of.message}</p>}
              {of.closed_by === "operator" && <p class="hint">{t.store.byOperator}</p>}
              {can("catalog:manage") &&
                (of.closed_by === "merchant" ? (
                  <button
                    type="button"
                    class="button"
                    aria-disabled={reopen.busy}
                    data-busy={reopen.busy}
                    onClick={() => void reopen.run(null)}
                  >
                    {t.store.reopen}
                  </button>
                ) : (
                  <form
                    class="inline"
                    onSubmit={(event) => {
                      event.preventDefault();
                      void close.run(message.trim());
                    }}
                  >
                    <input
                      aria-label={t.store.message}
                      placeholder={t.store.message}
                      maxLength={255}
                      value={message}
                      onInput={(event) => setMessage(event.currentTarget.value)}
                    />
                    <button class="button button-quiet" aria-disabled={close.busy} data-busy={close.busy}>
                      {t.store.close}
                    </button>
                  </form>
                ))}
              <FailureNotice failure={close.failure ?? reopen.failure} again={close.failure ? close.again : reopen.again} />
            </section>
            <section class="block">
              <h2>{t.store.warnings}</h2>
              {of.warnings === null ? (
                <p class="hint">{t.store.warningsLater}</p>
              ) : of.warnings.length === 0 ? (
                <p class="hint">{t.store.noWarning}</p>
              ) : (
                <ul class="plain">
                  {of.warnings.map((one) => (
                    <li>{one}</li>
                  ))}
                </ul>
              )}
            </section>
          </>
        )}
      </Loaded>
      <Events />
      <History />
    </>
  );
}
