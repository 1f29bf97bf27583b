import { describe, expect, test } from "bun:test";

import { lookOf, messagesOn } from "./terminal.ts";

const ERASE = "\r\u001B[2K";

function stream(isTTY: boolean): {
  isTTY: boolean;
  columns: number;
  text: string;
  write(text: string): void;
} {
  return {
    isTTY,
    columns: 40,
    text: "",
    write(text) {
      this.text += text;
    },
  };
}

describe("on a terminal", () => {
  test("an activity is shown with its seconds and removed when it ends", async () => {
    const terminal = stream(true);
    const result = await messagesOn(terminal, {}).during("waiting", async () => {
      await Bun.sleep(1_100);
      return 7;
    });
    expect([result, terminal.text]).toEqual([7, `${ERASE}waiting …${ERASE}waiting … 1 s${ERASE}`]);
  });

  test("a failed activity is removed, and its error is thrown", async () => {
    const terminal = stream(true);
    const failing = messagesOn(terminal, {}).during("waiting", () => Promise.reject(new Error("lost")));
    expect(await failing.catch((error: unknown) => error)).toEqual(new Error("lost"));
    expect(terminal.text).toBe(`${ERASE}waiting …${ERASE}`);
  });

  test("a message is shown above the activity", async () => {
    const terminal = stream(true);
    const messages = messagesOn(terminal, {});
    await messages.during("waiting", async () => messages.log("retrying"));
    expect(terminal.text).toBe(`${ERASE}waiting …${ERASE}leeway: retrying\n${ERASE}waiting …${ERASE}`);
  });

  test("an activity is complete if the terminal width is unknown", async () => {
    const terminal = { ...stream(true), columns: 0 };
    await messagesOn(terminal, {}).during("waiting", async () => undefined);
    expect(terminal.text).toBe(`${ERASE}waiting …${ERASE}`);
    expect(lookOf(terminal, {}).width).toBe(120);
  });

  test("an activity stays on one line", async () => {
    const terminal = stream(true);
    await messagesOn(terminal, {}).during("x".repeat(100), async () => undefined);
    expect(terminal.text).toBe(`${ERASE}${"x".repeat(39)}${ERASE}`);
  });
});

test.each([
  [false, {}],
  [true, { TERM: "dumb" }],
])("no activity is shown without a terminal (%p, %p)", async (isTTY, env) => {
  const file = stream(isTTY);
  const messages = messagesOn(file, env);
  await messages.during("waiting", async () => messages.log("retrying"));
  expect(file.text).toBe("leeway: retrying\n");
});
