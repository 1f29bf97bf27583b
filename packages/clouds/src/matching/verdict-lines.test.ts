import { expect, test } from "bun:test";

import type { Pair } from "./model.ts";
import { verdictLines } from "./verdict-lines.ts";

const pair = (id: string, sourceId: string): Pair => ({
  liveId: "l",
  declared: { id, sourceId, region: undefined, keys: [], inline: false, contested: false },
  level: 2,
});

test.each([
  [[pair("b", "s"), pair("a", "s")], "a"],
  [[pair("a", "s"), pair("b", "s")], "a"],
  [[pair("a", "t"), pair("b", "s")], "b"],
])(
  "a live resource goes by the oldest of those that are as sure, in whatever order they come",
  (pairs, id) => {
    const lines = verdictLines(pairs).join("").trimEnd().split("\n");
    const chosen = lines.filter((line) => line.split("\t")[4] === "true");
    expect(chosen).toEqual([`l\t${id}\t2\tfalse\ttrue\ttrue`]);
  },
);
