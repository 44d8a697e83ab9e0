import type { ComponentChildren } from "preact";
import type { Profile } from "../api.js";
import { account, session } from "../session.js";
import { useStore } from "../shared/store.js";
import { FailureNotice, Missing } from "../shared/failure.js";
import { Linked } from "../shared/linked.js";
import { t } from "../shared/t.js";

/** A view that needs an account. */
export function ForAccount({ children }: { children: (visitor: Profile) => ComponentChildren }) {
  const visitor = useStore(account);
  const trouble = useStore(session.trouble);
  if (trouble) return <FailureNotice failure={trouble} again={session.identify} />;
  if (visitor === undefined)
    return (
      <div class="outline" aria-busy="true">
        <span class="line title" />
      </div>
    );
  if (visitor === null)
    return (
      <Missing title={t.account.needs}>
        <p>
          <Linked text={t.account.needsWhy} to="#/login" />
        </p>
      </Missing>
    );
  return <>{children(visitor)}</>;
}

const tabs = ["account", "addresses", "orders", "quotes"] as const;

export function AccountTabs({ here }: { here: string }) {
  return (
    <nav class="tabs" aria-label={t.account.title}>
      {tabs.map((name) => (
        <a href={`#/${name}`} aria-current={name === here ? "page" : undefined}>
          {name === "account" ? t.account.title : t.account[name]}
        </a>
      ))}
    </nav>
  );
}
