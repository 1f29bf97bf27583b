import { afterAll, beforeAll } from "bun:test";

import { newOrg, startInventory, type TestInventory } from "./kit.ts";

export const [ONE, TWO] = ["111111111111", "222222222222"] as const;
export const arn = (name: string, account: string = ONE) => `arn:aws:sqs:eu-west-1:${account}:${name}`;
export const queue = (name: string, account: string = ONE) => ({
  provider_resource_id: arn(name, account),
  provider_type: "AWS::SQS::Queue",
});
export const declaredQueue = (name: string, account: string = ONE) => ({
  type: "aws_sqs_queue",
  name,
  attributes: { arn: arn(name, account) },
});
/** Builds a row that doesn't name its account. */
export const group = (id: string) => ({ provider_resource_id: id, provider_type: "AWS::EC2::SecurityGroup" });
export const declaredGroup = (id: string, attributes: object = {}) => ({
  type: "aws_security_group",
  name: id.replaceAll("-", "_"),
  attributes: { id, ...attributes },
});

export type Org = ReturnType<typeof newOrg>;

/** Starts an inventory that computes drift, for the tests of one file. */
export function declaring() {
  let inventory: TestInventory;
  beforeAll(async () => {
    inventory = await startInventory();
  });
  afterAll(() => inventory.stop());
  const call: TestInventory["call"] = (contract, input) => inventory.call(contract, input);
  return {
    call,
    database: () => inventory.database,
    /** Creates two accounts of one organization. */
    async start() {
      const org = newOrg(inventory);
      return { org, one: await org.account("aws", ONE), two: await org.account("aws", TWO) };
    },
  };
}

/** Returns the cloud ids of an account's matched resources. */
export const matchedIn = async (org: Org, { id }: { id: string }) =>
  (await org.resources({ account_id: id, match: "matched" }))
    .map((row) => row.provider_resource_id)
    .toSorted();
/** Returns the match status of each declared resource, by address. */
export const fates = async (org: Org) =>
  Object.fromEntries((await org.declared()).map(({ address, match }) => [address, match.status]));
export const postureOf = async (org: Org, { id }: { id: string }) =>
  (await org.posture()).find((row) => row.cloud_account_id === id);
