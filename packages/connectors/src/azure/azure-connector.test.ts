import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { azure as cloud } from "@leeway/clouds/azure/azure";
import { corpusFiles, corpusJson } from "@leeway/clouds/corpus.fixture";
import type { Credentials } from "@leeway/shared/contracts/inventory/accounts";
import { hasCorpus } from "@leeway/shared/testing/corpus.fixture";
import { createEgress } from "@leeway/shared/security/egress/egress";
import { isObject, member, members, text, type JsonObject } from "@leeway/shared/values/json";
import { failureOf } from "@leeway/shared/testing/testing";

import type { Connector, Enrichment, Shard } from "../connector.ts";
import { answer, hang, manualClock, pushed } from "../rest/rest.fixture.ts";
import { createAzureConnector } from "./azure-connector.ts";
import {
  AUDIT_ACTION,
  azureRole,
  GRAPH_ACTION,
  LOCATIONS_ACTION,
  PERMISSIONS_ACTION,
  readsAll,
  SUBSCRIPTION_ACTION,
} from "./azure-role.ts";
import { FakeAzure, TABLES } from "./fake-azure.fixture.ts";

const RESOURCES: Shard = { service: "resources" };
/** Matches ids of resources, but not of activity log entries or event types. */
const RESOURCE = /^\/subscriptions\/(?!.*\/event).*\/providers\//;
const never = new AbortController().signal;

let azure: FakeAzure;
let clock: ReturnType<typeof manualClock>;

beforeEach(() => {
  azure = new FakeAzure();
  clock = manualClock();
});
afterEach(async () => azure.stop());

function withSecret(client_secret = azure.secret): Credentials {
  return { kind: "static", tenant_id: azure.tenant, client_id: azure.client, client_secret };
}

function federated(tenant_id = azure.tenant): Credentials {
  return { kind: "azure_federated", tenant_id, client_id: azure.client };
}

async function signed(audience: string): Promise<string> {
  return audience === "api://AzureADTokenExchange" ? azure.assertion : "other";
}

async function failing(): Promise<string> {
  throw new Error("signing-key-canary");
}

type Options = Partial<Parameters<typeof createAzureConnector>[0]>;

function connect(credentials: Credentials = withSecret(), options: Options = {}): Connector {
  return createAzureConnector({
    credentials,
    accountId: azure.subscription,
    egress: createEgress({ allow: [azure.host] }),
    identityToken: signed,
    endpoints: azure.endpoints,
    clock,
    ...options,
  });
}

async function listed(connector: Connector, shard = RESOURCES, signal = never): Promise<JsonObject[]> {
  const documents: JsonObject[] = [];
  for await (const document of connector.list(shard, signal)) documents.push(document);
  return documents;
}

const names = async (documents: JsonObject[]): Promise<(string | undefined)[]> =>
  (await pushed(cloud, documents)).map(({ name }) => name);

const isGraph = ({ url }: Request): boolean => url.includes("ResourceGraph");

const quota = (headers: Record<string, string> = {}): Response =>
  answer(429, { error: { code: "RateLimiting", message: "canary" } }, headers);

function deny(status: number, code: string): void {
  azure.interfere = (request) => (isGraph(request) ? answer(status, { error: { code } }) : undefined);
}

function cut(end: JsonObject): void {
  azure.interfere = (request) => (isGraph(request) ? answer(200, { data: [], ...end }) : undefined);
}

describe("a subscription is listed", () => {
  test("page by page, with the same result as a pushed listing", async () => {
    const documents = await listed(connect());
    expect(documents).toHaveLength(3);
    const list = { value: [...(TABLES.get("resources") ?? [])] };
    expect(await pushed(cloud, documents)).toEqual(await pushed(cloud, [list]));
    expect(azure.tokens).toHaveLength(1);
  });

  test("with a federated credential, without a secret", async () => {
    expect(await names(await listed(connect(federated())))).toHaveLength(5);
  });

  test("table by table, each once, including empty tables", async () => {
    const connector = connect();
    const shards = await connector.shards([], never);
    const found = await Promise.all(shards.map((shard) => listed(connector, shard)));
    expect(await names(found.flat())).toHaveLength([...TABLES.values()].flat().length);
    expect(found.every((documents) => documents.length > 0)).toBe(true);
    expect(azure.queries.map((query) => /^\w+/.exec(query)?.[0])).toEqual(
      expect.arrayContaining([...TABLES.keys()]),
    );
    expect(azure.tokens).toHaveLength(1);
  });

  test("region by region when regions are selected, including global resources", async () => {
    const connector = connect();
    const shards = (await connector.shards(["West Europe"], never)).filter(
      ({ service }) => service === "resources",
    );
    const found = await Promise.all(shards.map(async (shard) => names(await listed(connector, shard))));
    expect(found).toEqual([["front"], ["shopimages", "shoplogs", "shopkeys"]]);
    const withGlobal = await connector.shards(["global", "West Europe"], never);
    expect(withGlobal).toEqual(await connector.shards(["West Europe"], never));
  });

  test("in smaller pages if they are too large, and fails if a single row is", async () => {
    azure.maxRows = 1000;
    const rows = TABLES.get("resources") ?? [];
    azure.tables.set(
      "resources",
      rows.map((one) => ({ ...one, properties: { note: "x".repeat(10_000) } })),
    );
    azure.maxCharacters = 25_000;
    expect(await names(await listed(connect()))).toHaveLength(5);
    azure.maxCharacters = 9_000;
    await expect(listed(connect())).rejects.toMatchObject({
      failure: { code: "internal", message: "Azure answered 400 BadRequest ResponsePayloadTooLarge" },
    });
  });

  test("by normalized region name", async () => {
    await listed(connect(), { service: "resources", region: "west' Europe //" });
    expect(azure.queries[0]).toBe("resources | where location =~ 'westeurope' | order by id asc");
  });
});

test("single resources aren't fetched, because the listing is complete", async () => {
  const resource = {
    providerId: "/subscriptions/0b1f/resourceGroups/shop",
    type: "Microsoft.Resources/subscriptions/resourceGroups",
  };
  const enrichment: Enrichment | undefined = await connect().enrich?.(resource, never);
  expect(enrichment).toBeUndefined();
});

describe("a listing waits", () => {
  const waits: [string, () => Response, number][] = [
    ["as long as Retry-After says", () => quota({ "retry-after": "7" }), 7_000],
    [
      "until the quota is reset",
      () => quota({ "x-ms-user-quota-remaining": "0", "x-ms-user-quota-resets-after": "00:01:05" }),
      65_000,
    ],
    ["one second without a hint", () => quota(), 1_000],
    ["for a server error", () => answer(503, { error: { code: "ServerTimeout" } }), 1_000],
  ];
  test.each(waits)("%s, and is then complete", async (_, refusal, ms) => {
    let refusals = 1;
    azure.interfere = (request) => (isGraph(request) && refusals-- > 0 ? refusal() : undefined);
    expect(await names(await listed(connect()))).toHaveLength(5);
    expect(clock.waits[0]).toBe(ms);
  });

  test("before a request when the quota is used up", async () => {
    azure.headers = { "x-ms-user-quota-remaining": "0", "x-ms-user-quota-resets-after": "00:00:05" };
    expect(await names(await listed(connect()))).toHaveLength(5);
    expect(clock.waits).toEqual([5_000, 5_000]);
  });

  test("until it fails as throttled", async () => {
    azure.interfere = (request) => (isGraph(request) ? quota() : undefined);
    expect(await failureOf(listed(connect()))).toMatchObject({ failure: { code: "throttled" } });
  });

  test("no longer than its caller", async () => {
    const caller = new AbortController();
    azure.interfere = (request) => {
      if (!isGraph(request)) return undefined;
      caller.abort(new Error("canceled"));
      return hang();
    };
    expect(await failureOf(listed(connect(), RESOURCES, caller.signal))).toMatchObject({
      message: "canceled",
    });
  });
});

describe("a listing fails", () => {
  const failures: [string, string, () => void][] = [
    [
      "permission_denied when Resource Graph is denied",
      "permission_denied",
      () => deny(403, "AuthorizationFailed"),
    ],
    [
      "permission_denied when the subscription isn't visible",
      "permission_denied",
      () => deny(404, "SubscriptionNotFound"),
    ],
    [
      "unsupported for a table that doesn't exist in this cloud",
      "unsupported",
      () => azure.tables.delete("resources"),
    ],
    ["internal for an invalid query", "internal", () => deny(400, "InvalidQuery")],
    [
      "timeout when Azure hangs",
      "timeout",
      () => (azure.interfere = (one) => (isGraph(one) ? hang() : undefined)),
    ],
    ["timeout when the sign-in hangs", "timeout", () => (azure.interfere = hang)],
    ["internal when the response is truncated", "internal", () => cut({ resultTruncated: "true" })],
    ["internal when the response has no rows", "internal", () => cut({ data: null })],
    ["internal when a page links to itself", "internal", () => cut({ $skipToken: "again" })],
  ];
  test.each(failures)("as %s", async (_, code, makeTrouble) => {
    makeTrouble();
    expect(
      await failureOf(listed(connect(withSecret(), { timeoutMs: code === "timeout" ? 60 : 10_000 }))),
    ).toMatchObject({
      failure: { code },
    });
  });

  test("as unsupported for an unknown region", async () => {
    const failure = await failureOf(listed(connect(), { service: "resources", region: "westeuorpe" }));
    expect(failure).toMatchObject({
      failure: { code: "unsupported", message: "the subscription has no region westeuorpe" },
    });
    expect(azure.queries).toEqual([]);
  });

  test.each([
    ["none", []],
    [
      "some types",
      [{ actions: ["Microsoft.Compute/*/read", "Microsoft.Authorization/permissions/read"], notActions: [] }],
    ],
    ["all but some types", [{ actions: ["*/read"], notActions: ["Microsoft.Compute/virtualMachines/read"] }]],
  ])("as permission_denied, without a partial listing, when roles can read %s", async (_, permissions) => {
    azure.permissions = permissions;
    expect(await failureOf(listed(connect()))).toMatchObject({ failure: { code: "permission_denied" } });
    expect(azure.queries).toEqual([]);
  });

  test("without affecting other tables", async () => {
    azure.tables.delete("policyresources");
    const connector = connect();
    const shards = await connector.shards([], never);
    const settled = await Promise.allSettled(shards.map((shard) => listed(connector, shard)));
    const failed = shards.filter((_, at) => settled[at]?.status === "rejected");
    expect(failed).toEqual([{ service: "policyresources" }]);
  });

  test("without an identity token", async () => {
    for (const [identityToken, code] of [
      [undefined, "unsupported"],
      [failing, "internal"],
    ] as const) {
      const error = await failureOf(listed(connect(federated(), { identityToken })));
      expect(error).toMatchObject({ failure: { code } });
      expect(Bun.inspect(error, { depth: 9 })).not.toContain("canary");
    }
    expect(azure.requests).toEqual([]);
  });

  test("for a shard of another cloud", async () => {
    expect(await failureOf(listed(connect(), { service: "cloudasset" }))).toMatchObject({
      failure: { code: "unsupported" },
    });
  });

  test("but not when a token expires during the listing", async () => {
    let pages = 0;
    azure.interfere = (request) => {
      if (isGraph(request) && ++pages === 2) azure.expired.add(azure.tokens[0] ?? "");
      return undefined;
    };
    expect(await names(await listed(connect()))).toHaveLength(5);
    expect(azure.tokens).toHaveLength(2);
  });
});

describe("verification", () => {
  test("returns the identity and passes with exactly the documented role", async () => {
    const { Actions, NotActions, AssignableScopes } = azureRole(azure.subscription);
    azure.permissions = [{ actions: Actions ?? [], notActions: NotActions ?? [] }];
    expect(AssignableScopes).toEqual([`/subscriptions/${azure.subscription}`]);
    for (const credentials of [withSecret(), federated()]) {
      const { identity, checks } = await connect(credentials).verify(never);
      expect(identity).toBe(azure.client);
      expect(checks.map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
    }
    await listed(connect(), { service: "resources", region: "westeurope" });
    expect([...azure.used].toSorted()).toEqual(
      [PERMISSIONS_ACTION, GRAPH_ACTION, SUBSCRIPTION_ACTION, LOCATIONS_ACTION, AUDIT_ACTION].toSorted(),
    );
    expect(Actions).toEqual(["*/read"]);
    expect([...azure.used].every((action) => action.endsWith("/read"))).toBe(true);
  });

  test("lists each missing permission", async () => {
    azure.permissions = [{ actions: [PERMISSIONS_ACTION], notActions: [] }];
    const { checks } = await connect().verify(never);
    expect(checks.flatMap(({ missing = [] }) => missing)).toEqual([
      SUBSCRIPTION_ACTION,
      "*/read",
      GRAPH_ACTION,
      AUDIT_ACTION,
    ]);
  });

  test("reads permissions from all pages", async () => {
    const other = { actions: ["Microsoft.Compute/*/read", PERMISSIONS_ACTION], notActions: [] };
    azure.permissions = [other, other, ...azure.permissions];
    azure.maxPermissions = 1;
    const { checks } = await connect().verify(never);
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(await names(await listed(connect()))).toHaveLength(5);
  });

  test("sends no token to a next page on another host", async () => {
    azure.interfere = ({ url }) =>
      /permissions\?/.test(url)
        ? answer(200, { value: [], nextLink: "https://elsewhere.example/" })
        : undefined;
    expect(await failureOf(listed(connect()))).toMatchObject({ failure: { code: "internal" } });
  });

  test("reports why the secret is rejected, and stops", async () => {
    const { identity, checks } = await connect(withSecret("wrong-canary")).verify(never);
    expect(identity).toBeUndefined();
    const message = `Entra ID refused an access token for ${azure.client}: the client secret is wrong (AADSTS7000215)`;
    expect(checks).toEqual([{ name: "credentials", ok: false, message }]);
  });

  test("reports a disabled subscription", async () => {
    azure.interfere = ({ url }) =>
      /subscriptions.[\da-f-]+\?/.test(url) ? answer(200, { state: "Disabled" }) : undefined;
    const { checks } = await connect().verify(never);
    expect(checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(["subscription"]);
  });

  test("fails as unavailable when Azure doesn't answer", async () => {
    azure.interfere = hang;
    expect(await failureOf(connect(withSecret(), { timeoutMs: 60 }).verify(never))).toMatchObject({
      code: "unavailable",
    });
  });
});

test.each([
  ["Reader", ["*/read"], [], true],
  ["Owner", ["*"], [], true],
  ["Contributor", ["*"], ["Microsoft.Authorization/*/Delete", "Microsoft.Authorization/*/Write"], true],
  ["a role that can't read Key Vault", ["*/read"], ["Microsoft.KeyVault/*"], false],
  ["a role for virtual machines", ["Microsoft.Compute/*/read"], [], false],
])("whether %s can read everything is known", (_, actions, notActions, expected) => {
  expect(readsAll(actions, notActions)).toBe(expected);
});

describe("invalid credentials are refused at once", () => {
  const refused: [string, () => Credentials][] = [
    ["a tenant with a path", () => federated("a/../canary")],
    ["no secret", () => ({ kind: "static", tenant_id: azure.tenant, client_id: azure.client })],
    ["no application", () => ({ kind: "static", tenant_id: azure.tenant, client_secret: "canary" })],
    ["credentials of another cloud", () => ({ kind: "aws_role", role_arn: "canary" })],
  ];
  test.each(refused)("%s", (_, credentials) => {
    expect(() => connect(credentials())).toThrow(
      expect.objectContaining({ code: "invalid_parameter", message: expect.not.stringContaining("canary") }),
    );
  });
});

test("no error contains a token, a secret or Azure's text", async () => {
  const troubles: (() => void)[] = [
    () => (azure.permissions = []),
    () =>
      (azure.interfere = ({ url }) => (url.endsWith("token") ? answer(400, { error: "canary" }) : undefined)),
    () => (azure.interfere = () => answer(400, { error: { code: "canary canary", message: "canary" } })),
    () => (azure.interfere = () => new Response("canary")),
    () => (azure.interfere = () => answer(200, { access_token: "canary\n\u0000ü", expires_in: 3599 })),
    () => azure.stop(),
  ];
  for (const makeTrouble of troubles) {
    makeTrouble();
    for (const credentials of [withSecret(), federated()]) {
      const error = await failureOf(listed(connect(credentials, { timeoutMs: 500 })));
      expect(error).toMatchObject({ name: "ConnectorError" });
      expect(Bun.inspect(error, { depth: 9 })).not.toMatch(/canary|eyJ/);
    }
  }
});

/** Returns the lists of resources in a recording of an API client. */
function listsIn(path: string): JsonObject[][] {
  const file = corpusJson(path);
  return members(isObject(file) ? file : undefined, "interactions")
    .map((one) => members(member(member(member(one, "response"), "body"), "data"), "value"))
    .filter((rows) => rows.length > 0 && rows.every((row) => RESOURCE.test(text(row, "id") ?? "")));
}

describe.skipIf(!hasCorpus)("real data (skipped where there is none: set LEEWAY_CORPUS)", () => {
  test("resources from Resource Manager and from Resource Graph are equal", async () => {
    const lists = corpusFiles("live-listings/cloud-custodian-azure/*.json").flatMap(listsIn);
    const rows = lists.flat();
    expect(rows.length).toBeGreaterThan(50);
    azure.tables.set("resources", rows);
    azure.maxRows = 50;
    expect(await pushed(cloud, await listed(connect()))).toEqual(
      await pushed(
        cloud,
        lists.map((value) => ({ value })),
      ),
    );
  });
});
