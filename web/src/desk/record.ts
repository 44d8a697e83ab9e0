import type { Answer, Result } from "cartd-client";
import { useEffect, useState } from "preact/hooks";
import { useAction, useLoad, type Action, type Loading } from "../shared/load.js";

// A record that several people may work on. Each change names the version that was seen. Where another one came first, nothing is changed, and the page
// shows what the other one wrote.

/** What can be told of a record, each with its name: two of them tell what has changed. */
export type Facts = [name: string, text: string][];

export interface Record<T> extends Loading<T> {
  etag: string | null;
  /** Takes the answer of a change as the record. */
  put(answer: Answer<T>): void;
  /** Reads the record that somebody else has changed meanwhile. */
  conflict(): void;
  refresh(): void;
  /** The record as it was shown before somebody else changed it; null if nobody has. */
  before: T | null;
  seen(): void;
}

export function useRecord<T>(load: (signal: AbortSignal) => Promise<Result<T>>, inputs: unknown[]): Record<T> {
  const read = useLoad(load, inputs);
  const [own, setOwn] = useState<{ of: T | null; body: T; etag: string | null } | null>(null);
  const [before, setBefore] = useState<T | null>(null);
  const mine = own !== null && own.of === read.body ? own : null; // a later reading replaces it
  const body = mine ? mine.body : read.body;
  useEffect(() => setBefore(null), inputs);
  return {
    ...read,
    body,
    etag: mine ? mine.etag : read.etag,
    before,
    put: (answer) => {
      setBefore(null);
      setOwn({ of: read.body, body: answer.body, etag: answer.etag });
    },
    conflict: () => {
      setBefore(body);
      read.refresh();
    },
    seen: () => setBefore(null),
  };
}

/** A change of a record, which names its version. `done` is called once it is made. */
export function useChange<A, T>(
  record: Record<T>,
  send: (input: A, ifMatch: string | null, idempotencyKey?: string) => Promise<Result<T>>,
  done: () => void = () => {},
): Action<A> {
  const action = useAction(
    (input: A, key) => send(input, record.etag, key),
    (_, answer) => {
      record.put(answer);
      done();
    },
  );
  const changed = action.failure?.status === 412;
  useEffect(() => {
    if (changed) record.conflict();
  }, [action.failure]);
  return action;
}

/** What differs between two states of a record. */
export function differences(before: Facts, now: Facts): { name: string; was: string; is: string }[] {
  const names = [...new Set([...now, ...before].map(([name]) => name))];
  const of = (facts: Facts, name: string) => facts.flatMap((one) => (one[0] === name ? [one[1]] : [])).join(" · ");
  return names.map((name) => ({ name, was: of(before, name), is: of(now, name) })).filter(({ was, is }) => was !== is);
}
