import { afterEach, expect, setSystemTime, test } from "bun:test";

import { createBeliefs } from "./beliefs.ts";

const START = Date.parse("2026-11-25T12:00:00Z");
const at = (ms: number): void => void setSystemTime(new Date(START + ms));
afterEach(() => void setSystemTime());

/** Until what waits for a look-up has heard of it. */
const settle = (): Promise<void> => Bun.sleep(0);

/** Beliefs whose look-ups are answered by hand, one after the other. */
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

test("what is believed is looked up anew before its end, and nobody waits for that", async () => {
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

test("what was looked up is believed for a second from when it was asked for", async () => {
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

test("where it can't be looked up anew it is believed no longer than it was", async () => {
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

test("what is forgotten doesn't come back by a look-up that began before", async () => {
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
