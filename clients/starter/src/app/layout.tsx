import "./globals.css";
import type { Metadata } from "next";
import { Suspense, type ReactNode } from "react";
import { endedLogin, goOnAsGuest, setLanguage } from "./actions";
import { DropLogin } from "@/parts/drop-login";
import { Form, Submit } from "@/parts/form";
import { Link } from "@/parts/link";
import { Progress } from "@/parts/progress";
import { lineCount } from "@/server/cart";
import { categories, loginEnded, shared } from "@/server/catalogue";
import { read } from "@/server/session";
import { settings } from "@/server/settings";
import { languages } from "@/texts/language";
import { texts } from "@/texts/texts";

/** A read of the frame around all pages: while it fails, the frame is poorer, and the page lives. */
async function or<T>(read: Promise<T>, instead: T): Promise<T> {
  try {
    return await read;
  } catch (error) {
    console.error(error);
    return instead;
  }
}

const shopName = () =>
  or(
    shared().then(({ store }) => store.name),
    new URL(settings.shop).hostname,
  );

export async function generateMetadata(): Promise<Metadata> {
  await texts(); // of a visitor: nothing is made, and nothing asked, while the shop is built
  const name = await shopName();
  return { metadataBase: new URL(settings.shop), title: { default: name, template: `%s – ${name}` } };
}

export default async function Layout({ children }: { children: ReactNode }) {
  const { word, language } = await texts();
  const [name, all, lines, ended, customer] = await Promise.all([
    shopName(),
    or(categories(), []),
    or(lineCount(), null),
    or(loginEnded(), null),
    read("customer"),
  ]);
  const other = languages.find((one) => one !== language)!;
  return (
    <html lang={language}>
      <body>
        <a className="skip" href="#content">
          {word("skip")}
        </a>
        <Suspense>
          <Progress label={word("loading")} />
        </Suspense>
        <header>
          <Link className="brand" href="/">
            {name}
          </Link>
          <form action="/search" role="search">
            <input type="search" name="q" aria-label={word("search_for")} placeholder={word("search_for")} maxLength={255} />
            <button>{word("search")}</button>
          </form>
          <nav aria-label={word("account")}>
            <Link href="/account">{word(customer !== null && ended === null ? "account" : "log_in")}</Link>
            <Link href="/cart">
              {word("cart")} <span className="badge">{lines ?? "?"}</span>
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
        <main id="content" tabIndex={-1}>
          {ended && (
            <aside className="notice" aria-label={word("account")}>
              <p>
                {word("login_ended")} <Link href="/account">{word("log_in")}</Link>
              </p>
              <Form action={goOnAsGuest} className="inline">
                <Submit>{word("as_guest")}</Submit>
              </Form>
              {ended === "new" && <DropLogin drop={endedLogin} />}
            </aside>
          )}
          {children}
        </main>
        <footer>
          <Form action={setLanguage} className="inline">
            <input type="hidden" name="language" value={other} />
            <Submit lang={other}>{word("language")}</Submit>
          </Form>
        </footer>
      </body>
    </html>
  );
}
