import type { Failure, Result } from "cartd-client";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Record } from "./record.js";
import { inSession } from "./session.js";

// An editor that saves by itself: what is written is sent 400 ms after the last key, one request after the other, each on the version that the last
// answer had. A lost answer is repeated under its key before anything else is sent.

const pause = 400;

export interface Saving<W> {
  /** What is written and not saved yet. */
  pending: Partial<W>;
  write(members: Partial<W>): void;
  /** Saves at once, and says whether all is saved. */
  flush(): Promise<boolean>;
  state: "saved" | "waiting" | "saving" | "failed" | "conflict";
  failure: Failure | null;
  again(): void;
  /** Gives up what is not saved. */
  drop(): void;
}

export function useSaving<T, W extends object>(
  record: Record<T>,
  send: (members: Partial<W>, ifMatch: string | null, idempotencyKey?: string) => Promise<Result<T>>,
): Saving<W> {
  const [pending, setPending] = useState<Partial<W>>({});
  const [state, setState] = useState<Saving<W>["state"]>("saved");
  const [failure, setFailure] = useState<Failure | null>(null);
  const latest = useRef({ pending, record });
  latest.current.record = record;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const running = useRef<Promise<boolean> | null>(null);
  /** A request whose outcome is not known. */
  const lost = useRef<{ members: Partial<W>; ifMatch: string | null; key: string } | null>(null);
  /** The version that the last answer had: it is known before the page is drawn again. */
  const version = useRef<string | null | undefined>(undefined);
  useEffect(() => void (version.current = record.etag), [record.etag]);

  const set = (next: Partial<W>) => {
    latest.current.pending = next;
    setPending(next);
  };

  const save = async (): Promise<boolean> => {
    for (;;) {
      const repeated = lost.current;
      const members = repeated?.members ?? latest.current.pending;
      if (Object.keys(members).length === 0) {
        setState("saved");
        return true;
      }
      setState("saving");
      const ifMatch = repeated ? repeated.ifMatch : (version.current ?? latest.current.record.etag);
      const result = await inSession(() => send(members, ifMatch, repeated?.key));
      if (!result) return false;
      if (!result.ok) {
        const { failure: why } = result;
        lost.current = why.kind === "unknown" && why.idempotencyKey !== null ? { members, ifMatch, key: why.idempotencyKey } : null;
        setFailure(why);
        setState(why.status === 412 ? "conflict" : "failed");
        if (why.status === 412) latest.current.record.conflict();
        return false;
      }
      lost.current = null;
      version.current = result.etag;
      setFailure(null);
      // What was written meanwhile stays.
      const now = latest.current.pending;
      set(Object.fromEntries(Object.entries(now).filter(([name, value]) => members[name as keyof W] !== value)) as Partial<W>);
      latest.current.record.put(result);
    }
  };

  const flush = (): Promise<boolean> => {
    clearTimeout(timer.current);
    running.current ??= save().finally(() => (running.current = null));
    return running.current;
  };

  useEffect(() => {
    // What is not saved yet is saved when the view is left.
    return () => {
      if (Object.keys(latest.current.pending).length > 0) void flush();
    };
  }, []);

  return {
    pending,
    state,
    failure,
    flush,
    write: (members) => {
      set({ ...latest.current.pending, ...members });
      setState((last) => (last === "saving" || last === "conflict" ? last : "waiting"));
      clearTimeout(timer.current);
      if (state !== "conflict") timer.current = setTimeout(() => void flush(), pause);
    },
    again: () => {
      version.current = latest.current.record.etag;
      void flush();
    },
    drop: () => {
      lost.current = null;
      set({});
      setFailure(null);
      setState("saved");
    },
  };
}
