import { describe, expect, test } from "bun:test";

import { text, type JsonObject } from "@leeway/shared/values/json";
import { failureOf } from "@leeway/shared/testing/testing";

import {
  ACCOUNT,
  type Answer,
  type Call,
  cloudControlPage,
  resourcesOf,
  rowsOf,
  serveAws,
} from "./aws.fixture.ts";
import {
  never,
  connect,
  listed,
  listedUntilFailure,
  queue,
  INDEXES,
  indexed,
  tagged,
  account,
  withoutIndexes,
  on,
  denial,
  handlerDenial,
} from "./account.fixture.ts";

describe("an account with an index in every region", () => {
  test("is listed by Resource Explorer and the tagging API, region by region", async () => {
    await using cloud = serveAws(account());
    expect(await connect(cloud.endpoint).shards([], never)).toEqual([
      { service: "resource-explorer-2" },
      { service: "resource-explorer-2", region: "eu-west-1" },
      { service: "tagging", region: "eu-west-1" },
      { service: "resource-explorer-2", region: "us-east-1" },
      { service: "tagging", region: "us-east-1" },
    ]);
  });

  test("is listed that way even when the role may not read the state of an index", async () => {
    const action = "resource-explorer-2:GetIndex";
    await using cloud = serveAws(account(on(action, denial(action))));
    expect(await connect(cloud.endpoint).shards([], never)).toContainEqual({
      service: "resource-explorer-2",
    });
  });

  test("is listed page by page from the aggregator index", async () => {
    await using cloud = serveAws(account());
    const documents = await listed(connect(cloud.endpoint), {
      service: "resource-explorer-2",
      region: "eu-west-1",
    });
    expect(documents).toHaveLength(2);
    expect(rowsOf(documents)).toMatchObject(
      indexed.map(({ Arn, Properties }) => ({ Arn, Properties: [{ Data: Properties[0]?.Data ?? [] }] })),
    );
    const call = cloud.calls.at(-1);
    expect(call).toMatchObject({
      region: "us-east-1",
      input: { Filters: { FilterString: "region:eu-west-1" } },
    });
  });

  test("lists global resources in a shard without a region", async () => {
    await using cloud = serveAws(account());
    await listed(connect(cloud.endpoint), { service: "resource-explorer-2" });
    expect(cloud.calls.at(-1)?.input["Filters"]).toEqual({ FilterString: "region:global" });
  });
});

test.each([
  ["with indexes", undefined, "resource-explorer-2"],
  ["without the permission to list regions", denial("account:ListRegions"), "resource-explorer-2"],
])("the shard of global resources needs no region list, %s", async (_, refusal, service) => {
  const odd = refusal && on("account:ListRegions", refusal);
  await using cloud = serveAws(account(odd));
  expect(await connect(cloud.endpoint).shards(["global"], never)).toEqual([{ service }]);
});

describe("an unknown region", () => {
  test("fails without affecting the other regions", async () => {
    await using cloud = serveAws(account());
    const connector = connect(cloud.endpoint);
    expect(await connector.shards(["eu-west-1", "eu-wset-1"], never)).toEqual([
      { service: "resource-explorer-2" },
      { service: "resource-explorer-2", region: "eu-west-1" },
      { service: "tagging", region: "eu-west-1" },
      { service: "account", region: "eu-wset-1" },
    ]);
    const asked = cloud.calls.length;
    const shard = { service: "account", region: "eu-wset-1" };
    expect(await failureOf(listed(connector, shard))).toMatchObject({
      failure: { code: "unsupported", message: expect.stringContaining("eu-wset-1") },
    });
    expect(cloud.calls).toHaveLength(asked);
    expect(connector.typesOf?.(shard)).toBeUndefined();
  });

  test("can't be detected without the permission to list regions", async () => {
    await using cloud = serveAws(account(on("account:ListRegions", denial("account:ListRegions"))));
    const shards = await connect(cloud.endpoint).shards(["ap-east-1"], never);
    expect(shards).toContainEqual({ service: "sqs", region: "ap-east-1" });
    expect(await failureOf(connect(cloud.endpoint).shards([], never))).toMatchObject({
      failure: { code: "permission_denied" },
    });
  });
});

describe("an account is listed type by type", () => {
  test.each<[string, (call: Call) => Answer | undefined]>([
    ["without indexes", withoutIndexes],
    [
      "when one region has no index",
      on("resource-explorer-2:ListIndexes", { body: { Indexes: [INDEXES[1]!] } }),
    ],
    [
      "when its view has a filter",
      on("resource-explorer-2:GetView", { body: { View: { Filters: { FilterString: "service:ec2" } } } }),
    ],
    [
      "while the index of one region is being created",
      ({ action, region }) =>
        action === "resource-explorer-2:GetIndex" && region === "eu-west-1"
          ? { body: { State: "CREATING" } }
          : undefined,
    ],
    [
      "while the aggregator index is being updated",
      ({ action, region }) =>
        action === "resource-explorer-2:GetIndex" && region === "us-east-1"
          ? { body: { State: "UPDATING" } }
          : undefined,
    ],
    [
      "without the permission to list indexes",
      on("resource-explorer-2:ListIndexes", denial("resource-explorer-2:ListIndexes")),
    ],
    [
      "without the permission to use its view",
      on("resource-explorer-2:ListResources", { status: 401, code: "UnauthorizedException" }),
    ],
  ])("%s", async (_, odd) => {
    await using cloud = serveAws(account(odd));
    const shards = await connect(cloud.endpoint).shards(["eu-west-1"], never);
    expect(shards).toContainEqual({ service: "sqs", region: "eu-west-1" });
    expect(shards).toContainEqual({ service: "iam" });
    expect(shards).toContainEqual({ service: "s3" });
    expect(
      shards.filter(({ service }) => service === "resource-explorer-2" || service === "tagging"),
    ).toEqual([]);
    expect(new Set(shards.map(({ region }) => region))).toEqual(new Set([undefined, "eu-west-1"]));
  });

  test("after its indexes are turned off, and by index once they exist again", async () => {
    let isOff = true;
    await using cloud = serveAws(account((call) => (isOff ? withoutIndexes(call) : undefined)));
    const connector = connect(cloud.endpoint);
    const services = async () =>
      new Set((await connector.shards(["eu-west-1"], never)).map(({ service }) => service));
    expect(await services()).toContain("sqs");
    isOff = false;
    expect(await services()).toEqual(new Set(["resource-explorer-2", "tagging"]));
    isOff = true;
    expect(await services()).toContain("sqs");
  });

  test("but not when a call to its index fails, because resource names would change", async () => {
    await using cloud = serveAws(account(on("resource-explorer-2:GetView", "silence")));
    const shards = await connect(cloud.endpoint, { timeoutMs: 100 }).shards(["eu-west-1"], never);
    expect(shards).toContainEqual({ service: "resource-explorer-2", region: "eu-west-1" });
  });

  test("page by page", async () => {
    await using cloud = serveAws(account());
    const documents = await listed(connect(cloud.endpoint), { service: "sqs", region: "eu-west-1" });
    const page = { TypeName: "AWS::SQS::Queue", Region: "eu-west-1", AccountId: ACCOUNT };
    expect(documents).toEqual([
      { ...page, ResourceDescriptions: [queue("a"), queue("b")] },
      { ...page, ResourceDescriptions: [queue("c")] },
    ]);
    expect(cloud.calls.every(({ region }) => region === "eu-west-1")).toBeTrue();
  });

  test("with the tagging API only for types that Cloud Control doesn't list", async () => {
    const clusters = { "AWS::ECS::Cluster": [{ Identifier: "web", Properties: "{}" }] };
    await using cloud = serveAws(
      account((call) =>
        call.action === "cloudformation:ListResources" ? cloudControlPage(clusters, call) : undefined,
      ),
    );
    const documents = await listed(connect(cloud.endpoint), { service: "ecs", region: "eu-west-1" });
    expect(rowsOf(documents)).toEqual([{ Identifier: "web", Properties: "{}" }, tagged[0]!]);
    expect(cloud.calls.at(-1)?.input["ResourceTypeFilters"]).toEqual(["ecs"]);
  });
});

test.each<[string, (call: Call) => Answer | undefined, JsonObject[]]>([
  ["with indexes", () => undefined, [{ Resources: indexed }, { ResourceTagMappingList: tagged }]],
  [
    "type by type",
    withoutIndexes,
    [{ TypeName: "AWS::SQS::Queue", ResourceDescriptions: ["a", "b", "c"].map(queue) }],
  ],
])("a scan %s finds the same resources as the pushed documents", async (_, odd, pushed) => {
  await using cloud = serveAws(account(odd));
  const connector = connect(cloud.endpoint);
  const services = new Set(["resource-explorer-2", "tagging", "sqs"]);
  const documents: JsonObject[] = [];
  for (const shard of await connector.shards(["eu-west-1"], never))
    if (shard.region && services.has(shard.service)) documents.push(...(await listed(connector, shard)));
  const resources = await resourcesOf(documents);
  expect(resources).toEqual(await resourcesOf(pushed));
  expect(resources.length).toBeGreaterThan(2);
});

describe("a shard fails without affecting others", () => {
  test("when one of its types is denied, after listing the others", async () => {
    const groups = [{ Identifier: "web", Properties: "{}" }];
    await using cloud = serveAws(
      account((call) => {
        if (call.action !== "cloudformation:ListResources") return undefined;
        const type = text(call.input, "TypeName") ?? "";
        if (type === "AWS::Logs::LogGroup") return cloudControlPage({ [type]: groups }, call);
        return handlerDenial(type, "logs:DescribeDestinations");
      }),
    );
    const connector = connect(cloud.endpoint);
    const [documents, failure] = await listedUntilFailure(connector, {
      service: "logs",
      region: "eu-west-1",
    });
    expect(rowsOf(documents)).toEqual(groups);
    expect(failure).toMatchObject({
      name: "ConnectorError",
      failure: { code: "permission_denied", message: "logs:DescribeDestinations isn't allowed in eu-west-1" },
    });
    expect(await listed(connector, { service: "tagging", region: "eu-west-1" })).toHaveLength(1);
  });

  test("when a later page of a type fails, so that the rest isn't reported as missing", async () => {
    await using cloud = serveAws(
      account((call) =>
        call.action === "cloudformation:ListResources" && "NextToken" in call.input
          ? { status: 400, code: "InvalidRequestException" }
          : undefined,
      ),
    );
    const [documents, failure] = await listedUntilFailure(connect(cloud.endpoint), {
      service: "sqs",
      region: "eu-west-1",
    });
    expect(rowsOf(documents)).toEqual(["a", "b"].map(queue));
    expect(failure).toMatchObject({ failure: { code: "internal", types: ["AWS::SQS::Queue"] } });
  });

  test("at once when Cloud Control is denied", async () => {
    await using cloud = serveAws(
      account(on("cloudformation:ListResources", denial("cloudformation:ListResources"))),
    );
    const [documents, failure] = await listedUntilFailure(connect(cloud.endpoint), {
      service: "ec2",
      region: "eu-west-1",
    });
    expect(documents).toEqual([]);
    expect(failure).toMatchObject({ failure: { code: "permission_denied" } });
    expect(cloud.calls).toHaveLength(1);
  });

  test("when its region hangs while other regions answer", async () => {
    await using cloud = serveAws(
      account(({ region, action }) =>
        region === "ap-east-1" && action === "tag:GetResources" ? "silence" : undefined,
      ),
    );
    const connector = connect(cloud.endpoint, { timeoutMs: 100 });
    const [, failure] = await listedUntilFailure(connector, { service: "tagging", region: "ap-east-1" });
    expect(failure).toMatchObject({ failure: { code: "timeout" } });
    expect(await listed(connector, { service: "tagging", region: "eu-west-1" })).toHaveLength(1);
  });

  test("after two calls that hang, without waiting for the other types", async () => {
    await using cloud = serveAws(account(on("cloudformation:ListResources", "silence")));
    const connector = connect(cloud.endpoint, { timeoutMs: 100 });
    const failures: unknown[] = [];
    for (const service of ["ec2", "rds", "sqs", "sns", "ecs"])
      failures.push((await listedUntilFailure(connector, { service, region: "ap-east-1" }))[1]);
    expect(failures).toMatchObject(failures.map(() => ({ failure: { code: "timeout" } })));
    expect(new Set(cloud.calls.map(({ input }) => input["TypeName"])).size).toBe(2);
  });

  test.each([
    ["the connection is refused", "http://127.0.0.1:1"],
    ["the host name doesn't resolve", "http://nowhere.invalid"],
  ])("when %s", async (_, endpoint) => {
    const [, failure] = await listedUntilFailure(connect(endpoint), { service: "sqs", region: "eu-west-1" });
    expect(failure).toMatchObject({ failure: { code: "timeout" } });
  });

  test.each<[string, Answer]>([
    ["a web page", { status: 200, nonsense: "<html>welcome</html>" }],
    ["an incomplete response", { status: 200, nonsense: '{"ResourceTagMappingList":[' }],
    ["a proxy error page", { status: 403, nonsense: "<html>go away</html>" }],
    ["an empty body", { status: 200, nonsense: "" }],
  ])("when the response is %s", async (_, answer) => {
    await using cloud = serveAws(account(on("tag:GetResources", answer)));
    const [documents, failure] = await listedUntilFailure(connect(cloud.endpoint), {
      service: "tagging",
      region: "eu-west-1",
    });
    expect(documents).toEqual([]);
    expect(failure).toMatchObject({ name: "ConnectorError", failure: { code: "internal" } });
  });

  test("when its pages repeat", async () => {
    const circle: Answer = { body: { PaginationToken: "again", ResourceTagMappingList: [] } };
    await using cloud = serveAws(account(on("tag:GetResources", circle)));
    const shard = { service: "tagging", region: "eu-west-1" };
    const [documents, failure] = await listedUntilFailure(connect(cloud.endpoint), shard);
    expect(documents).toHaveLength(2);
    expect(failure).toMatchObject({ failure: { code: "internal" } });
  });

  test("when its region is invalid, before any request is sent", async () => {
    await using cloud = serveAws(account());
    for (const region of ["evil.example.com/", "eu-west-1.evil.com#", "EU", ""]) {
      const [, failure] = await listedUntilFailure(connect(cloud.endpoint), { service: "tagging", region });
      expect(failure).toMatchObject({ failure: { code: "unsupported" } });
    }
    expect(cloud.calls.filter(({ action }) => !action.startsWith("sts:"))).toEqual([]);
  });
});

describe("a throttling response", () => {
  test("is retried after the requested time without losing a page", async () => {
    let refusals = 0;
    await using cloud = serveAws(
      account((call) => {
        const isSecondPage = call.action === "cloudformation:ListResources" && "NextToken" in call.input;
        if (!isSecondPage || refusals === 4) return undefined;
        refusals += 1;
        return { status: 400, code: "ThrottlingException", headers: { "x-amz-retry-after": "20" } };
      }),
    );
    const documents = await listed(connect(cloud.endpoint), { service: "sqs", region: "eu-west-1" });
    expect(rowsOf(documents)).toEqual(["a", "b", "c"].map(queue));
    expect(refusals).toBe(4);
  });

  test("isn't awaited after the caller's deadline", async () => {
    const throttling: Answer = { status: 429, code: "TooManyRequests", headers: { "retry-after": "60" } };
    await using cloud = serveAws(account(on("tag:GetResources", throttling)));
    const giveUp = AbortSignal.timeout(300);
    const started = performance.now();
    const listing = listed(connect(cloud.endpoint), { service: "tagging", region: "eu-west-1" }, giveUp);
    expect(await failureOf(listing)).toMatchObject({ name: "TimeoutError" });
    expect(performance.now() - started).toBeLessThan(50_000);
  });
});
