import { useEffect, useState } from "preact/hooks";
import { date } from "./api.js";
import { config } from "./config.js";

const clocks = new Intl.DateTimeFormat(config.locale, { timeStyle: "short" });

/** A moment of today as `14:35`, another as `28 November 2026, 14:35`. */
export function moment(time: string): string {
  const day = date(time) === date(new Date().toISOString()) ? [] : [date(time)];
  return [...day, clocks.format(new Date(time))].join(", ");
}

/** The time from now on in words: `in 52 minutes`. */
export function ahead(time: string, now: number): string {
  const minutes = Math.max(0, Math.ceil((Date.parse(time) - now) / 60_000));
  if (minutes >= 120) return `in ${Math.floor(minutes / 60)} hours`;
  return minutes === 1 ? "in a minute" : `in ${minutes} minutes`;
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
