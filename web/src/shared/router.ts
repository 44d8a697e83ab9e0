import { useMemo } from "preact/hooks";
import { makeStore, useStore } from "./store.js";

/** A view's address: `#/products?q=blind` has the segments ["products"] and the query q. */
export interface Route {
  segments: string[];
  query: URLSearchParams;
}

const hash = makeStore(location.hash);
addEventListener("hashchange", () => hash.set(location.hash));

export function useRoute(): Route {
  const current = useStore(hash);
  return useMemo(() => parse(current), [current]);
}

export function parse(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  return { segments: path.split("/").filter(Boolean).map(decode), query: new URLSearchParams(query) };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The address of a view. */
export function href(segments: string[], query?: URLSearchParams): string {
  const asked = query?.toString();
  return `#/${segments.map(encodeURIComponent).join("/")}${asked ? `?${asked}` : ""}`;
}

/** Names the same view by another address, in place of the one in the tab's history. */
export function rename(to: string): void {
  if (location.hash === to) return;
  history.replaceState(history.state, "", to);
  hash.set(location.hash);
}

export function go(to: string): void {
  location.hash = to;
}
