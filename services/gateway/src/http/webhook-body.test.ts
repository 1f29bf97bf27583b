import { expect, test } from "bun:test";

import { failureOf } from "@leeway/shared/testing/testing";

import { createBodyBudget, withWebhookBody } from "./webhook-body.ts";

const MAX = 5 * 1024 * 1024;

test("large bodies wait for memory and for their turn, and all are processed, two at a time", async () => {
  const budget = createBodyBudget({
    maxBytes: 8 * MAX,
    maxUnread: 20 * MAX,
    forwarded: 2,
    patienceMs: 600_000,
  });
  let [atOnce, most] = [0, 0];
  const passOn = async (body: Uint8Array): Promise<number> => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await Bun.sleep(1);
    atOnce -= 1;
    return body.byteLength;
  };
  const taken = Array.from({ length: 20 }, (_, index) => {
    const headers = { "content-length": String(MAX) };
    const request = new Request("http://localhost/", { method: "POST", body: new Uint8Array(MAX), headers });
    return withWebhookBody({ request, sender: `sender ${index % 3}` }, budget, passOn);
  });
  expect(await Promise.all(taken)).toEqual(Array<number>(20).fill(MAX));
  expect(most).toBe(2);
});

test("a small body is admitted once the larger one waiting before it times out", async () => {
  const budget = createBodyBudget({ maxBytes: 10, maxUnread: 100, forwarded: 1, patienceMs: 200 });
  await budget.acquire(6, "a");
  const large = failureOf(budget.acquire(5, "b"));
  await Bun.sleep(100);
  const small = budget.acquire(4, "c");
  expect(await large).toMatchObject({ code: "unavailable" });
  await small;
});

test("senders that hold little memory are served before one that holds much", async () => {
  const budget = createBodyBudget({ maxBytes: 12, maxUnread: 100, forwarded: 1, patienceMs: 60_000 });
  const letIn: string[] = [];
  const ask = (name: string, bytes: number) =>
    budget.acquire(bytes, name.slice(0, 1)).then(() => void letIn.push(name));
  for (const name of ["a1", "a2", "a3"]) void ask(name, 3);
  void ask("a4", 1);
  void ask("b1", 3);
  await Bun.sleep(0);
  expect(letIn).toEqual(["a1", "a2", "b1"]); // not a4, which would overtake a3 forever
  void ask("c1", 4);
  void ask("d1", 1);
  await Bun.sleep(0);
  expect(letIn.slice(3)).toEqual([]); // neither d1 nor c1
  budget.release(3, "a");
  await Bun.sleep(0);
  expect(letIn.slice(3)).toEqual(["c1", "d1"]);
});

test("a sender is refused at once when too many of its bodies, or of all senders, wait", async () => {
  const budget = createBodyBudget({ maxBytes: 8, maxUnread: 8, forwarded: 1, patienceMs: 60_000 });
  const outcomes: string[] = [];
  const ask = (name: string) =>
    budget.acquire(4, name.slice(0, 1)).then(
      () => void outcomes.push(`${name} is in`),
      () => void outcomes.push(`${name} is refused`),
    );
  for (const name of ["a1", "a2", "a3", "b1", "b2", "c1"]) void ask(name);
  await Bun.sleep(0);
  expect(outcomes).toEqual(["a1 is in", "a3 is refused", "b1 is in", "c1 is refused"]);
  budget.release(4, "a");
  await Bun.sleep(0);
  expect(outcomes.slice(4)).toEqual(["a2 is in"]);
});
