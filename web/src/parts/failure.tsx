import type { Failure } from "cartd-client";
import type { ComponentChildren } from "preact";
import type { Loading } from "../load.js";

/** What a failure means for the visitor. */
export function explain(failure: Failure): string {
  switch (failure.kind) {
    case "refused":
      return failure.message;
    case "limited":
      return `Too many requests at once. Try again in ${failure.retryAfter === 1 ? "a second" : `${failure.retryAfter} seconds`}.`;
    case "blocked":
      return "This page may not use the shop's server. Nothing was changed.";
    case "unchanged":
      return "Nothing has changed.";
    case "unavailable":
      return failure.status === 0
        ? "The shop cannot be reached. Are you offline? Nothing was changed."
        : "The shop cannot answer right now. Nothing was changed.";
    case "unknown":
      return "The answer got lost on its way, so we do not know whether this was done. Finishing it does it once, never twice.";
  }
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
  if (!failure) return null;
  const repeat = failure.kind !== "refused" && again;
  return (
    <div class="notice notice-failure" role="alert">
      <p>{explain(failure)}</p>
      {children}
      {repeat && (
        <button type="button" class="button button-quiet" disabled={busy} onClick={again}>
          {failure.kind === "unknown" ? "Finish it" : "Try again"}
        </button>
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
