import { afterAll, beforeAll } from "bun:test";

import { newOrg, startInventory, type TestInventory } from "./kit.ts";

export const ACCOUNT = "123456789012";
export const arn = (name: string, account = ACCOUNT) => `arn:aws:sqs:eu-west-1:${account}:${name}`;
export const queue = (name: string, more: object = {}) => ({
  provider_resource_id: arn(name),
  provider_type: "AWS::SQS::Queue",
  ...more,
});
export const ids = (rows: { provider_resource_id: string }[]) =>
  rows.map((row) => row.provider_resource_id).toSorted();

/** Builds a large queue; twenty of them exceed one write. */
export const wide = (name: string, more: object = {}) =>
  queue(name, { properties: { Description: "-".repeat(200_000) }, ...more });
export const wideFrom = (from: number, to: number, more: object = {}) =>
  Array.from({ length: to - from }, (_, index) => wide(`q${from + index}`, more));
export const url = (name: string) => `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/${name}`;
export const declaredQueue = (name: string) => ({
  type: "aws_sqs_queue",
  name,
  attributes: { id: url(name), arn: arn(name) },
});

/** Starts an inventory for pushed listings, for the tests of one file. */
export function pushing() {
  let inventory: TestInventory;
  beforeAll(async () => {
    inventory = await startInventory();
  });
  afterAll(() => inventory.stop());
  return {
    get inventory() {
      return inventory;
    },
    async start() {
      const org = newOrg(inventory);
      return { org, account: await org.account("aws", ACCOUNT) };
    },
  };
}
