import { describe, expect, test } from "bun:test";

import { failureOf } from "@leeway/shared/testing/testing";

import { ACCESS_KEY, ACCOUNT, type Answer, serveAws } from "./aws.fixture.ts";
import { createClients } from "./clients.ts";
import { AWS_POLICY } from "./policy.ts";
import { verify } from "./verify.ts";
import {
  ROLE,
  never,
  connect,
  listed,
  account,
  on,
  denial,
  handlerDenial,
  SESSION,
} from "./account.fixture.ts";

describe("verification", () => {
  test("of a role with every permission reports nothing missing", async () => {
    await using cloud = serveAws(account());
    const { identity, checks } = await connect(cloud.endpoint).verify(never);
    expect(identity).toBe(`arn:aws:iam::${ACCOUNT}:user/leeway`);
    expect(checks).toEqual([
      ...["sts", "account", "resource-explorer-2", "cloudcontrol", "tagging"].map((name) => ({
        name,
        ok: true,
      })),
      ...["index contents", "ec2", "route53", "cloudtrail"].map((name) => ({
        name,
        ok: true,
        optional: true,
      })),
    ]);
  });

  test("reports an unfinished index", async () => {
    await using cloud = serveAws(
      account(({ action, region }) =>
        action === "resource-explorer-2:GetIndex" && region === "eu-west-1"
          ? { body: { State: "CREATING" } }
          : undefined,
      ),
    );
    const { checks } = await connect(cloud.endpoint).verify(never);
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(checks.find(({ name }) => name === "resource-explorer-2")?.message).toContain("eu-west-1");
  });

  test.each([...AWS_POLICY.Statement[0].Action])("reports that %s is missing", async (action) => {
    await using cloud = serveAws(account(on(action, denial(action))));
    const { checks } = await connect(cloud.endpoint).verify(never);
    expect(checks.filter(({ ok }) => !ok).map(({ missing }) => missing)).toEqual([[action]]);
  });

  test.each([
    ["only with our external id has no warning", true],
    ["without the external id warns", false],
  ])("of a role that can be assumed %s", async (_, isClosed) => {
    const refusal: Answer = { ...denial("sts:AssumeRole"), status: 403, code: "AccessDenied" };
    await using cloud = serveAws(
      account(({ action, input }) => {
        if (action !== "sts:AssumeRole") return undefined;
        return isClosed && input["ExternalId"] !== "org-7" ? refusal : SESSION;
      }),
    );
    const { checks } = await connect(cloud.endpoint, { credentials: ROLE, identity: ACCESS_KEY }).verify(
      never,
    );
    expect(checks.every(({ ok }) => ok)).toBe(true);
    const said = checks.find(({ name }) => name === "external id")?.message;
    expect(said).toEqual(isClosed ? undefined : expect.stringContaining("without the external id"));
    expect(checks).toHaveLength(10);
  });

  test("reports the missing permission of a type's service", async () => {
    const refusal = handlerDenial("AWS::Logs::LogGroup", "logs:DescribeLogGroups");
    await using cloud = serveAws(account(on("cloudformation:ListResources", refusal)));
    const { checks } = await connect(cloud.endpoint).verify(never);
    expect(checks.find(({ ok }) => !ok)?.missing).toEqual(["logs:DescribeLogGroups"]);
  });

  test("passes when only the audit log doesn't answer", async () => {
    await using cloud = serveAws(account(on("cloudtrail:LookupEvents", "silence")));
    const { checks } = await connect(cloud.endpoint, { timeoutMs: 1_000 }).verify(never);
    expect(checks.filter(({ ok }) => !ok)).toEqual([
      { name: "cloudtrail", ok: false, optional: true, message: "no answer; try again later" },
    ]);
  });

  test("passes in an AWS partition without Resource Explorer", async () => {
    await using cloud = serveAws(account());
    const clients = createClients({ credentials: ACCESS_KEY, endpoint: cloud.endpoint });
    const nowhere = Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
    const explorer = Object.assign(clients.explorer(clients.home), { send: () => Promise.reject(nowhere) });
    const { checks } = await verify({ ...clients, explorer: () => explorer }, ACCOUNT, never);
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(checks.find(({ name }) => name === "resource-explorer-2")?.message).toContain("type by type");
  });

  test("fails as unavailable when the cloud doesn't answer", async () => {
    await using cloud = serveAws(() => "silence");
    const connector = connect(cloud.endpoint, { timeoutMs: 1_000 });
    expect(await failureOf(connector.verify(never))).toMatchObject({ code: "unavailable" });
  });
});

test("the documented policy allows exactly the actions that are called", async () => {
  await using cloud = serveAws(account());
  const connector = connect(cloud.endpoint);
  await connector.verify(never);
  for (const shard of await connector.shards([], never)) {
    await connector.taggedTypesOf?.(shard, never);
    await listed(connector, shard);
  }
  await listed(connector, { service: "ecs", region: "eu-west-1" });
  await connector.enrich?.({ providerId: "x", type: "AWS::SQS::Queue", region: "eu-west-1" }, never);
  const called = new Set(
    cloud.calls.map(({ action }) => action).filter((action) => !action.startsWith("sts:")),
  );
  expect([...called].toSorted()).toEqual([...AWS_POLICY.Statement[0].Action].toSorted());
});
