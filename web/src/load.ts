import type { Answer, Failure, Result } from "cartd-client";
import { useEffect, useRef, useState } from "preact/hooks";
import { inSession, session } from "./session.js";
import { useStore } from "./store.js";

export interface Loading<T> {
  /** The last answer, which stays until the next one has come. */
  body: T | null;
  failure: Failure | null;
  loading: boolean;
  again(): void;
}

/** What was loaded, with the version of the record, for `ifMatch`. */
export interface Read<T> extends Loading<T> {
  etag: string | null;
}

/** Loads what a view shows; again when one of the inputs changes. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<Result<T>>, inputs: unknown[]): Read<T> {
  const [state, setState] = useState<Omit<Read<T>, "again">>({ body: null, failure: null, loading: true, etag: null });
  const [turn, setTurn] = useState(0);
  const number = useStore(session.number);
  const asked = [...inputs, turn, number];
  const [shown, setShown] = useState(asked); // what the state belongs to: a new request begins only after the view is drawn
  useEffect(() => {
    const abort = new AbortController();
    setShown(asked);
    setState(({ body, etag }) => ({ body, failure: null, loading: true, etag }));
    inSession(() => load(abort.signal)).then(
      (result) => {
        if (abort.signal.aborted || !result) return;
        if (result.ok) setState({ body: result.body, failure: null, loading: false, etag: result.etag });
        else setState({ body: null, failure: result.failure, loading: false, etag: null });
      },
      () => {}, // aborted
    );
    return () => abort.abort();
  }, asked);
  useEffect(() => {
    // A page that a browser has kept while its visitor was elsewhere shows what was.
    const returned = ({ persisted }: PageTransitionEvent) => persisted && setTurn((last) => last + 1);
    addEventListener("pageshow", returned);
    return () => removeEventListener("pageshow", returned);
  }, []);
  const loading = state.loading || asked.some((one, i) => one !== shown[i]);
  return { ...state, loading, again: () => setTurn((last) => last + 1) };
}

export interface Action<A> {
  /** Sends the request. Returns whether it was done. */
  run(input: A): Promise<boolean>;
  /** Sends the last request again; with its key if its outcome is unknown. */
  again(): Promise<boolean>;
  busy: boolean;
  failure: Failure | null;
  clear(): void;
}

/** A request that a visitor asks for. */
export function useAction<A, T>(
  send: (input: A, idempotencyKey?: string) => Promise<Result<T>>,
  done: (body: T, answer: Answer<T>) => void = () => {},
): Action<A> {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const sent = useRef<A | undefined>(undefined);
  const running = useRef(false);
  const ask = async (input: A, key?: string): Promise<boolean> => {
    if (running.current) return false;
    running.current = true;
    sent.current = input;
    setBusy(true);
    try {
      const result = await inSession(() => send(input, key));
      if (!result) return false;
      setFailure(result.ok ? null : result.failure);
      if (result.ok) done(result.body, result);
      return result.ok;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return {
    busy,
    failure,
    run: (input) => ask(input),
    again: () => ask(sent.current as A, failure?.kind === "unknown" ? (failure.idempotencyKey ?? undefined) : undefined),
    clear: () => setFailure(null),
  };
}

/** An answer that was not asked for. */
export function known<T>(body: T): Answer<T> {
  return { ok: true, body, status: 200, etag: null, replayed: false, requestId: null, orderToken: null, customerTokenStatus: null };
}
