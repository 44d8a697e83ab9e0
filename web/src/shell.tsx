import { useEffect, useRef } from "preact/hooks";
import { cartState } from "./cart.js";
import { categories, roots } from "./catalogue.js";
import { Boundary } from "./shared/boundary.js";
import { BringHappened, Happened } from "./requests-panel.js";
import { languages } from "./languages.js";
import { language, speak } from "./shared/language.js";
import { dropNotes, notes } from "./notes.js";
import { northwind, storeName } from "./page.js";
import { go, href, useRoute } from "./shared/router.js";
import { cameBack } from "./scroll.js";
import { Linked } from "./shared/linked.js";
import { infoPages } from "./info.js";
import { account } from "./session.js";
import { t } from "./shared/t.js";
import { makeStore, useStore } from "./shared/store.js";
import { View } from "./views.js";

const online = makeStore(navigator.onLine);
addEventListener("online", () => online.set(true));
addEventListener("offline", () => online.set(false));

/** The frame around every view. */
export function Shell() {
  useStore(language); // all is drawn again in another one
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("main")?.focus();
        }}
      >
        {t.shell.skip}
      </a>
      <Header />
      <Offline />
      <Main />
      <Footer />
      <Notes />
      <Happened />
    </>
  );
}

/** What has ended without the visitor's doing. It stands at the end of the page and of the window, and moves nothing. */
function Notes() {
  const all = useStore(notes);
  return (
    <div class="notes" role="status">
      {all.length > 0 && (
        <div>
          {all.map((one) => (
            <p>{one.to ? <Linked text={one.text()} to={one.to} /> : one.text()}</p>
          ))}
          <button type="button" class="link" onClick={dropNotes}>
            {t.shell.good}
          </button>
        </div>
      )}
    </div>
  );
}

function Offline() {
  return <div role="status">{!useStore(online) && <p class="offline">{t.shell.offline}</p>}</div>;
}

/** The view of the address. A new view starts at its top, with the focus on its heading. */
function Main() {
  const route = useRoute();
  const place = route.segments.join("/");
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    if (cameBack()) return; // scroll.ts finds the place again
    scrollTo({ top: 0, behavior: "instant" });
    const main = document.getElementById("main");
    (main?.querySelector<HTMLElement>("h1") ?? main)?.focus({ preventScroll: true });
  }, [place]);
  return (
    <main id="main" tabIndex={-1}>
      <Boundary key={place}>
        <View {...route} />
      </Boundary>
    </main>
  );
}

function Header() {
  const { segments, query } = useRoute();
  const all = useStore(categories)?.all ?? [];
  const visitor = useStore(account);
  const here = segments[0] === "products" ? query.get("category") : null;
  return (
    <header class="header">
      <div class="header-row">
        <a class="brand" href="#/">
          <Slats />
          <Brand />
        </a>
        <Search query={query.get("q") ?? ""} />
        <div class="header-links">
          <a class="header-link" href={visitor ? "#/account" : "#/login"}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <circle cx="12" cy="8" r="3.7" />
              <path d="M4.5 20.5c.8-4.2 3.8-6.2 7.5-6.2s6.7 2 7.5 6.2" />
            </svg>
            <span>{visitor ? (visitor.first_name ?? visitor.company_name ?? t.shell.account) : t.shell.logIn}</span>
          </a>
          <CartLink />
        </div>
      </div>
      <nav class="departments" aria-label={t.shell.departments}>
        <ul>
          {roots(all).map((one) => (
            <li>
              <a
                href={href(["products"], new URLSearchParams({ category: one.slug }))}
                aria-current={here === one.slug ? "page" : undefined}
              >
                {one.name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}

/** The name of the store. Of the demo's own a phone shows the first word. */
function Brand() {
  if (!northwind) return <span class="brand-own">{storeName}</span>;
  const [first, ...more] = storeName.split(" ");
  return (
    <span>
      {first} {more.length > 0 && <b>{more.join(" ")}</b>}
    </span>
  );
}

/** The sign of the shop: a blind with its last slat in the sun. */
export function Slats() {
  return (
    <svg class="slats" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M3 4h18M3 9.300h18M3 14.300h18" />
      <path class="sun" d="M3 19.500h18" />
    </svg>
  );
}

function Search({ query }: { query: string }) {
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const q = String(new FormData(event.currentTarget).get("q") ?? "").trim();
        go(href(["products"], q ? new URLSearchParams({ q }) : undefined));
      }}
    >
      <input
        name="q"
        type="search"
        placeholder={northwind ? t.shell.searchHint : t.shell.search}
        aria-label={t.shell.search}
        value={query}
        key={query}
        maxLength={255}
      />
      <button aria-label={t.shell.search}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <circle cx="10.5" cy="10.5" r="6" />
          <path d="m15 15 5.5 5.5" />
        </svg>
      </button>
    </form>
  );
}

function CartLink() {
  const { cart } = useStore(cartState);
  const lines = cart?.lines.length ?? 0;
  return (
    <a class="header-link" href="#/cart">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M5 8h14l-1.2 11.500H6.200zM8.5 10.500V7a3.5 3.5 0 0 1 7 0v3.5" />
      </svg>
      <span>{t.shell.cart}</span>
      {lines > 0 && (
        <b class="count">
          {lines}
          <i class="hidden"> {t.shell.lines(lines)}</i>
        </b>
      )}
    </a>
  );
}

/** The choice of the language. */
function Languages() {
  const spoken = useStore(language);
  return (
    <span class="languages">
      <span aria-hidden="true">{t.shell.language}</span>
      <select aria-label={t.shell.language} value={spoken} onChange={(event) => speak(event.currentTarget.value)}>
        {Object.entries(languages).map(([code, { name }]) => (
          <option value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </span>
  );
}

function Footer() {
  return (
    <footer class="footer">
      <div class="footer-row">
        <p>{northwind ? t.shell.demoStore(storeName) : t.shell.ownStore(storeName)}</p>
        <ul aria-label={t.shell.service}>
          {infoPages.map((one) => (
            <li>
              <a href={`#/${one}`}>{t.pages[one]}</a>
            </li>
          ))}
        </ul>
        <ul>
          <li>
            <a href="/docs">{t.shell.api}</a>
          </li>
          <BringHappened />
          <li>
            <Languages />
          </li>
          <li>
            <a href="#/account">{t.shell.account}</a>
          </li>
          <li>
            <a href="#/quotes">{t.shell.quotes}</a>
          </li>
        </ul>
      </div>
    </footer>
  );
}
