import { useEffect } from "preact/hooks";
import { storeName } from "./page.js";

/** Sets the title of the window. */
export function useTitle(title: string | null) {
  useEffect(() => {
    document.title = title ? `${title} · ${storeName}` : storeName;
  }, [title]);
}
