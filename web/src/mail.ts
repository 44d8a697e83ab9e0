import { makeStore } from "./shared/store.js";

// The mails that a merchant's mailer would send. cartd serve --demo shows them instead: POST /mail/box.

export interface ResetMail {
  email: string;
  token: string;
  expires_at: string;
}

export const mails = makeStore<ResetMail[]>([]);

const tries = 20;
const pause = 250;

/** Waits for the mail that was just asked for; for an unknown address there is none. */
export async function awaitMail(email: string): Promise<void> {
  const before = mails.get().length;
  for (let i = 0; i < tries && mails.get().length === before; i++) {
    await new Promise((done) => setTimeout(done, pause));
    const read = await readMails(email);
    if (!read) return;
    mails.set(read);
  }
}

/** The mails of an address; null where the demo shows none. */
async function readMails(email: string): Promise<ResetMail[] | null> {
  try {
    const answer = await fetch("/mail/box", { method: "POST", body: JSON.stringify({ email }) });
    if (answer.status === 404) return null;
    const { data } = (await answer.json()) as { data: ResetMail[] };
    return data;
  } catch {
    return mails.get(); // the network is away
  }
}
