import type { ComponentChildren } from "preact";

/** What is known of a record, beside it. What is not known is left out. */
export function Facts({
  title,
  rows,
  children,
}: {
  title: string;
  rows: [string, string | null | undefined][];
  children?: ComponentChildren;
}) {
  return (
    <aside class="who-for" aria-label={title}>
      <h2>{title}</h2>
      <dl>
        {rows.map(
          ([name, value]) =>
            value && (
              <div>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      {children}
    </aside>
  );
}
