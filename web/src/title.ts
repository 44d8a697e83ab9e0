import { useEffect } from "preact/hooks";
import { storeName } from "./page.js";

/** Sets the title of the window. */
export function useTitle(title: string | null) {
  useEffect(() => {
    document.title = title ? `${title} · ${storeName}` : storeName;
  }, [title]);
}

/** Names the page and its picture for what shows a link to it. */
export function useShared(title: string | undefined, picture: string | undefined) {
  useEffect(() => {
    if (title === undefined) return;
    const changes = [setProperty("og:title", title), ...(picture ? [setProperty("og:image", new URL(picture, location.href).href)] : [])];
    return () => changes.forEach((undo) => undo());
  }, [title, picture]);
}

/** Sets a property of the page's head. Returns the function that takes it back. */
function setProperty(property: string, content: string): () => void {
  const found = document.head.querySelector<HTMLMetaElement>(`meta[property="${property}"]`);
  const meta = found ?? document.head.appendChild(document.createElement("meta"));
  const before = found?.content;
  meta.setAttribute("property", property);
  meta.content = content;
  return () => {
    if (before === undefined) meta.remove();
    else meta.content = before;
  };
}
