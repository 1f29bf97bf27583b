import { expect, test } from "bun:test";

import { keyOfLink } from "./link.ts";

const KEY = `leeway_abcd1234_${"x".repeat(38)}`;

test.each([
  ["127.0.0.1", `#key=${KEY}`, KEY],
  ["localhost", `#key=${KEY}`, KEY],
  ["[::1]", `#key=${KEY}`, KEY],
  ["leeway.example.com", `#key=${KEY}`, undefined],
  ["127.0.0.1.example.com", `#key=${KEY}`, undefined],
  ["localhost", "#key=leeway_short", undefined],
  ["localhost", "#content", undefined],
  ["localhost", "", undefined],
])("at %s the fragment %s signs in with %s", (hostname, hash, key) => {
  expect(keyOfLink({ hostname, hash })).toBe(key);
});
