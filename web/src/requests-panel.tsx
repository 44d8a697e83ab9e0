import { useEffect, useRef } from "preact/hooks";
import { time } from "./shared/formats.js";
import { mails } from "./mail.js";
import { Linked } from "./shared/linked.js";
import { recorded, type Recorded } from "./recorder.js";
import { href } from "./shared/router.js";
import { makeStore, useStore } from "./shared/store.js";
import { locale, t } from "./shared/t.js";

const item = "happened";

/** closed at first; open; or away, until the link at the end of the page brings it back. */
type Shown = "closed" | "open" | "away";

const shown = makeStore<Shown>(localStorage.getItem(item) === "away" ? "away" : "closed");

function show(next: Shown) {
  shown.set(next);
  if (next === "away") localStorage.setItem(item, next);
  else localStorage.removeItem(item);
}

export const showHappened = () => show("open");

/** The panel "What happened": each request of this page, the last one first. */
export function Happened() {
  const now = useStore(shown);
  const all = useStore(recorded);
  const open = now === "open";
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (open) panel.current?.scrollIntoView({ block: "nearest" }); // it opens at the end of the page, or beside it
  }, [open]);
  if (now === "away") return null;
  return (
    <aside ref={panel} class={`happened${open ? " happened-open" : ""}`} aria-label={t.happened.title}>
      <div class="happened-head">
        <button
          type="button"
          class="happened-toggle"
          aria-expanded={open}
          aria-controls="happened"
          onClick={() => show(open ? "closed" : "open")}
        >
          <span>{t.happened.title}</span>
          {all.length > 0 && <Last of={all[0]!} />}
        </button>
        <button type="button" class="happened-away" onClick={() => show("away")}>
          {t.happened.away}
        </button>
      </div>
      <div id="happened" hidden={!open}>
        <p class="hint">
          {t.happened.hint} {left(all)}
        </p>
        <p class="hint">
          <Linked text={t.happened.desk} to="/desk" />
        </p>
        <Mails />
        <div class="happened-list" tabIndex={0} role="region" aria-label={t.happened.requests}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t.happened.request}</th>
                <th scope="col">{t.happened.status}</th>
                <th scope="col" class="number">
                  {t.happened.milliseconds}
                </th>
                <th scope="col" class="number">
                  {t.happened.limit}
                </th>
              </tr>
            </thead>
            <tbody>
              {all.map((one) => (
                <Row key={one.number} of={one} />
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </aside>
  );
}

/** Brings the panel back that was put away. */
export function BringHappened() {
  if (useStore(shown) !== "away") return null;
  return (
    <li>
      <button type="button" class="link" onClick={showHappened}>
        {t.happened.title}
      </button>
    </li>
  );
}

/** The mails that the demo shows instead of sending them. */
function Mails() {
  return (
    <div role="status">
      <ul class="mails">
        {useStore(mails).map(({ email, token, expires_at }) => (
          <li>
            {t.happened.mailTo(email)} <a href={href(["reset", token], new URLSearchParams({ email }))}>{t.happened.mailLink}</a>
            {t.happened.mailUntil(time(expires_at))}
          </li>
        ))}
      </ul>
    </div>
  );
}

function left(all: Recorded[]): string {
  const last = all.find((one) => one.limit !== null);
  return last ? t.happened.left(last.remaining!.toLocaleString(locale), last.limit!.toLocaleString(locale)) : "";
}

function Last({ of }: { of: Recorded }) {
  return (
    <span class="happened-last" aria-hidden="true">
      {of.method} {of.route} <Status of={of} />
    </span>
  );
}

function Row({ of }: { of: Recorded }) {
  return (
    <tr>
      <td>
        <b class={`method method-${of.method.toLowerCase()}`}>{of.method}</b> <code>{of.route}</code>
      </td>
      <td>
        <Status of={of} />
        {of.replayed && <span class="replayed"> {t.happened.replayed}</span>}
      </td>
      <td class="number" title={of.done ? t.happened.withNetwork(of.milliseconds.toFixed(0)) : undefined}>
        {of.serverMilliseconds?.toFixed(2) ?? "–"}
      </td>
      <td class="number">{of.remaining?.toLocaleString(locale) ?? "–"}</td>
    </tr>
  );
}

function Status({ of }: { of: Recorded }) {
  if (!of.done) return <span class="status">…</span>;
  const kind = of.status === 0 ? "lost" : of.status < 400 ? "good" : of.status < 500 ? "refused" : "lost";
  return <span class={`status status-${kind}`}>{of.status || t.happened.lost}</span>;
}
