import { useEffect, useState } from "preact/hooks";

/** A value that views follow. */
export interface Store<T> {
  get(): T;
  set(value: T): void;
  subscribe(follow: (value: T) => void): () => void;
}

export function makeStore<T>(value: T): Store<T> {
  const followers = new Set<(value: T) => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const follow of [...followers]) follow(next);
    },
    subscribe(follow) {
      followers.add(follow);
      return () => void followers.delete(follow);
    },
  };
}

/** The store's value; the view is drawn again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [, draw] = useState({});
  useEffect(() => {
    const follow = () => draw({});
    follow(); // the value may have changed between the first drawing and this effect
    return store.subscribe(follow);
  }, [store]);
  return store.get();
}
