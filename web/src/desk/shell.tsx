import { useEffect, useRef } from "preact/hooks";
import { Boundary } from "../shared/boundary.js";
import { language, speak } from "../shared/language.js";
import { makeStore, useStore } from "../shared/store.js";
import { useRoute } from "../shared/router.js";
import { t } from "../shared/t.js";
import { left } from "./back.js";
import { EnterView } from "./enter.js";
import { Slats } from "./icons.js";
import { languages } from "./languages.js";
import { open } from "./places.js";
import { leave, me } from "./session.js";
import { View } from "./views.js";

const online = makeStore(navigator.onLine);
addEventListener("online", () => online.set(true));
addEventListener("offline", () => online.set(false));

/** The frame around every view; the page before it while nobody has entered. */
export function Shell() {
  useStore(language); // all is drawn again in another one
  const who = useStore(me);
  const connected = useStore(online);
  if (who === undefined) return <main aria-busy="true" />;
  if (who === null) {
    return (
      <>
        <EnterView />
        <footer class="enter-foot">
          <Languages />
        </footer>
      </>
    );
  }
  return (
    <div class="frame">
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
      <header class="side">
        <a class="brand" href="#/">
          <Slats />
          <b title={who.store.name}>{who.store.name}</b>
        </a>
        <Places />
        <div class="side-end">
          <p class="hint keys">{t.shell.keys}</p>
          <Languages />
          <p class="who">
            <span title={who.key.name}>{who.key.name}</span>{" "}
            <button type="button" class="link" onClick={() => leave()}>
              {t.shell.leave}
            </button>
          </p>
        </div>
      </header>
      <div class="page">
        <div role="status">{!connected && <p class="offline">{t.shell.offline}</p>}</div>
        <Main />
      </div>
    </div>
  );
}

function Places() {
  const { segments } = useRoute();
  const all = open();
  const here = segments[0] ?? all[0]?.path;
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // On a phone the places are wider than the window.
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  }, [here]);
  return (
    <nav aria-label={t.shell.places}>
      <ul ref={list}>
        {all.map(({ path, name }) => (
          <li>
            <a href={`#/${path}`} aria-current={here === path ? "page" : undefined}>
              {name()}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The view of the address. A new view starts at its top, with the focus on its heading. */
function Main() {
  const route = useRoute();
  const place = route.segments.join("/");
  const before = useRef<string | null>(null);
  useEffect(() => {
    const last = before.current;
    before.current = place;
    left.record = last?.startsWith(`${place}/`) ? `#/${last}` : null;
    if (last === null) return;
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

/** The choice of the language. */
function Languages() {
  const spoken = useStore(language);
  return (
    <select class="languages" aria-label={t.shell.language} value={spoken} onChange={(event) => speak(event.currentTarget.value)}>
      {Object.entries(languages).map(([code, { name }]) => (
        <option value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  );
}
