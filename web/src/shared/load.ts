import type { Answer, Failure, Refused, Result } from "cartd-client";
import { useEffect, useRef, useState } from "preact/hooks";
import { inSession, session } from "app/session.js";
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
  /** Asks again in the background: what is shown stays until a good answer has come. */
  refresh(): void;
  etag: string | null;
}

/** Loads what a view shows; again when one of the inputs changes. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<Result<T>>, inputs: unknown[]): Read<T> {
  const [state, setState] = useState<Omit<Read<T>, "again" | "refresh">>({ body: null, failure: null, loading: true, etag: null });
  const [turn, setTurn] = useState(0);
  const number = useStore(session.number);
  const asked = [...inputs, turn, number];
  const [shown, setShown] = useState(asked); // what the state belongs to: a new request begins only after the view is drawn
  const current = useRef<AbortController | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    current.current = abort;
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
  const refresh = () => {
    const { signal } = current.current!;
    inSession(() => load(signal)).then(
      (result) => {
        if (!signal.aborted && result?.ok) setState({ body: result.body, failure: null, loading: false, etag: result.etag });
      },
      () => {}, // aborted
    );
  };
  return { ...state, loading, again: () => setTurn((last) => last + 1), refresh };
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

/** A refusal of the page itself: a field has no value, or one that is none. */
export function lacking<T>(field: string, code: "required" | "numeric" = "required"): Promise<Result<T>> {
  const failure: Refused = {
    kind: "refused",
    status: 422,
    message: "",
    errors: { [field]: [] },
    errorCodes: { [field]: [{ code }] },
    details: {},
  };
  return Promise.resolve({ ok: false, failure, requestId: null, customerTokenStatus: null });
}
