import { describe, expect, test } from "bun:test";
import { ListExclusionRules, SwitchExclusionRule } from "@leeway/shared/contracts/inventory/posture";
import { DeleteSource } from "@leeway/shared/contracts/inventory/sources";
import { failureOf } from "@leeway/shared/testing/testing";

import { declaring, ONE, postureOf, queue, type Org } from "./declaring.ts";
import { ndjson, tfstate } from "./kit.ts";

const { call, start } = declaring();

const RULE = "aws.service_linked_role";
const role = (name: string) => ({
  provider_resource_id: `arn:aws:iam::${ONE}:role/aws-service-role/sqs.amazonaws.com/${name}`,
  provider_type: "AWS::IAM::Role",
});
const enabled = async ({ id }: Org) => {
  const { data } = await call(ListExclusionRules, { org_id: id });
  return data.find((rule) => rule.id === RULE)?.enabled;
};

const set = (org: Org, enabled: boolean) =>
  call(SwitchExclusionRule, { org_id: org.id, rule_id: RULE, enabled });

describe("an exclusion rule", () => {
  test("removes its resources from the counts while it is enabled", async () => {
    const { org, one } = await start();
    await org.pushListing(one, ndjson([queue("a"), role("x"), role("y")]));
    const left = { live_count: 1, undeclared_count: 1, excluded_count: 2 };
    const counted = { live_count: 3, undeclared_count: 3, excluded_count: 0 };
    expect(await postureOf(org, one)).toMatchObject(left);
    expect(await org.resources({ match: "excluded" })).toMatchObject([
      { excluded_by: RULE },
      { excluded_by: RULE },
    ]);

    expect(await set(org, false)).toMatchObject({ id: RULE, enabled: false, excluded_count: 0 });
    expect(await postureOf(org, one)).toMatchObject(counted);
    for (const row of await org.resources()) expect(row).not.toContainKey("excluded_by");
    await org.pushListing(one, ndjson([queue("a"), role("x"), role("y")]));
    expect(await postureOf(org, one)).toMatchObject(counted);

    expect(await set(org, true)).toMatchObject({ enabled: true, excluded_count: 2 });
    expect(await postureOf(org, one)).toMatchObject(left);
  });

  test("doesn't remove declared resources", async () => {
    const { org, one } = await start();
    const { provider_resource_id } = role("x");
    const declared = {
      type: "aws_iam_service_linked_role",
      name: "x",
      attributes: { arn: provider_resource_id },
    };
    await org.pushListing(one, ndjson([role("x"), role("y")]));
    const iam = await org.source("iam");
    await org.pushState(iam, tfstate([declared]));
    expect(await postureOf(org, one)).toMatchObject({ matched_count: 1, live_count: 1, excluded_count: 1 });
    await call(DeleteSource, { org_id: org.id, source_id: iam.id });
    expect(await postureOf(org, one)).toMatchObject({ matched_count: 0, live_count: 0, excluded_count: 2 });
  });

  test("is set per organization", async () => {
    const [{ org }, { org: other }] = [await start(), await start()];
    await set(org, false);
    expect([await enabled(org), await enabled(other)]).toEqual([false, true]);
  });

  test("that doesn't exist can't be changed", async () => {
    const { org } = await start();
    const wrong = { org_id: org.id, rule_id: "aws.nothing", enabled: false };
    expect(await failureOf(call(SwitchExclusionRule, wrong))).toMatchObject({ code: "not_found" });
  });
});
