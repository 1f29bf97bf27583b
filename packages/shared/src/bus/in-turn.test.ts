import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { Type as t } from "@sinclair/typebox";

import { defineRequest } from "../contracts/contract.ts";
import { createActivity } from "../concurrency/activity.ts";
import { failureOf, testBus, testLog } from "../testing/testing.ts";
import { answer, serve } from "./answer.ts";
import type { BusConnection } from "./connection.ts";
import { limitRequests } from "./request-limits.ts";
import { call } from "./request.ts";

const TIMEOUT_MS = 1_500;
const things = (service: string, timeoutMs = TIMEOUT_MS) =>
  defineRequest(`${service}.things.ask`, {
    input: t.Object({ org_id: t.String(), n: t.Integer() }),
    output: t.Object({ n: t.Integer() }),
    timeoutMs,
  });
const [one, other] = ["one", "other"].map((name) => `${name}${crypto.randomUUID().slice(0, 8)}`);
const Ask = things(one ?? "");
const AskOther = things(other ?? "");
const AskSlowly = { ...things(one ?? "", 30_000), subject: `${one}.things.slowly` };

let caller: BusConnection;
let owner: BusConnection;
/** Requests that have reached the services, in order. */
let begun: string[] = [];
let ends: (() => void)[] = [];

async function held({ org_id, n }: { org_id: string; n: number }): Promise<{ n: number }> {
  begun.push(`${org_id}${n}`);
  await new Promise<void>((resolve) => ends.push(resolve));
  return { n };
}

beforeAll(async () => {
  [caller, owner] = await Promise.all([testBus("caller"), testBus("owner")]);
  const log = testLog();
  serve(owner, { service: one ?? "", endpoints: [answer(Ask, held), answer(AskSlowly, held)], log });
  serve(owner, { service: other ?? "", endpoints: [answer(AskOther, held)], log });
  await owner.nats.flush();
});
afterAll(async () => {
  await Promise.all([caller.nats.close(), owner.nats.close()]);
});

beforeEach(() => limitRequests(caller, { alone: 2, beside: 1, slow: { each: 3, all: 6 } }, createActivity()));

/** Sends requests, and waits until the services have those that aren't held back. */
async function ask(contracts: readonly (typeof Ask)[], org_id: string): Promise<Promise<unknown>[]> {
  const asked = contracts.map((contract, n) =>
    call(caller, contract, { org_id, n }).catch((error: unknown) => error),
  );
  await arrived();
  return asked;
}

/** Waits until the requests so far have reached the services. */
async function arrived(): Promise<void> {
  await Bun.sleep(5);
  await caller.nats.flush();
  await owner.nats.flush();
  await Bun.sleep(5);
}

async function end(answers: readonly Promise<unknown>[]): Promise<unknown[]> {
  const ending = setInterval(() => {
    for (const done of ends.splice(0)) done();
  }, 5);
  const all = await Promise.all(answers);
  clearInterval(ending);
  begun = [];
  return all;
}

test("an organization's requests beyond its limit at a service wait their turn", async () => {
  const answers = await ask(Array<typeof Ask>(6).fill(Ask), "a");
  expect(begun).toEqual(["a0", "a1"]);
  ends.shift()?.();
  await answers[0];
  await arrived();
  expect(begun).toEqual(["a0", "a1", "a2"]);
  expect(await end(answers)).toEqual([0, 1, 2, 3, 4, 5].map((n) => ({ n })));
});

test("other organizations, other services and slow requests don't wait for them", async () => {
  const answers = await ask([Ask, Ask, Ask], "a");
  answers.push(...(await ask([Ask], "b")), ...(await ask([AskOther], "a")), ...(await ask([AskSlowly], "a")));
  expect(begun).toEqual(["a0", "a1", "b0", "a0", "a0"]);
  await end(answers);
});

test("an organization gets fewer places while another is active, and all of them afterwards", async () => {
  const patiently = { ...Ask, timeoutMs: 2_400 };
  await end(await ask([Ask], "b"));
  const answers = await ask([patiently, patiently, patiently], "a");
  expect(begun).toEqual(["a0"]);
  await Bun.sleep(1_000);
  ends.shift()?.();
  await answers[0];
  await arrived();
  expect(begun).toEqual(["a0", "a1", "a2"]);
  await end(answers);
});

test("callers of a hanging service don't wait for each other's time limits", async () => {
  const started = performance.now();
  const answers = await ask(Array<typeof Ask>(8).fill(Ask), "a");
  for (const failure of await Promise.all(answers)) expect(failure).toMatchObject({ code: "unavailable" });
  expect(performance.now() - started).toBeLessThan(TIMEOUT_MS * answers.length);
  await arrived(); // those that got a place in the end
  await end([]);
});

test("slow requests over the limit of an organization at a service are refused", async () => {
  const answers = await ask(
    Array.from({ length: 5 }, () => AskSlowly),
    "a",
  );
  answers.push(...(await ask([AskSlowly], "b")), ...(await ask([Ask], "a")));
  expect(begun).toEqual(["a0", "a1", "a2", "b0", "a0"]);
  const refused = { code: "rate_limited", retryAfterSeconds: 5 };
  expect(await end(answers)).toMatchObject([
    { n: 0 },
    { n: 1 },
    { n: 2 },
    refused,
    refused,
    { n: 0 },
    { n: 0 },
  ]);
  expect(await end(await ask([AskSlowly], "a"))).toEqual([{ n: 0 }]);
});

test("slow requests of many organizations leave places to others", async () => {
  const answers: Promise<unknown>[] = [];
  for (const org of ["a", "b", "c", "d"])
    answers.push(...(await ask([AskSlowly, AskSlowly, AskSlowly], org)));
  answers.push(...(await ask([Ask], "e")));
  expect(begun).toEqual(["a0", "a1", "a2", "b0", "b1", "c0", "e0"]);
  const outcomes = await end(answers);
  expect(outcomes[5]).toMatchObject({
    code: "rate_limited",
    message: expect.stringContaining("2 long-running requests"),
  });
  expect(outcomes[9]).toMatchObject({ code: "unavailable" });
});

test("a failed request frees its place", async () => {
  const failing = defineRequest(`${one}.things.missing`, {
    input: t.Object({ org_id: t.String() }),
    output: t.Object({}),
  });
  const nobody = { ...failing, subject: "nobody.things.missing" };
  for (let turn = 0; turn < 5; turn += 1)
    expect(await failureOf(call(caller, nobody, { org_id: "a" }))).toMatchObject({
      message: "the nobody service isn't running; retry in a moment",
    });
});
