/** A drawing of the blind in its proportions, with its measures. */
export function Blind({ kind, width, height, choices }: { kind: string; width: number; height: number; choices: string[] }) {
  if (!(width > 0 && height > 0)) return null;
  const scale = 180 / Math.max(width, height);
  const w = Math.max(30, width * scale);
  const h = Math.max(30, height * scale);
  const dark = choices.some((one) => /blackout|night|anthracite/.test(one));
  return (
    <svg
      class={dark ? "blind blind-dark" : "blind"}
      viewBox={`-8 -8 ${w + 44} ${h + 42}`}
      role="img"
      aria-label={`Drawing of a blind, ${width} by ${height} millimetres`}
    >
      <rect class="blind-light" x="0" y="0" width={w} height={h} />
      <Cover kind={kind} w={w} h={h} />
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
function Cover({ kind, w, h }: { kind: string; w: number; h: number }) {
  if (/vertical/.test(kind)) {
    const slats = Math.max(3, Math.round(w / 18));
    return (
      <>
        {Array.from({ length: slats }, (_, i) => (
          <rect class="blind-slat" x={(i * w) / slats} y="0" width={(w / slats) * 0.78} height={h} />
        ))}
      </>
    );
  }
  if (/venetian|pleated/.test(kind)) {
    const slats = Math.max(3, Math.round(h / 14));
    return (
      <>
        {Array.from({ length: slats }, (_, i) => (
          <rect class="blind-slat" x="0" y={(i * h) / slats} width={w} height={(h / slats) * 0.72} />
        ))}
      </>
    );
  }
  const folds = /roman/.test(kind) ? 4 : 1;
  return (
    <>
      {Array.from({ length: folds }, (_, i) => (
        <rect class="blind-slat" x="0" y={(i * h * 0.9) / folds} width={w} height={(h * 0.9) / folds} />
      ))}
      <rect class="blind-bar" x="0" y={h * 0.9 - 2} width={w} height="4" rx="2" />
    </>
  );
}
