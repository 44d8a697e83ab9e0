/** The picture of a product. Without one, a drawing of slats takes its place. */
export function Picture({
  of,
  eager,
  class: extra = "",
}: {
  of: { url: string; alt: string | null } | null | undefined;
  eager?: boolean;
  class?: string;
}) {
  if (!of) return <div class={`picture picture-none ${extra}`} aria-hidden="true" />;
  return (
    <div class={`picture ${extra}`}>
      <img src={of.url} alt={of.alt ?? ""} loading={eager ? "eager" : "lazy"} width="480" height="480" />
    </div>
  );
}
