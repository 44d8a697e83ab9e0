import type { Failure, Result } from "cartd-client";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { FailureNotice } from "../../shared/failure.js";
import { useStore } from "../../shared/store.js";
import { t } from "../../shared/t.js";
import { left } from "../back.js";
import { inSession, session } from "../session.js";
import { day } from "../times.js";

/** A part of a list, and where the next one begins; null at the end. */
export interface Part<T, C> {
  rows: T[];
  next: C | null;
  /** The time back to which the part has looked, if it leaves rows out. */
  upTo?: string | undefined;
}

export interface Rows<T> {
  rows: T[];
  /** The list goes on. */
  more: boolean;
  upTo: string | undefined;
  loading: boolean;
  /** Nothing was read yet. */
  first: boolean;
  failure: Failure | null;
  next(): void;
  again(): void;
  /** Asks for the first part again in the background, where no more of the list is shown. */
  refresh(): void;
}

const enough = 20;
const mostParts = 8; // parts that one press asks for while they have few rows that fit

/** Reads a list part by part; anew when one of the inputs changes. Parts with few rows are followed by the next one. */
export function useRows<T, C>(read: (cursor: C | null, signal: AbortSignal) => Promise<Result<Part<T, C>>>, inputs: unknown[]): Rows<T> {
  const number = useStore(session.number);
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<Part<T, C> & { loading: boolean; first: boolean; failure: Failure | null }>({
    rows: [],
    next: null,
    loading: true,
    first: true,
    failure: null,
  });
  const current = useRef<AbortController | null>(null);
  const go = async (from: C | null, before: T[], quiet = false) => {
    current.current?.abort();
    const abort = new AbortController();
    current.current = abort;
    if (!quiet) setState((last) => ({ ...last, loading: true, failure: null }));
    let rows = before;
    let cursor = from;
    for (let parts = 0; ; parts++) {
      const result = await inSession(() => read(cursor, abort.signal)).catch(() => undefined); // aborted
      if (abort.signal.aborted || !result) return;
      if (!result.ok && quiet) return;
      if (!result.ok) return setState({ rows, next: cursor, loading: false, first: false, failure: result.failure });
      rows = [...rows, ...result.body.rows];
      cursor = result.body.next;
      const { upTo } = result.body;
      const done = cursor === null || rows.length - before.length >= enough || parts + 1 >= mostParts;
      if (done || !quiet) setState({ rows, next: cursor, upTo, loading: !done, first: false, failure: null });
      if (done) return;
    }
  };
  useEffect(() => {
    void go(null, []);
    return () => current.current?.abort();
  }, [...inputs, number, turn]);
  return {
    rows: state.rows,
    more: state.next !== null,
    upTo: state.upTo,
    loading: state.loading,
    first: state.first,
    failure: state.failure,
    next: () => void go(state.next, state.rows),
    refresh: () => {
      if (!state.loading && state.rows.length <= 2 * enough) void go(null, [], true);
    },
    again: () => (state.first || state.rows.length === 0 ? setTurn((last) => last + 1) : void go(state.next, state.rows)),
  };
}

/** The rows of a list with the names of their columns. Each row is a link. */
export function RowList<T>({
  of,
  kind,
  heads,
  none,
  children,
}: {
  of: Rows<T>;
  /** The name of the columns' widths in the style. */
  kind: string;
  heads: string[];
  none: ComponentChildren;
  children: (row: T) => ComponentChildren;
}) {
  const list = useRef<HTMLUListElement>(null);
  const seen = useRef<number | null>(null); // how many rows there were when more were asked for
  useEffect(() => {
    if (seen.current === null || of.loading) return;
    const row = Math.min(seen.current, of.rows.length - 1);
    if (!of.failure && (row === seen.current || !of.more)) list.current?.children[row]?.querySelector("a")?.focus();
    seen.current = null;
  }, [of.loading, of.rows]);
  useEffect(() => {
    if (of.loading || left.record === null) return;
    list.current?.querySelector<HTMLElement>(`a[href="${CSS.escape(left.record)}"]`)?.focus();
    left.record = null;
  }, [of.loading]);
  return (
    <div class={of.loading && of.rows.length > 0 ? "stale" : undefined} aria-busy={of.loading}>
      {of.rows.length > 0 && (
        <>
          <div class={`heads cells-${kind}`} aria-hidden="true">
            {heads.map((one) => (
              <span>{one}</span>
            ))}
          </div>
          <ul class="rows" ref={list}>
            {of.rows.map((row) => (
              <li>{children(row)}</li>
            ))}
          </ul>
        </>
      )}
      {of.rows.length === 0 && of.loading && <span class="line" aria-label={t.shell.loading} role="img" />}
      {of.rows.length === 0 && !of.loading && !of.failure && !of.more && <div class="empty">{none}</div>}
      <FailureNotice failure={of.failure} again={of.again} busy={of.loading} />
      {of.more && !of.failure && (
        <p class="more">
          <button
            type="button"
            class="button button-quiet"
            aria-disabled={of.loading}
            data-busy={of.loading}
            onClick={() => {
              if (of.loading) return;
              seen.current = of.rows.length;
              of.next();
            }}
          >
            {t.list.more}
          </button>
          {of.upTo !== undefined && <span class="hint">{t.list.upTo(day(of.upTo))}</span>}
        </p>
      )}
    </div>
  );
}

/** The search of a list: what was typed counts at Enter, or a moment after the last key. It never stands in an address. */
export function Search({ label, hint, value, onSearch }: { label: string; hint: string; value: string; onSearch: (text: string) => void }) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        clearTimeout(timer.current);
        onSearch(String(new FormData(event.currentTarget).get("q") ?? "").trim());
      }}
    >
      <input
        name="q"
        type="search"
        autocomplete="off"
        placeholder={hint}
        aria-label={label}
        defaultValue={value}
        maxLength={255}
        onInput={(event) => {
          const text = event.currentTarget.value.trim();
          clearTimeout(timer.current);
          timer.current = setTimeout(() => onSearch(text), 350);
        }}
      />
    </form>
  );
}

/** Links to the parts of a place. */
export function Tabs({ label, here, tabs }: { label: string; here: string; tabs: { to: string; name: string; key: string }[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ to, name, key }) => (
        <a href={to} aria-current={here === key ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
