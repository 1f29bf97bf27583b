import { describe, expect, test } from "bun:test";
import { inspect } from "node:util";

import { createEgress } from "@leeway/shared/egress";
import { text, type JsonObject } from "@leeway/shared/json";
import { failureOf } from "@leeway/shared/testing";

import type { Connector, Shard } from "../connector.ts";
import { createAwsConnector } from "./aws-connector.ts";
import {
  ACCESS_KEY,
  ACCOUNT,
  type Answer,
  asAccount,
  type Call,
  cloudControlPage,
  pageOf,
  resourcesOf,
  rowsOf,
  SECRET,
  serveAws,
} from "./aws.fixture.ts";
import { AWS_POLICY } from "./policy.ts";

type Options = Parameters<typeof createAwsConnector>[0];

const STATIC: Options["credentials"] = {
  kind: "static",
  access_key_id: ACCESS_KEY.accessKeyId,
  secret_access_key: SECRET,
};
const ROLE: Options["credentials"] = {
  kind: "aws_role",
  role_arn: `arn:aws:iam::${ACCOUNT}:role/leeway`,
  external_id: "org-7",
};
const SESSION_TOKEN = "FwoGZXIvYXdzEXAMPLETOKEN";
const never = new AbortController().signal;

function connect(endpoint: string, options: Partial<Options> = {}): Connector {
  return createAwsConnector({
    credentials: STATIC,
    accountId: ACCOUNT,
    externalId: "org-7",
    endpoint,
    ...options,
  });
}

async function listed(connector: Connector, shard: Shard, signal = never): Promise<JsonObject[]> {
  return Array.fromAsync(connector.list(shard, signal));
}

/** What a shard gave before it failed, and what it failed with. */
async function listedUntilFailure(connector: Connector, shard: Shard): Promise<[JsonObject[], unknown]> {
  const documents: JsonObject[] = [];
  const failure = await failureOf(
    (async () => {
      for await (const document of connector.list(shard, never)) documents.push(document);
    })(),
  );
  return [documents, failure];
}

const queue = (name: string): JsonObject => {
  const url = `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/${name}`;
  return { Identifier: url, Properties: JSON.stringify({ QueueUrl: url }) };
};
const INDEXES = [
  { Arn: "arn:1", Region: "eu-west-1", Type: "LOCAL" },
  { Arn: "arn:2", Region: "us-east-1", Type: "AGGREGATOR" },
];
const indexed = ["web", "db", "logs"].map((name) => ({
  Arn: `arn:aws:sqs:eu-west-1:${ACCOUNT}:${name}`,
  OwningAccountId: ACCOUNT,
  Region: "eu-west-1",
  ResourceType: "sqs:queue",
  Service: "sqs",
  LastReportedAt: "2026-01-01T00:00:00Z",
  Properties: [
    { Name: "tags", LastReportedAt: "2026-01-01T00:00:00Z", Data: [{ Key: "team", Value: name }] },
  ],
}));
const VIEW = `arn:aws:resource-explorer-2:us-east-1:${ACCOUNT}:view/all/1`;
const tagged = [
  { ResourceARN: `arn:aws:ecs:eu-west-1:${ACCOUNT}:task/web/1`, Tags: [{ Key: "team", Value: "web" }] },
  { ResourceARN: `arn:aws:ecs:eu-west-1:${ACCOUNT}:cluster/web`, Tags: [] },
];

/** An account with everything on, in which `odd` says what is otherwise. */
function account(odd: (call: Call) => Answer | undefined = () => undefined) {
  return asAccount((call) => odd(call) ?? ORDINARY[call.action]?.(call) ?? { body: {} });
}

const ORDINARY: Readonly<Record<string, ((call: Call) => Answer) | undefined>> = {
  "account:ListRegions": ({ input }) => {
    const regions = ["eu-west-1", "us-east-1"].map((RegionName) => ({ RegionName }));
    const page = pageOf(regions, 1, text(input, "NextToken"));
    return { body: { Regions: page.rows, ...(page.next && { NextToken: page.next }) } };
  },
  "resource-explorer-2:ListIndexes": () => ({ body: { Indexes: INDEXES } }),
  "resource-explorer-2:ListResources": ({ input }) => {
    const page = pageOf(indexed, 2, text(input, "NextToken"));
    return { body: { Resources: page.rows, ViewArn: VIEW, ...(page.next && { NextToken: page.next }) } };
  },
  "resource-explorer-2:GetView": () => ({ body: { View: { ViewArn: VIEW, Filters: { FilterString: "" } } } }),
  "cloudformation:ListResources": (call) =>
    cloudControlPage({ "AWS::SQS::Queue": ["a", "b", "c"].map(queue), "AWS::Logs::LogGroup": [] }, call),
  "cloudformation:GetResource": () => ({ status: 400, code: "ResourceNotFoundException" }),
  "tag:GetResources": () => ({ body: { PaginationToken: "", ResourceTagMappingList: tagged } }),
  "cloudtrail:LookupEvents": () => ({ body: { Events: [] } }),
};

const withoutIndexes = ({ action }: Call): Answer | undefined =>
  action === "resource-explorer-2:ListIndexes" ? { body: { Indexes: [] } } : undefined;
const on =
  (action: string, answer: Answer) =>
  (call: Call): Answer | undefined =>
    call.action === action ? answer : undefined;
const denial = (action: string) => ({
  status: 400,
  code: "AccessDeniedException",
  message: `User: arn:aws:iam::${ACCOUNT}:user/leeway is not authorized to perform: ${action} on resource: *`,
});
const handlerDenial = (type: string, action: string): Answer => ({
  status: 400,
  code: "AccessDeniedException",
  message: `${type} Handler returned status FAILED: User: x is not authorized to perform: ${action} (HandlerErrorCode: AccessDenied)`,
});

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

  test("but not because its index has a bad minute: the names of resources would change", async () => {
    await using cloud = serveAws(account(on("resource-explorer-2:GetView", "silence")));
    const shards = await connect(cloud.endpoint, { timeoutMs: 100 }).shards(["eu-west-1"], never);
    expect(shards).toContainEqual({ service: "resource-explorer-2", region: "eu-west-1" });
  });

  test("page after page", async () => {
    await using cloud = serveAws(account());
    const documents = await listed(connect(cloud.endpoint), { service: "sqs", region: "eu-west-1" });
    expect(documents).toEqual([
      { TypeName: "AWS::SQS::Queue", ResourceDescriptions: [queue("a"), queue("b")] },
      { TypeName: "AWS::SQS::Queue", ResourceDescriptions: [queue("c")] },
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

  test("isn't tried with credentials of another account, where the same name is another resource", async () => {
    await using cloud = serveAws(account());
    const connector = connect(cloud.endpoint, { accountId: "999999999999" });
    const failure = await failureOf(enrich(connector, "logs", "AWS::S3::Bucket") ?? Promise.resolve());
    expect(failure).toMatchObject({ failure: { code: "permission_denied" } });
    expect(cloud.calls.map(({ action }) => action)).toEqual(["sts:GetCallerIdentity"]);
  });

  test("by a role that doesn't trust us isn't the resource's failure", async () => {
    const refusal: Answer = { ...denial("sts:AssumeRole"), status: 403, code: "AccessDenied" };
    await using cloud = serveAws(account(on("sts:AssumeRole", refusal)));
    const connector = connect(cloud.endpoint, { credentials: ROLE, identity: ACCESS_KEY });
    const failure = await failureOf(enrich(connector, "x", "AWS::SQS::Queue") ?? Promise.resolve());
    expect(failure).toMatchObject({ failure: { code: "permission_denied" } });
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
  }, 30_000);

  test("isn't waited for by who gives up", async () => {
    const throttling: Answer = { status: 429, code: "TooManyRequests", headers: { "retry-after": "60" } };
    await using cloud = serveAws(account(on("tag:GetResources", throttling)));
    const giveUp = AbortSignal.timeout(300);
    const started = performance.now();
    const listing = listed(connect(cloud.endpoint), { service: "tagging", region: "eu-west-1" }, giveUp);
    expect(await failureOf(listing)).toMatchObject({ name: "TimeoutError" });
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

const SESSION = {
  body: {
    Credentials: {
      AccessKeyId: "ASIASESSION",
      SecretAccessKey: "s3ss10nKey",
      SessionToken: SESSION_TOKEN,
      Expiration: new Date(Date.now() + 3_600_000).toISOString(),
    },
  },
};

describe("credentials", () => {
  test("of a role are got once, with its external id, and used in every region", async () => {
    await using cloud = serveAws(account(on("sts:AssumeRole", SESSION)));
    const connector = connect(cloud.endpoint, { credentials: ROLE, identity: ACCESS_KEY });
    await connector.shards([], never);
    for (const region of ["eu-west-1", "us-east-1"]) await listed(connector, { service: "tagging", region });
    const [assumed, ...more] = cloud.calls.filter(({ action }) => action === "sts:AssumeRole");
    expect(more).toEqual([]);
    expect(assumed).toMatchObject({
      accessKeyId: ACCESS_KEY.accessKeyId,
      input: { RoleArn: ROLE.kind === "aws_role" ? ROLE.role_arn : "", ExternalId: "org-7" },
    });
    const others = cloud.calls.filter(({ action }) => action !== "sts:AssumeRole");
    expect(new Set(others.map(({ accessKeyId }) => accessKeyId))).toEqual(new Set(["ASIASESSION"]));
  });

  test("of a role that doesn't trust us say so", async () => {
    const refusal: Answer = { ...denial("sts:AssumeRole"), status: 403, code: "AccessDenied" };
    await using cloud = serveAws(account(on("sts:AssumeRole", refusal)));
    const connector = connect(cloud.endpoint, { credentials: ROLE, identity: ACCESS_KEY });
    expect(await connector.verify(never)).toEqual({
      checks: [
        {
          name: "sts",
          ok: false,
          missing: ["sts:AssumeRole"],
          message: "sts:AssumeRole isn't allowed in us-east-1",
        },
      ],
    });
  });

  test("that have expired let nobody in, and fail the scan before it lists anything", async () => {
    const expired: Answer = { status: 403, code: "ExpiredToken" };
    await using cloud = serveAws(({ action }) =>
      action.startsWith("sts:") ? expired : { status: 400, code: "ExpiredTokenException" },
    );
    const connector = connect(cloud.endpoint);
    expect(await connector.verify(never)).toMatchObject({ checks: [{ name: "sts", ok: false }] });
    expect(await failureOf(connector.shards([], never))).toMatchObject({
      failure: { code: "permission_denied" },
    });
    const [, failure] = await listedUntilFailure(connector, { service: "ec2", region: "eu-west-1" });
    expect(failure).toMatchObject({ failure: { code: "permission_denied" } });
    expect(cloud.calls).toHaveLength(3);
  });

  test("of another account are refused: its resources aren't this one's", async () => {
    await using cloud = serveAws(account());
    const connector = connect(cloud.endpoint, { accountId: "999999999999" });
    expect(await connector.verify(never)).toMatchObject({
      identity: expect.stringContaining(ACCOUNT),
      checks: [{ ok: false, message: expect.stringContaining("not of 999999999999") }],
    });
    expect(await failureOf(connector.shards([], never))).toMatchObject({
      failure: { code: "permission_denied" },
    });
  });

  test.each<[string, Options["credentials"], string]>([
    ["another cloud", { kind: "gcp_wif", audience: "a", service_account_email: "b" }, "kind"],
    ["half a key", { kind: "static", access_key_id: ACCESS_KEY.accessKeyId }, "secret_access_key"],
    ["a key's alias", { ...STATIC, access_key_id: "my key" }, "access_key_id"],
    ["a user", { kind: "aws_role", role_arn: `arn:aws:iam::${ACCOUNT}:user/leeway` }, "role_arn"],
    ["another account", { kind: "aws_role", role_arn: "arn:aws:iam::999999999999:role/leeway" }, "role_arn"],
    ["somebody else's trust", { ...ROLE, external_id: "org-8" }, "external_id"],
  ])("of %s are refused", (_, credentials, field) => {
    expect(() => connect("http://127.0.0.1:1", { credentials })).toThrow(
      expect.objectContaining({
        code: "invalid_parameter",
        details: [expect.objectContaining({ field: `credentials.${field}` })],
      }),
    );
  });

  test("of a role are assumed by the organization's external id though none was given", async () => {
    await using cloud = serveAws(account(on("sts:AssumeRole", SESSION)));
    const credentials = { kind: "aws_role" as const, role_arn: `arn:aws:iam::${ACCOUNT}:role/leeway` };
    await connect(cloud.endpoint, { credentials, identity: ACCESS_KEY }).verify(never);
    expect(cloud.calls[0]).toMatchObject({ action: "sts:AssumeRole", input: { ExternalId: "org-7" } });
  });

  test("aren't sent to an endpoint that isn't allowed", async () => {
    await using cloud = serveAws(account());
    const connector = connect(cloud.endpoint, { egress: createEgress({ allow: [] }) });
    expect(await failureOf(connector.verify(never))).toMatchObject({ code: "invalid_parameter" });
    expect(cloud.calls).toEqual([]);
  });

  test("are in no error, whatever AWS says", async () => {
    const message = `no: ${SECRET} ${SESSION_TOKEN} AWS4-HMAC-SHA256 Signature=f00`;
    for (const code of ["InternalFailure", "ThrottledByNobody", "AccessDeniedException", SECRET]) {
      await using cloud = serveAws(account(on("tag:GetResources", { status: 400, code, message })));
      const connector = connect(cloud.endpoint, { timeoutMs: 500 });
      const giveUp = AbortSignal.timeout(300);
      const failure = await failureOf(listed(connector, { service: "tagging", region: "eu-west-1" }, giveUp));
      const told = inspect(failure, { depth: 10, showHidden: true }) + JSON.stringify(failure);
      for (const secret of [SECRET, SESSION_TOKEN, "Signature="]) expect(told).not.toContain(secret);
    }
  });
});

describe("verification", () => {
  test("of a role with every permission finds nothing missing", async () => {
    await using cloud = serveAws(account());
    const { identity, checks } = await connect(cloud.endpoint).verify(never);
    expect(identity).toBe(`arn:aws:iam::${ACCOUNT}:user/leeway`);
    expect(checks).toEqual(
      ["sts", "account", "resource-explorer-2", "cloudcontrol", "tagging", "cloudtrail"].map((name) => ({
        name,
        ok: true,
        ...(name === "cloudtrail" && { optional: true }),
      })),
    );
  });

  test.each([...AWS_POLICY.Statement[0].Action])("says that %s is missing", async (action) => {
    await using cloud = serveAws(account(on(action, denial(action))));
    const { checks } = await connect(cloud.endpoint).verify(never);
    expect(checks.filter(({ ok }) => !ok).map(({ missing }) => missing)).toEqual([[action]]);
  });

  test.each([
    ["only with our external id has nothing to say", true],
    ["by anybody warns", false],
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
    expect(checks).toHaveLength(7);
  });

  test("says which permission of a type's own service is missing", async () => {
    const refusal = handlerDenial("AWS::Logs::LogGroup", "logs:DescribeLogGroups");
    await using cloud = serveAws(account(on("cloudformation:ListResources", refusal)));
    const { checks } = await connect(cloud.endpoint).verify(never);
    expect(checks.find(({ ok }) => !ok)?.missing).toEqual(["logs:DescribeLogGroups"]);
  });

  test("stands where only the audit log doesn't answer", async () => {
    await using cloud = serveAws(account(on("cloudtrail:LookupEvents", "silence")));
    const { checks } = await connect(cloud.endpoint, { timeoutMs: 100 }).verify(never);
    expect(checks.filter(({ ok }) => !ok)).toEqual([
      { name: "cloudtrail", ok: false, optional: true, message: "it doesn't answer; try again later" },
    ]);
  });

  test("can't be had of a cloud that doesn't answer", async () => {
    await using cloud = serveAws(() => "silence");
    const connector = connect(cloud.endpoint, { timeoutMs: 100 });
    expect(await failureOf(connector.verify(never))).toMatchObject({ code: "unavailable" });
  });
});

test("the policy to paste allows exactly what is called", async () => {
  await using cloud = serveAws(account());
  const connector = connect(cloud.endpoint);
  await connector.verify(never);
  for (const shard of await connector.shards([], never)) await listed(connector, shard);
  await listed(connector, { service: "ecs", region: "eu-west-1" });
  await connector.enrich?.({ providerId: "x", type: "AWS::SQS::Queue", region: "eu-west-1" }, never);
  const called = new Set(
    cloud.calls.map(({ action }) => action).filter((action) => !action.startsWith("sts:")),
  );
  expect([...called].toSorted()).toEqual([...AWS_POLICY.Statement[0].Action].toSorted());
});

const enrich = (connector: Connector, providerId: string, type: string) =>
  connector.enrich?.({ providerId, type, region: "eu-west-1" }, never);

describe("enrichment", () => {
  test.each([
    ["a bucket by its name", "AWS::S3::Bucket", "arn:aws:s3:::logs", "logs"],
    [
      "a topic by its ARN",
      "AWS::SNS::Topic",
      `arn:aws:sns:eu-west-1:${ACCOUNT}:jobs`,
      `arn:aws:sns:eu-west-1:${ACCOUNT}:jobs`,
    ],
    [
      "a queue by its URL",
      "AWS::SQS::Queue",
      `arn:aws:sqs:eu-west-1:${ACCOUNT}:jobs`,
      `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/jobs`,
    ],
    ["an instance by its id", "AWS::EC2::Instance", "i-1", "i-1"],
    [
      "a service by its ARN and its cluster",
      "AWS::ECS::Service",
      `arn:aws:ecs:eu-west-1:${ACCOUNT}:service/web/api`,
      `arn:aws:ecs:eu-west-1:${ACCOUNT}:service/web/api|web`,
    ],
  ])("finds %s", async (_, type, providerId, identifier) => {
    await using cloud = serveAws(
      account(({ action, input }) =>
        action === "cloudformation:GetResource" && input["Identifier"] === identifier
          ? {
              body: {
                TypeName: type,
                ResourceDescription: { Identifier: identifier, Properties: '{"A":1}' },
              },
            }
          : undefined,
      ),
    );
    expect(await enrich(connect(cloud.endpoint), providerId, type)).toEqual({
      outcome: "enriched",
      properties: { A: 1 },
    });
    const asked = cloud.calls.filter(({ action }) => !action.startsWith("sts:"));
    expect(new Set(asked.map(({ region }) => region))).toEqual(new Set(["eu-west-1"]));
  });

  test.each<[string, Answer, object]>([
    [
      "is gone",
      { status: 400, code: "ResourceNotFoundException" },
      { outcome: "failed", reason: "not_found" },
    ],
    [
      "may not be read",
      handlerDenial("AWS::SQS::Queue", "sqs:GetQueueAttributes"),
      {
        outcome: "failed",
        reason: "permission_denied",
        message: "sqs:GetQueueAttributes isn't allowed in eu-west-1",
      },
    ],
    [
      "is of a type that Cloud Control doesn't read",
      { status: 400, code: "UnsupportedActionException" },
      { outcome: "failed", reason: "unsupported" },
    ],
  ])("of a resource that %s is that resource's failure", async (_, answer, outcome) => {
    await using cloud = serveAws(account(on("cloudformation:GetResource", answer)));
    expect(await enrich(connect(cloud.endpoint), "x", "AWS::SQS::Queue")).toMatchObject(outcome);
  });

  test.each<[string, Answer, string]>([
    ["has expired credentials", { status: 400, code: "ExpiredTokenException" }, "permission_denied"],
    ["hangs", "silence", "timeout"],
    ["fails", { status: 400, code: "GeneralServiceException" }, "internal"],
    ["talks nonsense", { body: { ResourceDescription: { Properties: "nonsense" } } }, "internal"],
  ])("that %s isn't the resource's failure", async (_, answer, code) => {
    await using cloud = serveAws(account(on("cloudformation:GetResource", answer)));
    const connector = connect(cloud.endpoint, { timeoutMs: 100 });
    const failure = await failureOf(enrich(connector, "x", "AWS::SQS::Queue") ?? Promise.resolve());
    expect(failure).toMatchObject({ name: "ConnectorError", failure: { code } });
  });

  test("isn't tried for a type that only Resource Explorer knows", async () => {
    await using cloud = serveAws(account());
    expect(await enrich(connect(cloud.endpoint), "x", "ec2:wormhole")).toMatchObject({
      outcome: "failed",
      reason: "unsupported",
    });
    expect(cloud.calls.filter(({ action }) => !action.startsWith("sts:"))).toEqual([]);
  });

  test("isn't tried with credentials of another account, where the same name is another resource", async () => {
    await using cloud = serveAws(account());
    const connector = connect(cloud.endpoint, { accountId: "999999999999" });
    const failure = await failureOf(enrich(connector, "logs", "AWS::S3::Bucket") ?? Promise.resolve());
    expect(failure).toMatchObject({ failure: { code: "permission_denied" } });
    expect(cloud.calls.map(({ action }) => action)).toEqual(["sts:GetCallerIdentity"]);
  });

  test("by a role that doesn't trust us isn't the resource's failure", async () => {
    const refusal: Answer = { ...denial("sts:AssumeRole"), status: 403, code: "AccessDenied" };
    await using cloud = serveAws(account(on("sts:AssumeRole", refusal)));
    const connector = connect(cloud.endpoint, { credentials: ROLE, identity: ACCESS_KEY });
    const failure = await failureOf(enrich(connector, "x", "AWS::SQS::Queue") ?? Promise.resolve());
    expect(failure).toMatchObject({ failure: { code: "permission_denied" } });
  });
});
