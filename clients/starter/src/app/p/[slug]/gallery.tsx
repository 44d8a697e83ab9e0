"use client";
import { useEffect, useRef } from "react";
import { useChosen } from "./choosing";
import { Picture } from "@/parts/picture";
import type { Schemas } from "@/server/shop";
import { textsIn, type Language } from "@/texts/language";

interface Props {
  pictures: Schemas["Media"][];
  /** The place of each variant's first picture. */
  places: Record<string, number>;
  language: Language;
}

/** All pictures of a product side by side, to scroll or to choose from. It works without scripts; with them it goes to the chosen variant's. */
export function Gallery({ pictures, places, language }: Props) {
  const { word } = textsIn(language);
  const row = useRef<HTMLUListElement>(null);
  const place = places[useChosen().variant ?? ""];
  const show = (at: number) => row.current?.scrollTo({ left: at * row.current.clientWidth });
  useEffect(() => {
    if (place !== undefined) show(place);
  }, [place]);
  if (pictures.length === 0) return <Picture media={null} sizes="1px" />;
  return (
    <section className="gallery" aria-label={word("pictures")}>
      <ul ref={row} tabIndex={pictures.length > 1 ? 0 : undefined}>
        {pictures.map((media, i) => (
          <li key={i} id={`picture-${i + 1}`}>
            <Picture media={media} sizes="(max-width: 50rem) 100vw, 36rem" first={i === 0} />
          </li>
        ))}
      </ul>
      {pictures.length > 1 && (
        <nav aria-label={word("pictures")}>
          {pictures.map((media, i) => (
            <a
              key={i}
              href={`#picture-${i + 1}`}
              aria-label={word("picture_of", { n: i + 1, of: pictures.length })}
              onClick={(event) => {
                event.preventDefault();
                show(i);
              }}
            >
              <Picture media={{ ...media, alt: "" }} sizes="4rem" />
            </a>
          ))}
        </nav>
      )}
    </section>
  );
}
