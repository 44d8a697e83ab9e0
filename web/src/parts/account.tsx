import type { ComponentChildren } from "preact";
import type { Profile } from "../api.js";
import { account, session } from "../session.js";
import { useStore } from "../store.js";
import { FailureNotice, Missing } from "./failure.js";

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
      <Missing title="For this, log in">
        <p>
          It belongs to an account. <a href="#/login">Log in</a>.
        </p>
      </Missing>
    );
  return <>{children(visitor)}</>;
}

const tabs: [string, string][] = [
  ["account", "Account"],
  ["addresses", "Addresses"],
  ["orders", "Orders"],
  ["quotes", "Quotes"],
];

export function AccountTabs({ here }: { here: string }) {
  return (
    <nav class="tabs" aria-label="Account">
      {tabs.map(([name, label]) => (
        <a href={`#/${name}`} aria-current={name === here ? "page" : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
