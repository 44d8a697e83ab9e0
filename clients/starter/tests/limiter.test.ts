import assert from "node:assert/strict";
import { test } from "node:test";
import { limit, network } from "../src/server/limiter";

test("a visitor has so many things a minute, and another one as many", () => {
  const allow = limit(3);
  assert.deepEqual(
    [1, 2, 3, 4].map(() => allow("192.0.2.1", 0)),
    [true, true, true, false],
  );
  assert.equal(allow("192.0.2.2", 0), true);
  assert.equal(allow("192.0.2.1", 59_999), false);
  assert.equal(allow("192.0.2.1", 60_000), true);
});

test("all addresses of one IPv6 network are one visitor", () => {
  const allow = limit(1);
  assert.equal(allow("2001:db8::1", 0), true);
  assert.equal(allow("2001:0DB8:0:0:ffff::1", 0), false);
  assert.equal(allow("2001:db8:0:1::1", 0), true);
  assert.equal(network("::ffff:192.0.2.1"), "192.0.2.1");
  assert.equal(network("2001:db8::"), "2001:db8:0:0");
});
