import { afterEach, expect, setSystemTime, test } from "bun:test";

import { createBeliefs } from "./beliefs.ts";

const START = Date.parse("2026-11-25T12:00:00Z");
const at = (ms: number): void => void setSystemTime(new Date(START + ms));
afterEach(() => void setSystemTime());

/** Waits until callers of a lookup have its result. */
const settle = (): Promise<void> => Bun.sleep(0);

/** Creates beliefs whose lookups the test answers one by one. */
function believing() {
  const beliefs = createBeliefs<string>();
  const lookUps: PromiseWithResolvers<string>[] = [];
  const find = (): Promise<string> => {
    const lookUp = Promise.withResolvers<string>();
    lookUps.push(lookUp);
    return lookUp.promise;
  };
  return { beliefs, lookUps, ask: () => beliefs.of("bearer", "a token", find) };
}

test("a cached role is refreshed before it expires, without making callers wait", async () => {
  const { lookUps, ask } = believing();
  at(0);
  const first = ask();
  lookUps[0]?.resolve("viewer");
  expect(await first).toBe("viewer");
  at(500);
  expect(await ask()).toBe("viewer");
  expect(lookUps).toHaveLength(1);
  at(700);
  expect(await Promise.all([ask(), ask()])).toEqual(["viewer", "viewer"]);
  expect(lookUps).toHaveLength(2);
  lookUps[1]?.resolve("admin");
  await settle();
  at(1_100);
  expect(await ask()).toBe("admin");
});

test("a cached role expires one second after its lookup started", async () => {
  const { lookUps, ask } = believing();
  at(0);
  const first = ask();
  lookUps[0]?.resolve("viewer");
  await first;
  at(900);
  await ask();
  at(1_950);
  lookUps[1]?.resolve("viewer");
  await settle();
  void ask();
  expect(lookUps).toHaveLength(2 + 1);
});

test("a failed refresh doesn't extend a cached role", async () => {
  const { lookUps, ask } = believing();
  at(0);
  const first = ask();
  lookUps[0]?.resolve("viewer");
  await first;
  at(700);
  await ask();
  lookUps[1]?.reject(new Error("the database is away"));
  await settle();
  expect(await ask()).toBe("viewer");
  at(1_001);
  const asked = ask();
  lookUps[2]?.reject(new Error("the database is away"));
  expect(asked).rejects.toThrow("the database is away");
});

test("a lookup that started before a role was forgotten doesn't restore it", async () => {
  const { beliefs, lookUps, ask } = believing();
  at(0);
  const first = ask();
  lookUps[0]?.resolve("admin");
  await first;
  at(700);
  await ask();
  beliefs.forget();
  lookUps[1]?.resolve("admin");
  await settle();
  const asked = ask();
  lookUps[2]?.resolve("viewer");
  expect(await asked).toBe("viewer");
});
