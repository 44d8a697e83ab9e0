import assert from "node:assert/strict";
import { test } from "node:test";
import { source } from "./source.js";

const { makeSession } = await source("sessions.ts");

const ada = { id: "1", first_name: "Ada", display_name: "Ada Lovelace" };
const ok = (body) => ({ ok: true, body });
const failed = (status) => ({ ok: false, failure: { kind: status === 401 ? "refused" : "unavailable", status } });

/** A tab. Tabs with one storage are of one browser. */
function tab(storage = new Map(), answer = () => ok(ada)) {
  const said = [];
  const carried = [];
  const session = makeSession({
    storage: {
      getItem: (name) => storage.get(name) ?? null,
      setItem: (name, value) => storage.set(name, value),
      removeItem: (name) => storage.delete(name),
    },
    carry: (token) => carried.push(token),
    read: async () => answer(),
    tell: (...what) => said.push(what.join(" ")),
  });
  return { session, said, carried, storage };
}

test("a new tab takes up the session, and carries its token before the account is known", async () => {
  const one = tab();
  one.session.logIn("token", ada);
  const two = tab(one.storage);
  const resumed = two.session.resume();
  assert.deepEqual(two.carried, ["token"]);
  assert.equal(two.session.account.get(), undefined);
  await resumed;
  assert.equal(two.session.account.get().first_name, "Ada");
});

test("a login and a logout elsewhere are followed, each with a sentence", async () => {
  const one = tab();
  const two = tab(one.storage);
  await two.session.resume();
  one.session.logIn("token", ada);
  await two.session.follow();
  assert.equal(two.session.account.get(), ada);
  one.session.logOut();
  await two.session.follow();
  assert.equal(two.session.account.get(), null);
  assert.equal(two.said.length, 2);
  assert.match(two.said[0], /^loggedIn Ada$/);
  assert.match(two.said[1], /^loggedOut/);
  await two.session.follow(); // nothing has changed
  assert.equal(two.said.length, 2);
});

test("503 and a lost network end no session; 401 does, in all tabs", async () => {
  for (const status of [503, 0]) {
    const { session, storage, said } = tab(new Map([["customer-token", "token"]]), () => failed(status));
    await session.resume();
    assert.equal(session.account.get(), undefined);
    assert.equal(session.trouble.get().status, status);
    session.notice(failed(status));
    assert.deepEqual([storage.get("customer-token"), said.length], ["token", 0]);
  }
  const { session, storage, said } = tab(new Map([["customer-token", "token"]]), () => failed(401));
  await session.resume();
  assert.deepEqual([session.account.get(), storage.size, said.length], [null, 0, 1]);
});

test("an answer that is a guest's, because the token has ended, ends the session; a guest's answer ends none", async () => {
  const { session, storage, said } = tab(new Map(), () => failed(401));
  session.logIn("token", ada);
  session.notice({ ...ok({}), customerTokenStatus: null });
  assert.equal(session.account.get(), ada);
  for (const of of [ok({}), failed(404)]) {
    session.logIn("token", ada);
    session.notice({ ...of, customerTokenStatus: "invalid" });
    session.notice({ ...of, customerTokenStatus: "invalid" }); // of a request that went out ahead of the end
    await settled();
    assert.deepEqual([session.account.get(), storage.size], [null, 0]);
    session.notice({ ...of, customerTokenStatus: "invalid" });
  }
  await settled();
  assert.equal(said.length, 2);
});

test("an answer that a browser has kept from an ended session does not end the next one", async () => {
  let reads = 0;
  const { session, storage, said } = tab(new Map(), () => (reads++, ok(ada)));
  session.logIn("new", ada);
  for (let i = 0; i < 3; i++) session.notice({ ...ok({}), customerTokenStatus: "invalid" });
  await settled();
  assert.deepEqual([session.account.get(), storage.get("customer-token"), said.length, reads], [ada, "new", 0, 1]);
});

const settled = () => new Promise((done) => setTimeout(done));

test("a page for an account lives again when it can be read", async () => {
  let answer = failed(503);
  const { session } = tab(new Map([["customer-token", "token"]]), () => answer);
  await session.resume();
  assert.equal(session.trouble.get().status, 503);
  answer = ok(ada);
  await session.identify();
  assert.deepEqual([session.trouble.get(), session.account.get()], [null, ada]);
});

test("the answer of an ended session is ignored, and a guest's 401 ends none", async () => {
  let answer;
  const { session, said } = tab(new Map([["customer-token", "token"]]), () => new Promise((done) => (answer = done)));
  const resumed = session.resume();
  session.logOut();
  answer(ok(ada));
  await resumed;
  assert.equal(session.account.get(), null);
  session.notice(failed(401));
  assert.deepEqual(said, []);
});

test("every session has a number of its own", () => {
  const { session } = tab();
  const numbers = [session.number.get()];
  session.logIn("a", ada);
  numbers.push(session.number.get());
  session.logOut();
  numbers.push(session.number.get());
  assert.equal(new Set(numbers).size, 3);
});
