import { expect, test } from "bun:test";

import { gateOf, type Gate } from "./gate.ts";

test.each<[string, number, number, Gate["kind"]]>([
  ["-1 is unlimited, whatever is counted", 0, -1, "unlimited"],
  ["0 is switched off, and not used up", 0, 0, "off"],
  ["all used is used up", 5, 5, "used_up"],
  ["more than all, once the cap was lowered, is used up", 7, 5, "used_up"],
  ["less than all is open", 4, 5, "open"],
])("reads a cap: %s", (_, used, cap, kind) => expect(gateOf(used, cap).kind).toBe(kind));

test("an open gate shows the remaining calls", () => {
  expect(gateOf(3, 4)).toEqual({ kind: "open", used: 3, cap: 4, left: 1, percent: 75 });
});
