import { expect, test } from "bun:test";

import { inventorySearch } from "./inventory/search.ts";
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
