import { expect, test } from "bun:test";

import { inventorySearch } from "./inventory/search.ts";
import { driftSearch } from "./drift/search.ts";
import { parseSearch, stringifySearch } from "./search.ts";

const read = (address: string) => inventorySearch(parseSearch(address)).q;

test.each([
  ["?q=4821938471203948120", "4821938471203948120"],
  ["?q=1e5", "1e5"],
  ["?q=1.0", "1.0"],
  ["?q=123456789012", "123456789012"],
  ["?q=true", "true"],
  ["?q=null", "null"],
  ["?q=%5B1%5D", "[1]"],
  ["?q=%22123%22", "123"],
  ["?q=", undefined],
])("a URL with %s searches for %p", (address, q) => expect(read(address)).toBe(q));

test.each(["4821938471203948120", "12", "true", "null", "[1]", '"a"', '"', "a b&c=#", "{}", " 1"])(
  "%p survives a round trip through the URL",
  (q) => expect(read(stringifySearch({ q }))).toBe(q),
);

test.each([
  ["?risk_level=high", { risk_level: "high" }],
  ["?risk_level=high&risk_level=critical", { risk_level: ["high", "critical"] }],
  ["?kind=!missing&region=eu-west-1", { kind: "!missing", region: "eu-west-1" }],
  ["?resource_type=123&resource_type=true", { resource_type: ["123", "true"] }],
])("%s has several values and survives a round trip", (address, filters) => {
  const read: object = driftSearch(parseSearch(address));
  expect(read).toEqual(filters);
  expect<object>(driftSearch(parseSearch(stringifySearch({ ...read })))).toEqual(filters);
});

test("unknown and repeated values filter nothing", () => {
  const address = "?risk_level=painted&risk_level=low&risk_level=low&kind=!&disposition=!loud";
  expect<object>(driftSearch(parseSearch(address))).toEqual({ risk_level: "low" });
});
