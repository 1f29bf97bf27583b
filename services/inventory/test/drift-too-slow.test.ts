import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";

import { SMALL_BYTES } from "@leeway/shared/concurrency/readers";
import { ListSnapshots, type DriftSnapshot } from "@leeway/shared/contracts/inventory/posture";
import { AppError } from "@leeway/shared/values/errors";

import { driftReaders } from "../src/readers.ts";
import { ACCOUNT } from "./drifting.ts";
import { newOrg, ndjson, startInventory, tfstate, type TestInventory } from "./kit.ts";

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const ARN = `arn:aws:sqs:eu-west-1:${ACCOUNT}:q`;

/** Creates an account with a queue whose delay changed and with an undeclared one. Returns the latest snapshot. */
async function snapshotOf({ note }: { note: string }): Promise<{ orgId: string; snapshot: DriftSnapshot }> {
  const org = newOrg(inventory);
  const account = await org.account("aws", ACCOUNT);
  const attributes = { arn: ARN, name: "q", url: ARN, delay_seconds: 0, tags: { note } };
  const declared = [{ type: "aws_sqs_queue", name: "q", attributes }];
  await org.pushState(await org.source("main", account.id), tfstate(declared));
  const queue = { provider_resource_id: ARN, provider_type: "AWS::SQS::Queue" };
  const properties = { QueueName: "q", DelaySeconds: 5, Tags: [{ Key: "note", Value: note }] };
  await org.pushListing(
    account,
    ndjson([
      { ...queue, properties },
      { ...queue, provider_resource_id: `${ARN}2` },
    ]),
  );
  const { data } = await inventory.call(ListSnapshots, { org_id: org.id, limit: 1 });
  const [snapshot] = data;
  if (!snapshot) throw new Error("the account has no snapshot");
  return { orgId: org.id, snapshot };
}

test("resources over a few kilobytes are compared on a thread in their organization's turn", async () => {
  using asked = spyOn(driftReaders, "do");
  const { orgId, snapshot } = await snapshotOf({ note: "x".repeat(SMALL_BYTES) });
  expect(snapshot).toMatchObject({ status: "ready", changed_count: 1, undeclared_count: 1 });
  const compared = asked.mock.calls.find(([{ bytes }, task]) => task === "comparePairs" && bytes > 0);
  expect(compared?.[0]).toEqual({ orgId, bytes: expect.any(Number) });
  expect(compared?.[0].bytes).toBeGreaterThan(2 * SMALL_BYTES);
});

test("a comparison that takes too long for its size fails its snapshot without a retry", async () => {
  const read = driftReaders.do;
  using asked = spyOn(driftReaders, "do").mockImplementation((piece, task, args, given) => {
    if (task !== "comparePairs") return read(piece, task, args, given);
    return Promise.reject(new AppError("too_slow_to_read", "reading this was stopped"));
  });
  const { snapshot } = await snapshotOf({ note: "x" });
  const message = expect.stringContaining("comparing some resources exceeded the time limit for their size");
  expect(snapshot).toMatchObject({ status: "error", error: { code: "internal", message } });
  expect(asked.mock.calls.filter(([, task]) => task === "comparePairs")).toHaveLength(1);
});
