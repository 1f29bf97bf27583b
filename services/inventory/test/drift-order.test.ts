import { afterAll, beforeAll, expect, test } from "bun:test";

import { ListDriftChanges, type CHANGE_ORDERS } from "@leeway/shared/contracts/inventory/drift";
import { AppError } from "@leeway/shared/values/errors";
import { failureOf } from "@leeway/shared/testing/testing";

import { ndjson, newOrg, startInventory, type TestInventory } from "./kit.ts";

const ACCOUNT = "111111111111";
const QUEUE = "AWS::SQS::Queue";

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const live = (name: string, type = QUEUE, properties?: object) => ({
  provider_resource_id: `arn:aws:${name}`,
  provider_type: type,
  ...(properties && { properties }),
});
/** An undeclared group that is a higher risk than a queue, because it is open to the internet. */
const OPEN = live("group", "AWS::EC2::SecurityGroup", {
  GroupId: "sg-1",
  SecurityGroupIngress: [{ IpProtocol: "tcp", FromPort: 22, ToPort: 22, CidrIp: "0.0.0.0/0" }],
});

test("changes are listed by risk or by age, in both directions, and found by name", async () => {
  const org = newOrg(inventory);
  const account = await org.account("aws", ACCOUNT);
  await org.pushListing(account, ndjson([live("first")]));
  await org.pushListing(account, ndjson([live("first"), OPEN]));
  await org.pushListing(account, ndjson([live("first"), OPEN, live("last"), live("last-too")]));

  const read = (sort: (typeof CHANGE_ORDERS)[number] | undefined, cursor?: string) =>
    inventory.call(ListDriftChanges, {
      org_id: org.id,
      limit: 1,
      ...(sort && { sort }),
      ...(cursor && { cursor }),
    });
  async function namesBy(sort?: (typeof CHANGE_ORDERS)[number]): Promise<string[]> {
    const names: string[] = [];
    for (let cursor: string | undefined, at = 0; at === 0 || cursor !== undefined; at += 1) {
      const page = await read(sort, cursor);
      names.push(...page.data.map(({ provider_resource_id: id = "" }) => id.slice("arn:aws:".length)));
      cursor = page.next_cursor;
    }
    return names;
  }

  const oldestFirst = await namesBy("first_seen_at");
  expect(oldestFirst.slice(0, 2)).toEqual(["first", "group"]);
  expect(oldestFirst.slice(2).toSorted()).toEqual(["last", "last-too"]);
  expect(await namesBy("-first_seen_at")).toEqual(oldestFirst.toReversed());
  const worstFirst = await namesBy("risk");
  expect(worstFirst[0]).toBe("group");
  expect(await namesBy()).toEqual(worstFirst);
  expect(await namesBy("-risk")).toEqual(worstFirst.toReversed());

  const found = (q: string) =>
    inventory
      .call(ListDriftChanges, { org_id: org.id, limit: 10, q })
      .then(({ data }) => data.map(({ provider_resource_id: id }) => id));
  expect(new Set(await found("AWS:LAST"))).toEqual(new Set(["arn:aws:last", "arn:aws:last-too"]));
  expect(await found("22")).toEqual([]); // a port isn't a name

  const { next_cursor: cursor = "" } = await read("risk");
  const failure = await failureOf(read("-risk", cursor));
  expect(failure instanceof AppError && failure.code).toBe("invalid_cursor");
});
