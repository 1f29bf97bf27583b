import { afterAll, expect, test } from "bun:test";

import { createReader } from "../src/events/reader.ts";
import { planEvent } from "./kit.ts";

const reader = createReader();
afterAll(() => reader.stop());

const ORG = crypto.randomUUID();
const bodyOf = (text: string) => ({
  source: "planner" as const,
  body: Buffer.from(text),
  botUsernames: [],
});

/** Builds a plan event of at least this size. */
function planOf(bytes: number): string {
  const change = { address: "aws_sqs_queue.q", type: "aws_sqs_queue", change: { actions: ["create"] } };
  const count = Math.ceil(bytes / JSON.stringify(change).length);
  return planEvent({
    plan: { format_version: "1.2", resource_changes: Array.from({ length: count }, () => change) },
  });
}

test("large bodies are read like small ones", async () => {
  for (const bytes of [100, 1 << 20]) {
    const read = await reader.read(ORG, bodyOf(planOf(bytes)));
    const event = read.wanted ? JSON.parse(read.event) : undefined;
    expect(event).toMatchObject({ kind: "plan", repository: "platform/network" });
  }
  const noise = "x".repeat(1 << 20);
  expect(await reader.read(ORG, bodyOf(noise))).toEqual({ wanted: false, reason: "not_json" });
});

test("reading large bodies doesn't block other work", async () => {
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 1);
  await Promise.all([reader.read(ORG, bodyOf(planOf(4 << 20))), reader.read(ORG, bodyOf(planOf(4 << 20)))]);
  clearInterval(counting);
  expect(turns).toBeGreaterThan(10);
});
