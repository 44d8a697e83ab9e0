import { useEffect, useId, useRef, useState } from "preact/hooks";
import { known, useAction } from "../shared/load.js";
import { FailureNotice } from "../shared/failure.js";
import { useStore } from "../shared/store.js";
import { t } from "../shared/t.js";
import { Slats } from "./icons.js";
import { ended, enter } from "./session.js";
import { useTitle } from "./title.js";

/** The page before the desk: a key is pasted, or filled in by a manager of passwords. */
export function EnterView() {
  useTitle(t.enter.title);
  const why = useStore(ended);
  const [empty, setEmpty] = useState(false);
  const [wrong, setWrong] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const going = useAction(async ({ key, keep }: { key: string; keep: boolean }) => {
    const result = await enter(key, keep);
    const refused = !result.ok && result.failure.status === 401;
    setWrong(refused);
    return refused ? known(null) : result; // a key that opens nothing ends no session
  });
  const problem = empty ? t.enter.empty : wrong ? t.enter.wrong : null;
  useEffect(() => field.current?.focus(), [problem]);
  return (
    <main class="enter" id="main" tabIndex={-1}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          const key = String(data.get("key") ?? "").trim();
          setEmpty(key === "");
          if (key !== "") void going.run({ key, keep: data.has("keep") });
        }}
      >
        <Slats />
        <h1>{t.enter.title}</h1>
        <p role="status">{why !== null && t.enter[why]}</p>
        <div class="field">
          <label for={id}>{t.enter.key}</label>
          <input
            ref={field}
            id={id}
            name="key"
            type="password"
            autocomplete="current-password"
            spellcheck={false}
            aria-invalid={problem ? "true" : undefined}
            aria-describedby={problem ? `${id}-hint ${id}-errors` : `${id}-hint`}
          />
          {problem && (
            <p class="errors" id={`${id}-errors`}>
              {problem}
            </p>
          )}
          <p class="hint" id={`${id}-hint`}>
            {t.enter.hint}
          </p>
        </div>
        <label class="check">
          <input type="checkbox" name="keep" />
          <span>{t.enter.keep}</span>
        </label>
        <button class="button" aria-disabled={going.busy} data-busy={going.busy}>
          {t.enter.enter}
        </button>
        <FailureNotice failure={going.failure} again={going.again} busy={going.busy} />
      </form>
    </main>
  );
}
