import { settings } from "@/server/settings";
import { texts } from "@/texts/texts";
import { Link } from "./link";

interface Crumb {
  name: string;
  at: string;
}

/** Where the visitor is, from the home page on. */
export async function Crumbs({ of }: { of: Crumb[] }) {
  const { word } = await texts();
  return (
    <nav className="crumbs" aria-label={word("path")}>
      <Link href="/">{word("home")}</Link>
      {of.map(({ name, at }) => (
        <Link key={at} href={at}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

/** The same for search engines. */
export function crumbsOf(all: Crumb[]) {
  return {
    "@type": "BreadcrumbList",
    itemListElement: all.map(({ name, at }, i) => ({ "@type": "ListItem", position: i + 1, name, item: settings.shop + at })),
  };
}
