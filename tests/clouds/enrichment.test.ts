import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import type { Answered } from "../../services/gateway/test/support/gateway.ts";
import type { Answer, Call } from "@leeway/connectors/aws/aws.fixture";
import { ACCOUNT, AWS_KEY, described, queue, startWorld, type Tenant, type World } from "./kit.ts";

let world: World;
let tenant: Tenant;
let account: string;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.useClouds(world.cloudsOf(["aws", "gcp", "azure"]));
  tenant = await world.newTenant();
  account = await tenant.account("aws", ACCOUNT, { credentials: AWS_KEY });
});

const PROPERTIES = { QueueName: "orders", VisibilityTimeout: 30 };
const answersWith = (answer: Answer): void => world.awsAnswers(() => answer);
const enrich = (id: string): Promise<Answered> => tenant.ask("POST", `resources/${id}/enrich`);

/** Pushes a queue and returns its id. */
async function listed(name = "orders"): Promise<string> {
  await tenant.push(account, [queue(name)]);
  return (await tenant.resource(name)).id;
}

/** Sets the enrichment status of a resource. */
async function leave(id: string, status: string, reason: string | null = null): Promise<void> {
  await world.db.admin`
    update inventory.live_resources
       set enrichment_status = ${status}, enrichment_failure_reason = ${reason}
     where id = ${id}
  `;
}

const read = async (id: string) => (await tenant.ask("GET", `resources/${id}`)).body;

const GONE: Answer = { status: 400, code: "ResourceNotFoundException" };
const DENIED: Answer = {
  status: 400,
  code: "AccessDeniedException",
  message: `AWS::SQS::Queue Handler returned status FAILED: User: x is not authorized to perform: sqs:GetQueueAttributes (HandlerErrorCode: AccessDenied)`,
};

describe("a resource of a provider with an enricher", () => {
  test.each(["none", "failed"])("with status %s becomes enriched, with its properties", async (status) => {
    const id = await listed();
    if (status === "failed") await leave(id, "failed", "not_found: it was away");
    answersWith(described(PROPERTIES));
    const asked = Date.now();
    const { status: code, body } = await enrich(id);
    expect(code).toBe(200);
    expect(body).toMatchObject({ id, enrichment_status: "enriched", properties: PROPERTIES, redactions: [] });
    expect(body.enrichment_failure_reason).toBeUndefined();
    expect(Date.parse(body.enriched_at)).toBeWithin(asked - 1, Date.now() + 1);
    expect(await read(id)).toMatchObject({ enrichment_status: "enriched", properties: PROPERTIES });
  });

  test.each([
    [GONE, "not_found: AWS has no such resource in eu-west-1"],
    [DENIED, "permission_denied: sqs:GetQueueAttributes isn't allowed in eu-west-1"],
    [{ status: 400, code: "UnsupportedActionException" }, /^unsupported: /],
  ] as [Answer, string | RegExp][])("that fails gets its own error: %j", async (answer, reason) => {
    const id = await listed();
    answersWith(answer);
    const { status, body } = await enrich(id);
    expect([status, body.code, body.error]).toEqual([422, "enrichment_failed", "enrichment_failed"]);
    expect(body.enrichment_failure_reason).toMatch(reason);
    expect(body.resource).toMatchObject({
      id,
      enrichment_status: "failed",
      provider_type: "AWS::SQS::Queue",
    });
    expect(body.message).toBe(body.enrichment_failure_reason);
    expect(body.resource.enrichment_failure_reason).toBe(body.enrichment_failure_reason);
    const { enrichment_status, enrichment_failure_reason } = await read(id);
    expect([enrichment_status, enrichment_failure_reason]).toEqual([
      "failed",
      body.enrichment_failure_reason,
    ]);
  });

  test.each(["enriched", "n/a"])(
    "with status %s is returned as it is, without a cloud call",
    async (status) => {
      const id = await listed();
      await leave(id, status);
      const asked = world.calls().length;
      const before = await tenant.resource("orders");
      for (const clouds of [world.cloudsOf(["aws"]), world.cloudsOf([])]) {
        world.useClouds(clouds);
        const { status: code, body } = await enrich(id);
        expect([code, body]).toEqual([200, before]);
      }
      expect(world.calls()).toHaveLength(asked);
    },
  );

  test.each([
    ["throttles", { status: 429, code: "TooManyRequests", headers: { "retry-after": "60" } }, "throttled"],
    ["times out", "silence", "timeout"],
    ["rejects the credentials", { status: 400, code: "ExpiredTokenException" }, "permission_denied"],
    ["returns an error", { status: 500, code: "GeneralServiceException" }, "internal"],
    ["returns an invalid response", { status: 200, nonsense: "<html>" }, "internal"],
  ] as [string, Answer, string][])("keeps its status when AWS %s: 500", async (_, answer, code) => {
    const id = await listed();
    const before = await read(id);
    world.useClouds(world.cloudsOf(["aws"], 200));
    answersWith(answer);
    const { status, body } = await enrich(id);
    expect([status, body.code, body.message]).toEqual([
      500,
      "internal",
      expect.stringMatching(new RegExp(`^${code}: `)),
    ]);
    expect(await read(id)).toEqual(before);
  });

  test("of an account without credentials isn't enriched: 500, and its status stays none", async () => {
    account = await tenant.account("aws", "999999999999");
    await tenant.push(account, [
      { ...queue("pushed"), provider_resource_id: "arn:aws:sqs:eu-west-1:999999999999:pushed" },
    ]);
    const { id } = await tenant.resource("pushed");
    const { status, body } = await enrich(id);
    expect([status, body.code, body.message]).toEqual([
      500,
      "internal",
      expect.stringMatching(/^no_credentials: /),
    ]);
    expect(await read(id)).toMatchObject({ enrichment_status: "none" });
    world.useClouds(world.cloudsOf([]));
    expect((await enrich(id)).status).toBe(503);
  });

  test("of an account with unreadable credentials isn't enriched: 500", async () => {
    const id = await listed();
    await world.db
      .admin`update inventory.cloud_accounts set sealed_credentials = '\\x00', updated_at = now() where id = ${account}`;
    const { status, body } = await enrich(id);
    expect([status, body.code]).toEqual([500, "internal"]);
    expect(await read(id)).toMatchObject({ enrichment_status: "none" });
  });

  test.each([
    ["no cloud is configured", []],
    ["its cloud isn't configured", ["gcp"]],
  ])("isn't enriched when %s: 503", async (_, providers) => {
    const id = await listed();
    world.useClouds(world.cloudsOf(providers));
    const { status, body } = await enrich(id);
    expect([status, body.code]).toEqual([503, "registry_not_configured"]);
    expect(await read(id)).toMatchObject({ enrichment_status: "none" });
  });
});

describe("a resource of a provider without an enricher", () => {
  const ROWS = {
    gcp: {
      provider_resource_id: "//storage.googleapis.com/b",
      provider_type: "storage.googleapis.com/Bucket",
    },
    azure: {
      provider_resource_id: "/subscriptions/0b1f6471-1bf0-4dda-aec3-cb9272f09590/resourceGroups/g",
      provider_type: "microsoft.resources/resourcegroups",
    },
    acme: { provider_resource_id: "b", provider_type: "bucket" },
  };
  test.each(Object.entries(ROWS))(
    "of %s becomes n/a from any status and keeps its properties",
    async (provider, row) => {
      account = await tenant.account(
        provider,
        provider === "gcp" ? "shop-prod" : "0b1f6471-1bf0-4dda-aec3-cb9272f09590",
      );
      await tenant.push(account, [{ ...row, name: "thing", properties: { size: 7 } }]);
      const { id } = await tenant.resource("thing");
      world.useClouds(world.cloudsOf([]));
      for (const was of ["failed", "none", "enriched", "n/a"]) {
        await leave(id, was, was === "failed" ? "not_found: it was away" : null);
        const { status, body } = await enrich(id);
        expect([status, body.enrichment_status, body.properties]).toEqual([200, "n/a", { size: 7 }]);
        expect(body).not.toContainKey("enrichment_failure_reason");
      }
      expect(await read(id)).toMatchObject({ enrichment_status: "n/a" });
    },
  );
});

describe("enrichment by caller and id", () => {
  test.each(["member", "viewer"])("is forbidden for a %s: 403", async (role) => {
    const id = await listed();
    const asked = world.calls().length;
    const as = await tenant.keyOf(role);
    expect((await tenant.ask("POST", `resources/${id}/enrich`, { as })).status).toBe(403);
    expect(world.calls()).toHaveLength(asked);
  });

  test("of an unknown or another organization's resource gets 404", async () => {
    const id = await listed();
    const other = await world.newTenant();
    const arn = encodeURIComponent(`arn:aws:sqs:eu-west-1:${ACCOUNT}:orders`);
    for (const theirs of [id, arn, crypto.randomUUID(), "nothing"]) {
      const { status, body } = await other.ask("POST", `resources/${theirs}/enrich`);
      expect([status, body.code]).toEqual([404, "not_found"]);
    }
  });

  test("accepts the provider's percent-encoded id", async () => {
    const id = await listed();
    answersWith(described(PROPERTIES));
    const arn = encodeURIComponent(`arn:aws:sqs:eu-west-1:${ACCOUNT}:orders`);
    const { status, body } = await enrich(arn);
    expect([status, body.id, body.enrichment_status]).toEqual([200, id, "enriched"]);
  });

  test("with an id in several accounts gets 409", async () => {
    const row = { provider_resource_id: "shared", provider_type: "AWS::SQS::Queue", name: "shared" };
    await tenant.push(account, [row]);
    await tenant.push(await tenant.account("aws", "999999999999"), [row]);
    const { status, body } = await enrich("shared");
    expect([status, body.code]).toEqual([409, "ambiguous_resource"]);
  });

  test("is rate limited per minute: 429", async () => {
    const id = await listed();
    answersWith(described(PROPERTIES));
    let last = await enrich(id);
    // The loop may cross into the next minute, which starts a new limit.
    for (let times = 1; times < 81 && last.status === 200; times += 1) last = await enrich(id);
    expect([last.status, last.body.code]).toEqual([429, "rate_limited"]);
    expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(last.headers.get("ratelimit-policy")).toContain('"enrich";q=40;w=60');
  });
});

test("secrets in properties are masked before they are stored, and their paths are reported", async () => {
  const id = await listed();
  answersWith(
    described({ MasterUserPassword: "hunter2", Environment: { Variables: { "a/b_TOKEN": "t0psecret" } } }),
  );
  const { body, text } = await enrich(id);
  expect(body.redactions).toEqual(["/MasterUserPassword", "/Environment/Variables/a~1b_TOKEN"]);
  expect(body.properties.MasterUserPassword).toBe("[redacted]");
  const [row] = await world.db
    .admin`select to_jsonb(l)::text as row from inventory.live_resources l where id = ${id}`;
  for (const shown of [text, JSON.stringify(await read(id)), String(row?.["row"])])
    expect(shown).not.toMatch(/hunter2|t0psecret/);
});

/** Makes AWS answer once it is released. */
function held(answer: Answer): { asked: Promise<void>; release(): void } {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  world.awsAnswers(async () => {
    asked.resolve();
    await released.promise;
    return answer;
  });
  return { asked: asked.promise, release: () => released.resolve() };
}

describe("during an enrichment", () => {
  test("a second caller gets the same stored properties", async () => {
    const id = await listed();
    let turn = 0;
    world.awsAnswers(async (): Promise<Answer> => {
      turn += 1;
      return described({ VisibilityTimeout: turn });
    });
    const answers = await Promise.all(Array.from({ length: 8 }, () => enrich(id)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const kept = (await read(id)).properties;
    expect(answers.map(({ body }) => body.properties)).toEqual(answers.map(() => kept));
  });

  test("a late failure doesn't undo another caller's success", async () => {
    const id = await listed();
    const late = held(GONE);
    const first = enrich(id);
    await late.asked;
    await leave(id, "enriched");
    late.release();
    const { status, body } = await first;
    expect([status, body.enrichment_status]).toEqual([200, "enriched"]);
  });

  test("a scan that removes the row wins: 404, and the row stays deleted", async () => {
    const id = await listed();
    const late = held(described(PROPERTIES));
    const first = enrich(id);
    await late.asked;
    await tenant.push(account, [queue("other")]);
    late.release();
    expect((await first).status).toBe(404);
    expect((await tenant.ask("GET", "resources")).body.data).toHaveLength(1);
  });

  test("a resource recreated with the same id doesn't get the old one's properties", async () => {
    const id = await listed();
    const late = held(described(PROPERTIES));
    const first = enrich(id);
    await late.asked;
    await world.db
      .admin`update inventory.live_resources set cloud_created_at = '2026-11-21T00:00:00Z' where id = ${id}`;
    late.release();
    expect((await first).body.enrichment_status).toBe("none");
    expect(await read(id)).toMatchObject({ enrichment_status: "none" });
  });

  test("deleting the account gives 404", async () => {
    const id = await listed();
    const late = held(described(PROPERTIES));
    const first = enrich(id);
    await late.asked;
    expect((await tenant.ask("DELETE", `cloud-accounts/${account}`)).status).toBe(204);
    late.release();
    expect((await first).status).toBe(404);
  });

  test("a later scan leaves the resource enriched", async () => {
    const id = await listed();
    answersWith(described(PROPERTIES));
    await enrich(id);
    await tenant.push(account, [{ ...queue("orders"), tags: { team: "shop" } }, queue("more")]);
    expect(await read(id)).toMatchObject({ enrichment_status: "enriched", properties: PROPERTIES });
  });

  test("a later listing's properties replace the fetched ones", async () => {
    const id = await listed();
    answersWith(described({ ...PROPERTIES, Password: "hunter2-canary" }));
    await enrich(id);
    const properties = { VisibilityTimeout: 60, SecretKey: "hunter3-canary" };
    await tenant.push(account, [{ ...queue("orders"), properties }]);
    const row = await read(id);
    expect(row).toMatchObject({
      enrichment_status: "enriched",
      properties: { QueueName: "orders", VisibilityTimeout: 60 },
    });
    expect(row.redactions.toSorted()).toEqual(["/Password", "/SecretKey"]);
    expect(JSON.stringify(row)).not.toContain("canary");
  });
});

test("Cloud Control is called with the queue's URL in its region", async () => {
  const id = await listed();
  const calls: Call[] = [];
  world.awsAnswers((call) => {
    calls.push(call);
    return described(PROPERTIES);
  });
  await enrich(id);
  expect(calls).toMatchObject([
    {
      action: "cloudformation:GetResource",
      region: "eu-west-1",
      input: {
        TypeName: "AWS::SQS::Queue",
        Identifier: `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/orders`,
      },
    },
  ]);
});
