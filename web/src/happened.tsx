import { useState } from "preact/hooks";
import { recorded, type Recorded } from "./recorder.js";
import { useStore } from "./store.js";

/** The panel "What happened": each request of this page, the last one first. It is closed at first. */
export function Happened() {
  const [open, setOpen] = useState(false);
  const all = useStore(recorded);
  return (
    <aside class={`happened${open ? " happened-open" : ""}`} aria-label="What happened">
      <button type="button" class="happened-toggle" aria-expanded={open} aria-controls="happened" onClick={() => setOpen(!open)}>
        <span>What happened</span>
        {all.length > 0 && <Last of={all[0]!} />}
      </button>
      <div id="happened" hidden={!open}>
        <p class="hint">
          Each request of this page to cartd, the last one first. The times are the server's own, in milliseconds; a replayed answer is that
          of an earlier try. {left(all)}
        </p>
        <div class="happened-list" tabIndex={0} role="region" aria-label="Requests">
          <table>
            <thead>
              <tr>
                <th scope="col">Request</th>
                <th scope="col">Status</th>
                <th scope="col" class="number">
                  ms
                </th>
                <th scope="col" class="number">
                  Limit left
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

function left(all: Recorded[]): string {
  const last = all.find((one) => one.limit !== null);
  return last
    ? `The store has ${last.remaining!.toLocaleString("en")} of ${last.limit!.toLocaleString("en")} requests left this minute.`
    : "";
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
        {of.replayed && <span class="replayed"> replayed</span>}
      </td>
      <td class="number" title={of.done ? `${of.milliseconds.toFixed(0)} ms with the network` : undefined}>
        {of.serverMilliseconds?.toFixed(2) ?? "–"}
      </td>
      <td class="number">{of.remaining?.toLocaleString("en") ?? "–"}</td>
    </tr>
  );
}

function Status({ of }: { of: Recorded }) {
  if (!of.done) return <span class="status">…</span>;
  const kind = of.status === 0 ? "lost" : of.status < 400 ? "good" : of.status < 500 ? "refused" : "lost";
  return <span class={`status status-${kind}`}>{of.status || "lost"}</span>;
}
