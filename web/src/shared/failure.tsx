import type { Failure } from "cartd-client";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { refusalText } from "./language.js";
import type { Loading } from "./load.js";
import { onReturn, unreached } from "./reach.js";
import { t } from "./t.js";

/** What a failure means for the visitor. */
export function explain(failure: Failure): string {
  switch (failure.kind) {
    case "refused":
      return refusalText(failure);
    case "limited":
      return t.failure.limited(failure.retryAfter);
    case "blocked":
      return t.failure.blocked;
    case "unchanged":
      return t.failure.unchanged;
    case "unavailable":
      if (isForeign(failure)) return `${t.failure.foreign} ${t.failure.nothingDone}`;
      return failure.status === 0 ? t.failure.unreachable : t.failure.unable;
    case "unknown":
      if (isForeign(failure)) return `${t.failure.foreign} ${t.failure.maybeDone}`;
      return navigator.onLine ? t.failure.answerLost : t.failure.offlineUnknown;
  }
}

/** A success that is no JSON is not the shop's. */
const isForeign = ({ status }: Failure) => status >= 200 && status < 300;
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
  if (!failure) return null;
  const repeat = failure.kind !== "refused" && again;
  return (
    <div class="notice notice-failure" role="alert">
      <p>{explain(failure)}</p>
      {children}
      {repeat && (
        <p class="notice-actions">
          <button type="button" class="button button-quiet" disabled={busy} onClick={again}>
            {failure.kind === "unknown" ? t.failure.finish : t.failure.again}
          </button>
          {left !== null && (
            <span class="hint" aria-hidden="true">
              {t.failure.byItself(left)}
            </span>
          )}
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
      <div aria-busy="true" aria-label={t.shell.loading}>
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
