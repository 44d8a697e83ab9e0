import "./globals.css";
import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { setLanguage } from "./actions";
import { cart } from "@/server/cart";
import { categories, store } from "@/server/catalogue";
import { settings } from "@/server/settings";
import { texts } from "@/texts/texts";

export async function generateMetadata(): Promise<Metadata> {
  const { name } = (await store()).store;
  return { metadataBase: new URL(settings.shop), title: { default: name, template: `%s – ${name}` }, openGraph: { siteName: name, type: "website" } };
}

export default async function Layout({ children }: { children: ReactNode }) {
  const [{ word, language }, shop, all, current] = await Promise.all([texts(), store(), categories(), cart()]);
  return (
    <html lang={language}>
      <body>
        <a className="skip" href="#content">
          {word("skip")}
        </a>
        <header>
          <Link className="brand" href="/">
            {shop.store.name}
          </Link>
          <form action="/search" role="search">
            <input type="search" name="q" aria-label={word("search_for")} placeholder={word("search_for")} maxLength={255} />
            <button>{word("search")}</button>
          </form>
          <nav aria-label={word("account")}>
            <Link href="/account">{word("account")}</Link>
            <Link href="/cart">
              {word("cart")} <span className="badge">{current?.data.lines.length ?? 0}</span>
            </Link>
          </nav>
          <nav className="menu" aria-label={word("menu")}>
            {all
              .filter((one) => one.parent_id === null)
              .map((one) => (
                <Link key={one.id} href={`/c/${encodeURIComponent(one.slug)}`}>
                  {one.name}
                </Link>
              ))}
          </nav>
        </header>
        <main id="content">{children}</main>
        <footer>
          <form action={setLanguage}>
            <button name="language" value={language === "en" ? "nl" : "en"} lang={language === "en" ? "nl" : "en"}>
              {word("language")}
            </button>
          </form>
        </footer>
      </body>
    </html>
  );
}
