import type { Failure } from "cartd-client";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { language, refusalText } from "../language.js";
import type { Loading } from "../load.js";
import { onReturn, unreached } from "../reach.js";
import { useStore } from "../store.js";

/** What a failure means for the visitor. */
export function explain(failure: Failure): string {
  switch (failure.kind) {
    case "refused":
      return refusalText(failure);
    case "limited":
      return `Too many requests at once. Try again in ${failure.retryAfter === 1 ? "a second" : `${failure.retryAfter} seconds`}.`;
    case "blocked":
      return "This page may not use the shop's server. Nothing was changed.";
    case "unchanged":
      return "Nothing has changed.";
    case "unavailable":
      if (isForeign(failure)) return `${foreign} Nothing was changed.`;
      return failure.status === 0
        ? "The shop cannot be reached. Are you offline? Nothing was changed."
        : "The shop cannot answer right now. Nothing was changed.";
    case "unknown":
      if (isForeign(failure)) return `${foreign} We do not know whether this was done. Finishing it does it once, never twice.`;
      return "The answer got lost on its way, so we do not know whether this was done. Finishing it does it once, never twice.";
  }
}

/** A success that is no JSON is not the shop's. */
const isForeign = ({ status }: Failure) => status >= 200 && status < 300;
const foreign = "Something else than the shop has answered: the answer is no JSON. Perhaps this network wants you to log in first.";

/** How many seconds until a failed request is sent again by itself; null if it is not. */
function pauseAfter(failure: Failure | null): number | null {
  switch (failure?.kind) {
    case "limited":
      return failure.retryAfter;
    case "unknown":
      return failure.idempotencyKey === null ? null : grownPause();
    case "unavailable":
      return grownPause();
    default:
      return null;
  }
}

/** The client has tried four times already. */
const grownPause = () => Math.min(60, 5 * 2 ** Math.floor(Math.max(0, unreached.get() - 4) / 4));

/** Sends a failed request again: after a pause that grows, and at once when the network or the shop is back. Returns the seconds left. */
function useRepeat(failure: Failure | null, again: (() => void) | undefined): number | null {
  const [left, setLeft] = useState<number | null>(null);
  useEffect(() => {
    const pause = pauseAfter(failure);
    setLeft(again ? pause : null);
    if (pause === null || !again) return;
    const until = Date.now() + pause * 1000;
    const repeat = () => {
      clearInterval(timer);
      setLeft(null);
      again();
    };
    const timer = setInterval(() => {
      const rest = Math.ceil((until - Date.now()) / 1000);
      if (rest > 0) setLeft(rest);
      else repeat();
    }, 250);
    const stop = onReturn(repeat);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [failure]);
  return left;
}

/** A failure with a way out of it. */
export function FailureNotice({
  failure,
  again,
  busy,
  children,
}: {
  failure: Failure | null;
  again?: () => void;
  busy?: boolean;
  children?: ComponentChildren;
}) {
  const left = useRepeat(failure, again);
  const lang = useStore(language);
  if (!failure) return null;
  const repeat = failure.kind !== "refused" && again;
  return (
    <div class="notice notice-failure" role="alert">
      <p lang={failure.kind === "refused" ? lang : undefined}>{explain(failure)}</p>
      {children}
      {repeat && (
        <p class="notice-actions">
          <button type="button" class="button button-quiet" disabled={busy} onClick={again}>
            {failure.kind === "unknown" ? "Finish it" : "Try again"}
          </button>
          {left !== null && <span class="hint" aria-hidden="true">{`By itself in ${left} s`}</span>}
        </p>
      )}
    </div>
  );
}

/** A view's content when it has loaded; before, its outline; else the failure. */
export function Loaded<T>({
  from,
  outline,
  missing,
  children,
}: {
  from: Loading<T>;
  outline: ComponentChildren;
  /** Shown for 404. */
  missing?: ComponentChildren;
  children: (body: T) => ComponentChildren;
}) {
  if (from.failure?.status === 404 && missing) return <>{missing}</>;
  if (from.failure) return <FailureNotice failure={from.failure} again={from.again} busy={from.loading} />;
  if (from.body === null)
    return (
      <div aria-busy="true" aria-label="Loading">
        {outline}
      </div>
    );
  return (
    <div class={from.loading ? "stale" : "fresh"} aria-busy={from.loading}>
      {children(from.body)}
    </div>
  );
}

/** A page for what does not exist. */
export function Missing({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </div>
  );
}
