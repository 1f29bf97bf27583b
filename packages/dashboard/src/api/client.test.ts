import { expect, test } from "bun:test";
import fc from "fast-check";

import { filled, searchText } from "./client.ts";

test("any path parameter stays one path segment", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (value) => {
      const path = filled("/orgs/{id}/resources/{resource_id}", {
        id: "a",
        resource_id: value.toWellFormed(),
      });
      const [, , , , last = "", ...more] = path.split("/");
      expect(more).toEqual([]);
      expect(decodeURIComponent(last)).toBe(value.toWellFormed());
    }),
  );
});

test.each([
  [undefined, ""],
  [{}, ""],
  [{ q: undefined, account_id: "" }, ""],
  [{ q: "a&b=c", limit: 5 }, "?q=a%26b%3Dc&limit=5"],
])("the query %j becomes %j in the URL", (query, text) => expect(searchText(query)).toBe(text));
