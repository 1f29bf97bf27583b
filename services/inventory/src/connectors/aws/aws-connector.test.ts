import { describe, expect, test } from "bun:test";

import { text, type JsonObject } from "@leeway/shared/json";
import { failureOf } from "@leeway/shared/testing";

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

describe("an account whose every region has an index", () => {
  test("is asked of Resource Explorer and of the tagging API, region by region", async () => {
    await using cloud = serveAws(account());
    expect(await connect(cloud.endpoint).shards([], never)).toEqual([
      { service: "resource-explorer-2" },
      { service: "resource-explorer-2", region: "eu-west-1" },
      { service: "tagging", region: "eu-west-1" },
      { service: "resource-explorer-2", region: "us-east-1" },
      { service: "tagging", region: "us-east-1" },
    ]);
  });

  test("is asked so, too, by a role that may not ask whether they are finished", async () => {
    const action = "resource-explorer-2:GetIndex";
    await using cloud = serveAws(account(on(action, denial(action))));
    expect(await connect(cloud.endpoint).shards([], never)).toContainEqual({
      service: "resource-explorer-2",
    });
  });

  test("is listed page by page by the index that knows all regions", async () => {
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

  test("gives what is in no region in a shard without one", async () => {
    await using cloud = serveAws(account());
    await listed(connect(cloud.endpoint), { service: "resource-explorer-2" });
    expect(cloud.calls.at(-1)?.input["Filters"]).toEqual({ FilterString: "region:global" });
  });
});

test.each([
  ["where it has indexes", undefined, "resource-explorer-2"],
  ["where its regions may not be listed", denial("account:ListRegions"), "resource-explorer-2"],
])("an account is asked for what is in no region by that alone, %s", async (_, refusal, service) => {
  const odd = refusal && on("account:ListRegions", refusal);
  await using cloud = serveAws(account(odd));
  expect(await connect(cloud.endpoint).shards(["global"], never)).toEqual([{ service }]);
});

describe("a region that the account hasn't", () => {
  test("fails by itself, and the others are asked as ever", async () => {
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

  test("can't be told from others where the regions may not be listed", async () => {
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
    ["that has no index", withoutIndexes],
    [
      "where one region has none",
      on("resource-explorer-2:ListIndexes", { body: { Indexes: [INDEXES[1]!] } }),
    ],
    [
      "whose view hides something",
      on("resource-explorer-2:GetView", { body: { View: { Filters: { FilterString: "service:ec2" } } } }),
    ],
    [
      "while the index of one region is being made",
      ({ action, region }) =>
        action === "resource-explorer-2:GetIndex" && region === "eu-west-1"
          ? { body: { State: "CREATING" } }
          : undefined,
    ],
    [
      "while the index that knows all regions is being filled",
      ({ action, region }) =>
        action === "resource-explorer-2:GetIndex" && region === "us-east-1"
          ? { body: { State: "UPDATING" } }
          : undefined,
    ],
    [
      "whose indexes may not be listed",
      on("resource-explorer-2:ListIndexes", denial("resource-explorer-2:ListIndexes")),
    ],
    [
      "whose view may not be used",
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

  test("once its indexes are turned off, and by index once they are there again", async () => {
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

  test("but not because its index has a bad minute: the names of resources would change", async () => {
    await using cloud = serveAws(account(on("resource-explorer-2:GetView", "silence")));
    const shards = await connect(cloud.endpoint, { timeoutMs: 100 }).shards(["eu-west-1"], never);
    expect(shards).toContainEqual({ service: "resource-explorer-2", region: "eu-west-1" });
  });

  test("page after page", async () => {
    await using cloud = serveAws(account());
    const documents = await listed(connect(cloud.endpoint), { service: "sqs", region: "eu-west-1" });
    const page = { TypeName: "AWS::SQS::Queue", Region: "eu-west-1", AccountId: ACCOUNT };
    expect(documents).toEqual([
      { ...page, ResourceDescriptions: [queue("a"), queue("b")] },
      { ...page, ResourceDescriptions: [queue("c")] },
    ]);
    expect(cloud.calls.every(({ region }) => region === "eu-west-1")).toBeTrue();
  });

  test("and what Cloud Control doesn't list of a service comes from its tags, nothing else", async () => {
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
])("a scan %s finds what the same documents, pushed, would name", async (_, odd, pushed) => {
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

describe("a shard fails alone", () => {
  test("when the account may not list one type of it, after the others were listed", async () => {
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

  test("when a type can't be listed to its end: what is on its other pages isn't gone", async () => {
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

  test("and at once when Cloud Control may not be asked at all", async () => {
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

  test("when its region hangs, and the other regions answer", async () => {
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

  test("and isn't asked for hours: who has hung twice is left alone", async () => {
    await using cloud = serveAws(account(on("cloudformation:ListResources", "silence")));
    const connector = connect(cloud.endpoint, { timeoutMs: 100 });
    const failures: unknown[] = [];
    for (const service of ["ec2", "rds", "sqs", "sns", "ecs"])
      failures.push((await listedUntilFailure(connector, { service, region: "ap-east-1" }))[1]);
    expect(failures).toMatchObject(failures.map(() => ({ failure: { code: "timeout" } })));
    expect(new Set(cloud.calls.map(({ input }) => input["TypeName"])).size).toBe(2);
  });

  test.each([
    ["nobody is there", "http://127.0.0.1:1"],
    ["its host has no name", "http://nowhere.invalid"],
  ])("when %s", async (_, endpoint) => {
    const [, failure] = await listedUntilFailure(connect(endpoint), { service: "sqs", region: "eu-west-1" });
    expect(failure).toMatchObject({ failure: { code: "timeout" } });
  });

  test.each<[string, Answer]>([
    ["a web page", { status: 200, nonsense: "<html>welcome</html>" }],
    ["half an answer", { status: 200, nonsense: '{"ResourceTagMappingList":[' }],
    ["a proxy's refusal", { status: 403, nonsense: "<html>go away</html>" }],
    ["nothing", { status: 200, nonsense: "" }],
  ])("when it is answered with %s", async (_, answer) => {
    await using cloud = serveAws(account(on("tag:GetResources", answer)));
    const [documents, failure] = await listedUntilFailure(connect(cloud.endpoint), {
      service: "tagging",
      region: "eu-west-1",
    });
    expect(documents).toEqual([]);
    expect(failure).toMatchObject({ name: "ConnectorError", failure: { code: "internal" } });
  });

  test("when its pages go in a circle", async () => {
    const circle: Answer = { body: { PaginationToken: "again", ResourceTagMappingList: [] } };
    await using cloud = serveAws(account(on("tag:GetResources", circle)));
    const shard = { service: "tagging", region: "eu-west-1" };
    const [documents, failure] = await listedUntilFailure(connect(cloud.endpoint), shard);
    expect(documents).toHaveLength(2);
    expect(failure).toMatchObject({ failure: { code: "internal" } });
  });

  test("when its region is none, before anything is sent to the host that it would make", async () => {
    await using cloud = serveAws(account());
    for (const region of ["evil.example.com/", "eu-west-1.evil.com#", "EU", ""]) {
      const [, failure] = await listedUntilFailure(connect(cloud.endpoint), { service: "tagging", region });
      expect(failure).toMatchObject({ failure: { code: "unsupported" } });
    }
    expect(cloud.calls.filter(({ action }) => !action.startsWith("sts:"))).toEqual([]);
  });
});

describe("a cloud that asks to slow down", () => {
  test("is waited for as long as it says, and loses no page", async () => {
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

  test("isn't waited for by who gives up", async () => {
    const throttling: Answer = { status: 429, code: "TooManyRequests", headers: { "retry-after": "60" } };
    await using cloud = serveAws(account(on("tag:GetResources", throttling)));
    const giveUp = AbortSignal.timeout(300);
    const started = performance.now();
    const listing = listed(connect(cloud.endpoint), { service: "tagging", region: "eu-west-1" }, giveUp);
    expect(await failureOf(listing)).toMatchObject({ name: "TimeoutError" });
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
