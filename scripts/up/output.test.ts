import { describe, expect, test } from "bun:test";
import fc from "fast-check";

import { createOutput } from "./output.ts";

function capture({ colours = false, all = true } = {}) {
  let text = "";
  let logged = "";
  const options = {
    own: "up",
    all,
    colours,
    write: (more: string) => void (text += more),
    log: (more: string) => void (logged += more),
  };
  return { output: createOutput(["quota", "gateway"], options), text: () => text, logged: () => logged };
}

function stream(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

describe("the terminal", () => {
  test("shows each step with its time, and nothing of the programs, which the log has", async () => {
    const { output, text, logged } = capture({ all: false });
    await output.step("services", async () => {
      output.line("quota", '{"msg":"listens"}');
    });
    output.line("quota", "a request");
    expect(text()).toMatch(/^services … \d+\.\d s\n$/);
    expect(logged().replace(/after [\d.]+/, "after 1")).toBe(
      'up      | services: starting\nquota   | {"msg":"listens"}\nup      | services: ready after 1 s\nquota   | a request\n',
    );
  });

  test("puts what up says during a step on a line of its own", async () => {
    const { output, text } = capture({ all: false });
    await output.step("NATS", async () => {
      output.line("up", "nats-server 2.12.15: its official release");
    });
    expect(text()).toMatch(
      /^NATS …\nnats-server 2\.12\.15: its official release\nNATS: ready after [\d.]+ s\n$/,
    );
  });

  test("is left with the title of a step that failed", async () => {
    const { output, text } = capture({ all: false });
    await output.step("NATS", () => Promise.reject(new Error("no"))).catch(() => undefined);
    output.line("up", "can't start");
    expect(text()).toBe("NATS …\ncan't start\n");
  });
});

describe("the output of several programs", () => {
  test("has the program's name on each line, padded to one width", () => {
    const { output, text } = capture();
    output.line("quota", "ready");
    output.line("gateway", "ready");
    expect(text()).toBe("quota   | ready\ngateway | ready\n");
  });

  test("has colours only for names, and only if enabled", () => {
    const { output, text } = capture({ colours: true });
    output.line("quota", "ready");
    expect(text()).toStartWith("\u001B[");
    expect(text()).toEndWith("\u001B[0m ready\n");
    expect(Bun.stripANSI(text())).toBe("quota   | ready\n");
  });

  test("is split into lines correctly, including multi-byte characters", async () => {
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

  test("keeps an unfinished last line and the last twenty lines", async () => {
    const { output, text } = capture();
    const said = Array.from({ length: 30 }, (_, index) => String(index));
    await output.pipe("quota", stream([new TextEncoder().encode(said.join("\n"))]));
    expect(text()).toEndWith("quota   | 29\n");
    expect(output.lastLines("quota")).toEqual(said.slice(10));
    expect(output.lastLines("gateway")).toEqual([]);
  });
});
