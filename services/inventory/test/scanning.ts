import { afterAll, beforeAll } from "bun:test";

import type { Call } from "@leeway/connectors/aws/aws.fixture";
import { arn, scansOf, serveWorlds, type AwsWorld } from "./aws-cloud.ts";
import { newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

/** Starts an inventory that scans AWS accounts, for the tests of one file. `timeoutMs` limits a call of AWS. */
export function scanning(timeoutMs?: number) {
  const worlds = serveWorlds(timeoutMs);
  let inventory: TestInventory;
  beforeAll(async () => {
    inventory = await startInventory({ clouds: worlds.clouds });
  });
  afterAll(async () => {
    await inventory.stop();
    await worlds.stop();
  });
  return {
    get inventory() {
      return inventory;
    },
    /** Creates an organization with an account in a new AWS world. */
    async start(more: Parameters<ReturnType<typeof scansOf>["account"]>[1] = {}) {
      const org = newOrg(inventory);
      const world = worlds.newWorld();
      const scans = scansOf(inventory.call, org.id);
      const account = await scans.account(world, more);
      const names = async () =>
        (await org.resources())
          .map((row) => row.provider_resource_id.split(":").slice(3).join(":").replace(/:\d+:/, " "))
          .toSorted();
      return { org, world, scans, account, names };
    },
  };
}

export const setQueues = (world: AwsWorld, region: string, names: string[]): void =>
  void world.queues.set(region, names);

export const queueState = (...queues: [region: string, name: string][]): object =>
  tfstate(
    queues.map(([region, name]) => ({
      type: "aws_sqs_queue",
      name,
      attributes: { id: arn(region, name), arn: arn(region, name), name },
    })),
  );

/** Returns a test for calls that list `region` in Resource Explorer. */
export const explorerOf =
  (region: string) =>
  (call: Call): boolean =>
    call.action === "resource-explorer-2:ListResources" &&
    JSON.stringify(call.input).includes(`region:${region}`);
