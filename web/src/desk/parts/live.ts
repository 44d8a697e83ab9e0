import { useEffect } from "preact/hooks";

/** Asks again every minute while the page is looked at, and when it is looked at again. */
export function useEveryMinute(refresh: () => void) {
  useEffect(() => {
    const look = () => document.visibilityState === "visible" && refresh();
    const timer = setInterval(look, 60_000);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  });
}
