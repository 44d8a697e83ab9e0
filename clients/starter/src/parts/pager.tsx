import { texts } from "@/texts/texts";
import { Link } from "./link";

/** The way to the other pages of a list. `to` is the address without the number of the page, which it ends with. */
export async function Pager({ page, last, to }: { page: number; last: number; to: string }) {
  if (last <= 1) return null;
  const { word } = await texts();
  return (
    <nav className="pager" aria-label={word("page", { n: page, of: last })}>
      {page > 1 && <Link href={to + (Math.min(page, last + 1) - 1)}>{word("previous")}</Link>}
      <span>{word("page", { n: page, of: last })}</span>
      {page < last && <Link href={to + (page + 1)}>{word("next")}</Link>}
    </nav>
  );
}
