import type { Product } from "../api.js";
import { t } from "../shared/t.js";

// The drawing of a blind. What it shows is in the product's metadata: `drawing` (cloth, slats, folds or vertical), and for a choice that has a
// colour `colour.ID`. Nothing is guessed from names.

/** The colour of a choice; null if it has none. */
export function colourOf(of: Pick<Product, "metadata">, choice: string): string | null {
  const colour = of.metadata[`colour.${choice}`];
  return typeof colour === "string" ? colour : null;
}

const uncoloured = "#fbfaf5";

/** A drawing of the blind in its proportions, with its measures. */
export function Blind({ of, width, height, choices }: { of: Product; width: number; height: number; choices: string[] }) {
  if (!(width > 0 && height > 0)) return <div class="blind" />;
  const scale = 180 / Math.max(width, height);
  const w = Math.max(30, width * scale);
  const h = Math.max(30, height * scale);
  const colour = choices.map((one) => colourOf(of, one)).findLast((one) => one !== null) ?? uncoloured;
  return (
    <svg class="blind" viewBox={`-8 -8 ${w + 44} ${h + 42}`} role="img" aria-label={t.measure.drawing(width, height)}>
      <rect class="blind-light" x="0" y="0" width={w} height={h} />
      <g class="blind-cover" fill={colour}>
        <Cover drawing={of.metadata.drawing} w={w} h={h} />
      </g>
      <rect class="blind-rail" x="-3" y="-5" width={w + 6} height="8" rx="2" />
      <path class="blind-measure" d={`M0 ${h + 12}h${w}M0 ${h + 8}v8M${w} ${h + 8}v8M${w + 12} 0v${h}M${w + 8} 0h8M${w + 8} ${h}h8`} />
      <text x={w / 2} y={h + 28} text-anchor="middle">
        {width}
      </text>
      <text x={w + 24} y={h / 2} text-anchor="middle" transform={`rotate(90 ${w + 24} ${h / 2})`}>
        {height}
      </text>
    </svg>
  );
}

/** Slats, vertical ones, or a cloth with its bar. */
function Cover({ drawing, w, h }: { drawing: unknown; w: number; h: number }) {
  if (drawing === "vertical") {
    const slats = Math.max(3, Math.round(w / 18));
    return (
      <>
        {Array.from({ length: slats }, (_, i) => (
          <rect x={(i * w) / slats} y="0" width={(w / slats) * 0.78} height={h} />
        ))}
      </>
    );
  }
  if (drawing === "slats") {
    const slats = Math.max(3, Math.round(h / 14));
    return (
      <>
        {Array.from({ length: slats }, (_, i) => (
          <rect x="0" y={(i * h) / slats} width={w} height={(h / slats) * 0.72} />
        ))}
      </>
    );
  }
  const folds = drawing === "folds" ? 4 : 1;
  return (
    <>
      {Array.from({ length: folds }, (_, i) => (
        <rect x="0" y={(i * h * 0.9) / folds} width={w} height={(h * 0.9) / folds} />
      ))}
      <rect class="blind-bar" x="0" y={h * 0.9 - 2} width={w} height="4" rx="2" />
    </>
  );
}
