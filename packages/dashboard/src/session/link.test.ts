import { expect, test } from "bun:test";

import { tokenOfLink } from "./link.ts";

const TOKEN = "x".repeat(43);

test.each([
  ["127.0.0.1", `#link=${TOKEN}`, TOKEN],
  ["localhost", `#link=${TOKEN}`, TOKEN],
  ["[::1]", `#link=${TOKEN}`, TOKEN],
  ["leeway.example.com", `#link=${TOKEN}`, undefined],
  ["127.0.0.1.example.com", `#link=${TOKEN}`, undefined],
  ["localhost", "#link=short", undefined],
  ["localhost", "#content", undefined],
  ["localhost", "", undefined],
])("at %s the fragment %s signs in with %s", (hostname, hash, token) => {
  expect(tokenOfLink({ hostname, hash })).toBe(token);
});
