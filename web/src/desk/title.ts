import { useEffect } from "preact/hooks";
import { t } from "../shared/t.js";
import { me } from "./session.js";

/** Sets the title of the window. It has no name of a customer: titles stay in the browser's history. */
export function useTitle(title: string) {
  useEffect(() => {
    const store = me.get()?.store.name;
    document.title = [title, store ?? t.shell.desk].join(" · ");
  }, [title]);
}
