import { describe, expect, test } from "bun:test";
import fc from "fast-check";

import { createOutput } from "./output.ts";

function capture({ colours = false } = {}) {
  let text = "";
  const write = (more: string): void => {
    text += more;
  };
  return { output: createOutput(["quota", "gateway"], { colours, write }), text: () => text };
}

function stream(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

describe("the output of many programs", () => {
  test("names the program on each line, in one width", () => {
    const { output, text } = capture();
    output.line("quota", "ready");
    output.line("gateway", "ready");
    expect(text()).toBe("quota   | ready\ngateway | ready\n");
  });

  test("colours the names alone, and only when told to", () => {
    const { output, text } = capture({ colours: true });
    output.line("quota", "ready");
    expect(text()).toStartWith("\u001B[");
    expect(text()).toEndWith("\u001B[0m ready\n");
    expect(Bun.stripANSI(text())).toBe("quota   | ready\n");
  });

  test("is cut into lines however it arrives, letters of several bytes included", async () => {
    const lines = fc.array(fc.string({ unit: "grapheme" }).filter((line) => !/[\r\n]/.test(line)));
    await fc.assert(
      fc.asyncProperty(lines, fc.integer({ min: 1, max: 7 }), async (said, size) => {
        const { output, text } = capture();
        const bytes = new TextEncoder().encode(said.map((line) => `${line}\n`).join(""));
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.slice(index * size, (index + 1) * size),
        );
        await output.pipe("quota", stream(chunks));
        expect(text()).toBe(said.map((line) => `quota   | ${line}\n`).join(""));
      }),
    );
  });

  test("keeps a last line without an end, and remembers the last twenty", async () => {
    const { output, text } = capture();
    const said = Array.from({ length: 30 }, (_, index) => String(index));
    await output.pipe("quota", stream([new TextEncoder().encode(said.join("\n"))]));
    expect(text()).toEndWith("quota   | 29\n");
    expect(output.lastLines("quota")).toEqual(said.slice(10));
    expect(output.lastLines("gateway")).toEqual([]);
  });
});
