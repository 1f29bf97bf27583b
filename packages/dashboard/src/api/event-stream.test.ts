import { expect, test } from "bun:test";
import fc from "fast-check";

import { createEventReader } from "./event-stream.ts";

const STREAM = `: here\n\nid: 1\nevent: scan\ndata: {"status":"running"}\n\n: still here\n\nevent: end\ndata: one\ndata: two\n\n`;

test("parses events from chunks of any size, and ignores comments", () => {
  const whole = [
    { event: "scan", data: `{"status":"running"}`, id: "1" },
    { event: "end", data: "one\ntwo" },
  ];
  fc.assert(
    fc.property(fc.array(fc.nat(STREAM.length)), fc.boolean(), (cuts, isWindows) => {
      const read = createEventReader();
      const stream = isWindows ? STREAM.replaceAll("\n", "\r\n") : STREAM;
      const at = [0, ...cuts.toSorted((a, b) => a - b), stream.length];
      const pieces = at.slice(1).map((end, index) => stream.slice(at[index], end));
      expect(pieces.flatMap(read)).toEqual(whole);
    }),
  );
});
