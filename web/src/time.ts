import { useEffect, useState } from "preact/hooks";
import { date } from "./shared/formats.js";
import { perLocale, t } from "./shared/t.js";

const clocks = perLocale((locale) => new Intl.DateTimeFormat(locale, { timeStyle: "short" }));

/** A moment of today as `14:35`, another as `28 November 2026, 14:35`. */
export function moment(time: string): string {
  const day = date(time) === date(new Date().toISOString()) ? [] : [date(time)];
  return [...day, clocks().format(new Date(time))].join(", ");
}

/** The time from now on in words: `in 52 minutes`. */
export function ahead(time: string, now: number): string {
  const minutes = Math.max(0, Math.ceil((Date.parse(time) - now) / 60_000));
  return minutes >= 120 ? t.order.inHours(Math.floor(minutes / 60)) : t.order.inMinutes(minutes);
}

const tick = 15_000;

/** The time, in milliseconds; the view is drawn again as it goes on. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tick);
    return () => clearInterval(timer);
  }, []);
  return now;
}

const minute = 60_000;
const longest = 2 ** 31 - 1000; // milliseconds that a timer can wait

/** Asks again when the first of these times has come, each minute that the page is looked at, and when the visitor comes back to it: prices change. */
export function useFresh(times: (string | null)[], refresh: () => void) {
  const next = Math.min(...times.flatMap((one) => (one === null ? [] : [Date.parse(one)])));
  useEffect(() => {
    const look = () => document.visibilityState === "visible" && refresh();
    const timer = setInterval(look, minute);
    const wait = next - Date.now();
    const ends = wait > 0 && wait < longest ? setTimeout(refresh, wait + 500) : undefined; // the server's clock is not the visitor's
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      clearTimeout(ends);
      document.removeEventListener("visibilitychange", look);
    };
  }, [next]);
}
