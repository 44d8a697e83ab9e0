"use client";
import { useRouter } from "next/navigation";
import { useRef, useTransition } from "react";

interface Props {
  countries: { code: string; name: string }[];
  country: string;
  methods: { id: string; text: string }[];
  method: string;
  words: { country: string; method: string; show: string };
}

/** Where to and how a quote is delivered: both stand in the address of the page, which then shows the total with it. */
export function Delivery({ countries, country, methods, method, words }: Props) {
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const [pending, start] = useTransition();
  const show = () => {
    const chosen = new URLSearchParams(new FormData(form.current!) as unknown as Record<string, string>);
    start(() => router.replace(`?${chosen}`, { scroll: false }));
  };
  return (
    <form ref={form} className="inline" aria-busy={pending} onChange={show}>
      <div className="field">
        <label htmlFor="country">{words.country}</label>
        <select id="country" name="country" defaultValue={country} autoComplete="off">
          {countries.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor="delivery">{words.method}</label>
        <select id="delivery" name="delivery" key={method} defaultValue={method} autoComplete="off">
          {methods.map(({ id, text }) => (
            <option key={id} value={id}>
              {text}
            </option>
          ))}
        </select>
      </div>
      <noscript>
        <button>{words.show}</button>
      </noscript>
    </form>
  );
}
