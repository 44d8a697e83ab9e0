import { useEffect } from "preact/hooks";

/** Sets the title of the window. */
export function useTitle(title: string | null) {
  useEffect(() => {
    document.title = title ? `${title} · Northwind Blinds` : "Northwind Blinds";
  }, [title]);
}
