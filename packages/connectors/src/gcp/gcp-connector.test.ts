import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { corpusFiles, corpusText } from "@leeway/clouds/corpus.fixture";
import { gcp } from "@leeway/clouds/gcp/gcp";
import type { Credentials } from "@leeway/shared/contracts/inventory/accounts";
import { hasCorpus } from "@leeway/shared/testing/corpus.fixture";
import { createEgress } from "@leeway/shared/security/egress/egress";
import { isObject, type JsonObject } from "@leeway/shared/values/json";
import { failureOf } from "@leeway/shared/testing/testing";

import type { Connector, Enrichment, Shard } from "../connector.ts";
import { answer, hang, manualClock, pushed } from "../rest/rest.fixture.ts";
import { ASSETS, keyFile, POLICIES, RESULTS, FakeGoogle } from "./fake-google.fixture.ts";
import { createGcpConnector } from "./gcp-connector.ts";
import {
  AUDIT_PERMISSION,
  gcpRole,
  LIST_PERMISSION,
  POLICY_PERMISSION,
  SEARCH_PERMISSION,
} from "./gcp-role.ts";

const SHARD: Shard = { service: "cloudasset" };
const never = new AbortController().signal;

let google: FakeGoogle;
let clock: ReturnType<typeof manualClock>;

beforeEach(() => {
  google = new FakeGoogle();
  clock = manualClock();
});
afterEach(async () => google.stop());

async function signed(audience: string): Promise<string> {
  return audience === google.audience ? google.subjectToken : "other";
}

async function failing(): Promise<string> {
  throw new Error("signing-key-canary");
}

type Options = Partial<Parameters<typeof createGcpConnector>[0]>;

function connect(credentials: Credentials = withKey(), options: Options = {}): Connector {
  return createGcpConnector({
    credentials,
    accountId: google.project,
    egress: createEgress({ allow: [google.host] }),
    identityToken: signed,
    endpoints: google.endpoints,
    clock,
    ...options,
  });
}

function withKey(changes: JsonObject = {}): Credentials {
  return { kind: "static", service_account_key: keyFile(changes) };
}

function federated(audience = google.audience, service_account_email = google.email): Credentials {
  return { kind: "gcp_wif", audience, service_account_email };
}

async function listed(connector: Connector, shard = SHARD, signal = never): Promise<JsonObject[]> {
  const documents: JsonObject[] = [];
  for await (const document of connector.list(shard, signal)) documents.push(document);
  return documents;
}

const names = async (documents: JsonObject[]): Promise<(string | undefined)[]> =>
  (await pushed(gcp, documents)).map(({ name }) => name);

/** Returns rows with their policies; a resource that can have a policy but has none gets an empty one. */
const granting = (rows: readonly JsonObject[]): JsonObject[] =>
  rows.map((row) => {
    const { iamPolicy } = POLICIES.find(({ name }) => name === row["name"]) ?? {};
    const isAny = iamPolicy || row["assetType"] !== "compute.googleapis.com/Network";
    return isAny ? { ...row, iamPolicy: iamPolicy ?? {} } : row;
  });

const quota = (headers: Record<string, string> = {}, details: JsonObject[] = []): Response =>
  answer(429, { error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "canary", details } }, headers);

describe("a project is listed", () => {
  test("page by page, with the same result as a pushed listing", async () => {
    const documents = await listed(connect());
    expect(documents).toHaveLength(3);
    expect(await pushed(gcp, documents)).toEqual(await pushed(gcp, granting(ASSETS)));
    expect(google.tokens).toHaveLength(1);
  });

  test("with workload identity, without a key", async () => {
    expect(await names(await listed(connect(federated())))).toHaveLength(ASSETS.length);
    expect(google.requests.slice(0, 2)).toEqual([
      "/v1/token",
      `/v1/projects/-/serviceAccounts/${google.email}:generateAccessToken`,
    ]);
  });

  test("as empty when it has no resources", async () => {
    google.assets = [];
    const documents = await listed(connect());
    expect(documents).toHaveLength(1);
    expect(await pushed(gcp, documents)).toEqual([]);
  });

  test("with the search API when only that is allowed", async () => {
    google.granted.delete(LIST_PERMISSION);
    expect(await pushed(gcp, await listed(connect()))).toEqual(await pushed(gcp, granting(RESULTS)));
  });

  test("with IAM policies, which are requested once for all regions", async () => {
    const connector = connect();
    const regions = await connector.shards(["europe-west1", "us-east1"], never);
    const documents = await Promise.all(regions.map((shard) => listed(connector, shard)));
    const rows = await pushed(gcp, documents.flat());
    const policies = rows.map(({ name, properties }) => [name, properties?.["iamPolicy"]]);
    expect(Object.fromEntries(policies)).toMatchObject({
      "shop-images": { bindings: [{}, { role: "roles/storage.objectViewer", members: ["allUsers"] }] },
      "shop-logs": { bindings: [] },
      main: undefined,
    });
    expect(JSON.stringify(rows)).not.toContain("etag");
    expect(google.asked.filter((content) => content === "IAM_POLICY")).toHaveLength(1);
  });

  test("completely while a canceled scan was still reading IAM policies", async () => {
    const connector = connect();
    const asked = Promise.withResolvers<void>();
    google.interfere = ({ url }) => {
      if (!url.includes("IAM_POLICY")) return undefined;
      google.interfere = () => undefined;
      asked.resolve();
      return hang();
    };
    const caller = new AbortController();
    const canceled = failureOf(listed(connector, SHARD, caller.signal));
    await asked.promise;
    const other = listed(connector);
    caller.abort(new Error("canceled"));
    expect(await canceled).toMatchObject({ message: "canceled" });
    expect(await pushed(gcp, await other)).toEqual(await pushed(gcp, granting(ASSETS)));
  });

  test("without IAM policies when they are denied, and reports that at the end", async () => {
    google.granted.delete(POLICY_PERMISSION);
    const documents: JsonObject[] = [];
    const listing = (async () => {
      for await (const document of connect().list(SHARD, never)) documents.push(document);
    })();
    expect(await failureOf(listing)).toMatchObject({
      failure: {
        code: "permission_denied",
        message: expect.stringContaining(POLICY_PERMISSION),
        types: ["IAM policies"],
      },
    });
    expect(await pushed(gcp, documents)).toEqual(await pushed(gcp, [...ASSETS]));
  });

  test("region by region when regions are selected, including global resources", async () => {
    const connector = connect();
    const shards = await connector.shards(["europe-west1"], never);
    expect(shards).toEqual([
      { service: "cloudasset", region: "global" },
      { service: "cloudasset", region: "europe-west1" },
    ]);
    const found = await Promise.all(shards.map(async (shard) => names(await listed(connector, shard))));
    expect(found).toEqual([
      ["shop-archive", "main"],
      ["shop-images", "shop-logs", "web-1"],
    ]);
    expect(await connector.shards([], never)).toEqual([SHARD]);
    expect(await connector.shards(["global", "europe-west1"], never)).toEqual(shards);
  });
});

test.each(["eurpoe-west1", "europe-west1-b", "eu-west-1"])(
  "the unknown region %s fails instead of being empty",
  async (region) => {
    const failure = await failureOf(listed(connect(), { ...SHARD, region }));
    expect(failure).toMatchObject({ failure: { code: "unsupported" } });
  },
);

test("a known region may be empty, and a new region is recognized by its resources", async () => {
  expect(await names(await listed(connect(), { ...SHARD, region: "asia-east1" }))).toEqual([]);
  const bucket = ASSETS.find(({ name }) => name === "//storage.googleapis.com/shop-logs") ?? {};
  const text = JSON.stringify(bucket).replaceAll(/europe-west1/gi, "europe-new9");
  google.assets = [...ASSETS, JSON.parse(text)];
  expect(await names(await listed(connect(), { ...SHARD, region: "europe-new9" }))).toEqual(["shop-logs"]);
});

test("single resources aren't fetched, because the listing is complete", async () => {
  const resource = {
    providerId: "//storage.googleapis.com/shop-logs",
    type: "storage.googleapis.com/Bucket",
  };
  const enrichment: Enrichment | undefined = await connect().enrich?.(resource, never);
  expect(enrichment).toBeUndefined();
});

describe("a listing waits", () => {
  const waits: [string, () => Response, number][] = [
    ["as long as Retry-After says", () => quota({ "retry-after": "7" }), 7_000],
    ["as long as RetryInfo says", () => quota({}, [{ retryDelay: "3.5s" }]), 3_500],
    ["one second without a hint", () => quota(), 1_000],
    [
      "for an older form of the quota error",
      () => answer(403, { error: { errors: [{ reason: "rateLimitExceeded" }] } }),
      1_000,
    ],
    ["for a server error", () => answer(503, { error: { status: "UNAVAILABLE" } }), 1_000],
  ];
  test.each(waits)("%s, and is then complete", async (_, refusal, ms) => {
    let refusals = 1;
    google.interfere = ({ url }) => (/pageToken/.test(url) && refusals-- > 0 ? refusal() : undefined);
    expect(await names(await listed(connect()))).toHaveLength(ASSETS.length);
    expect(clock.waits[0]).toBeCloseTo(ms, -1);
  });

  test("longer each time, until it fails as throttled", async () => {
    google.interfere = ({ url }) => (/assets/.test(url) ? quota() : undefined);
    expect(await failureOf(listed(connect()))).toMatchObject({ failure: { code: "throttled" } });
    expect(clock.waits.slice(0, 3)).toEqual([1_000, 2_000, 4_000]);
  });

  test("not for hours", async () => {
    google.interfere = ({ url }) => (/assets/.test(url) ? quota({ "retry-after": "7200" }) : undefined);
    expect(await failureOf(listed(connect()))).toMatchObject({ failure: { code: "throttled" } });
    expect(clock.waits).toEqual([]);
  });

  test("between pages after a refusal, less each time", async () => {
    google.maxRows = 1;
    google.assets = Array.from({ length: 30 }, (_, at) => ({
      ...ASSETS[0],
      name: `//storage.googleapis.com/b${at}`,
    }));
    let refusals = 1;
    google.interfere = ({ url }) => (/assets/.test(url) && refusals-- > 0 ? quota() : undefined);
    expect(await names(await listed(connect()))).toHaveLength(30);
    const [refused, ...gaps] = clock.waits;
    expect(refused).toBe(1_000);
    expect(gaps[0]).toBeGreaterThan(100);
    expect(gaps).toEqual(gaps.toSorted((a, b) => b - a));
    expect(gaps.length).toBeLessThan(20);
  });

  test("no longer than its caller", async () => {
    const caller = new AbortController();
    google.interfere = ({ url }) => {
      if (!/assets/.test(url)) return undefined;
      caller.abort(new Error("canceled"));
      return hang();
    };
    expect(await failureOf(listed(connect(), SHARD, caller.signal))).toMatchObject({ message: "canceled" });
  });
});

describe("a listing fails", () => {
  test("as permission_denied, with the missing permission, when listing and searching are denied", async () => {
    google.granted.clear();
    const message = expect.stringContaining(SEARCH_PERMISSION);
    expect(await failureOf(listed(connect()))).toMatchObject({
      failure: { code: "permission_denied", message },
    });
  });

  test("as timeout when Google hangs", async () => {
    google.interfere = ({ url }) => (/assets/.test(url) ? hang() : undefined);
    expect(await failureOf(listed(connect(withKey(), { timeoutMs: 60 })))).toMatchObject({
      failure: { code: "timeout" },
    });
  });

  test("as timeout when the sign-in hangs", async () => {
    google.interfere = hang;
    expect(await failureOf(listed(connect(federated(), { timeoutMs: 60 })))).toMatchObject({
      failure: { code: "timeout" },
    });
  });

  test.each([
    ["a key", withKey],
    ["workload identity", federated],
  ])("before any request that egress rules don't allow, with %s", async (_, credentials) => {
    const connector = connect(credentials(), { egress: createEgress({ allow: [] }) });
    expect(await failureOf(listed(connector))).toMatchObject({ failure: { code: "internal" } });
    expect(google.requests).toEqual([]);
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
    expect(google.requests).toEqual([]);
  });

  test("as unsupported when the API isn't enabled", async () => {
    google.interfere = ({ url }) =>
      /assets/.test(url)
        ? answer(403, { error: { status: "PERMISSION_DENIED", details: [{ reason: "SERVICE_DISABLED" }] } })
        : undefined;
    expect(await failureOf(listed(connect()))).toMatchObject({ failure: { code: "unsupported" } });
  });

  test("as internal when a page links to itself or isn't JSON", async () => {
    google.interfere = ({ url }) =>
      /assets/.test(url) ? answer(200, { assets: [], nextPageToken: "again" }) : undefined;
    expect(await failureOf(listed(connect()))).toMatchObject({ failure: { code: "internal" } });
    google.interfere = ({ url }) => (/assets/.test(url) ? new Response("<html>") : undefined);
    expect(await failureOf(listed(connect()))).toMatchObject({ failure: { code: "internal" } });
  });

  test("but not when a token expires during the listing", async () => {
    google.interfere = ({ url }) => {
      if (/pageToken=after-2/.test(url)) google.expired.add(google.tokens[0] ?? "");
      return undefined;
    };
    expect(await names(await listed(connect()))).toHaveLength(ASSETS.length);
    expect(google.tokens).toHaveLength(2);
  });

  test("as permission_denied when new tokens are rejected too", async () => {
    google.interfere = ({ url }) => (/v1.projects.shop/.test(url) ? answer(401, {}) : undefined);
    expect(await failureOf(listed(connect()))).toMatchObject({ failure: { code: "permission_denied" } });
    expect(google.tokens).toHaveLength(4);
  });
});

describe("verification", () => {
  test("returns the identity and passes with exactly the documented role", async () => {
    google.granted = new Set(gcpRole.includedPermissions);
    for (const credentials of [withKey(), federated()]) {
      const { identity, checks } = await connect(credentials).verify(never);
      expect(identity).toBe(google.email);
      expect(checks.map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
    }
    await listed(connect());
    expect([...google.used].toSorted()).toEqual(gcpRole.includedPermissions.toSorted());
  });

  test.each([LIST_PERMISSION, SEARCH_PERMISSION, POLICY_PERMISSION, AUDIT_PERMISSION])(
    "reports that %s is missing",
    async (permission) => {
      google.granted.delete(permission);
      const { checks } = await connect().verify(never);
      expect(checks.filter(({ ok }) => !ok)).toMatchObject([{ missing: [permission] }]);
    },
  );

  test("stops when the key is rejected", async () => {
    google.interfere = ({ url }) =>
      url.endsWith("/token") ? answer(400, { error: "invalid_grant" }) : undefined;
    const { identity, checks } = await connect().verify(never);
    expect(identity).toBeUndefined();
    expect(checks).toMatchObject([
      { name: "credentials", ok: false, message: expect.stringContaining("invalid_grant") },
    ]);
  });

  test("reports the missing permission on the service account", async () => {
    const { checks } = await connect(
      federated(google.audience, `other@${google.project}.iam.gserviceaccount.com`),
    ).verify(never);
    expect(checks).toMatchObject([
      { ok: false, message: expect.stringContaining("iam.serviceAccounts.getAccessToken") },
    ]);
  });

  test.each([
    ["cloudasset", /:searchAllResources/, "search resources"],
    ["logging", /entries:list/, "audit log"],
    ["iamcredentials", /:generateAccessToken/, "credentials"],
  ])("reports that %s must be enabled", async (service, path, name) => {
    google.interfere = ({ url }) =>
      path.test(url)
        ? answer(403, { error: { status: "PERMISSION_DENIED", details: [{ reason: "SERVICE_DISABLED" }] } })
        : undefined;
    const { checks } = await connect(federated()).verify(never);
    const message = expect.stringContaining(`enable ${service}.googleapis.com`);
    expect(checks.filter(({ ok }) => !ok)).toMatchObject([{ name, message }]);
  });

  test("fails as unavailable when Google doesn't answer", async () => {
    google.interfere = hang;
    expect(await failureOf(connect(withKey(), { timeoutMs: 60 }).verify(never))).toMatchObject({
      code: "unavailable",
    });
  });
});

describe("invalid credentials are refused at once", () => {
  const refused: [string, () => Credentials][] = [
    ["a key that isn't JSON", () => ({ kind: "static", service_account_key: "canary" })],
    ["no key", () => ({ kind: "static" })],
    ["a key with a foreign token URL", () => withKey({ token_uri: "http://169.254.169.254/canary" })],
    ["a key of another universe", () => withKey({ universe_domain: "canary.example" })],
    ["a key without a private key", () => withKey({ private_key: "canary" })],
    [
      "a key whose email contains a path",
      () => withKey({ client_email: "a/../canary@x.gserviceaccount.com" }),
    ],
    ["an external account with its own URLs", () => withKey({ type: "external_account" })],
    [
      "a federation audience on another host",
      () => federated("//canary.example/projects/1/locations/global"),
    ],
    ["a federation service account that contains a path", () => federated(google.audience, "x/y:z?canary")],
    ["credentials of another cloud", () => ({ kind: "aws_role", role_arn: "canary" })],
  ];
  test.each(refused)("%s", (_, credentials) => {
    expect(() => connect(credentials())).toThrow(
      expect.objectContaining({ code: "invalid_parameter", message: expect.not.stringContaining("canary") }),
    );
    expect(google.requests).toEqual([]);
  });
});

test("no error contains a token, a key or Google's text", async () => {
  const PRIVATE = /canary|PRIVATE KEY|ya29|eyJ/;
  const troubles: (() => void)[] = [
    () => google.granted.clear(),
    () =>
      (google.interfere = ({ url }) =>
        url.endsWith("oken") ? answer(400, { error: "canary canary" }) : undefined),
    () => (google.interfere = () => answer(500, { error: { status: "canary", message: "canary" } })),
    () => (google.interfere = () => new Response("canary")),
    () => (google.interfere = () => answer(200, { access_token: "canary\n\u0000ü", expires_in: 3599 })),
    () => google.stop(),
  ];
  for (const makeTrouble of troubles) {
    makeTrouble();
    for (const credentials of [withKey(), federated()]) {
      const error = await failureOf(listed(connect(credentials, { timeoutMs: 500 })));
      expect(error).toMatchObject({ name: "ConnectorError" });
      expect(Bun.inspect(error, { depth: 9 })).not.toMatch(PRIVATE);
    }
  }
});

describe.skipIf(!hasCorpus)("real data (skipped where there is none: set LEEWAY_CORPUS)", () => {
  test.each(corpusFiles("live-listings/forseti/*resources*.ndjson"))(
    "%s has the same resources when scanned and when pushed",
    async (path) => {
      const rows: unknown[] = corpusText(path)
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line) => JSON.parse(line));
      google.assets = rows.filter(isObject);
      google.maxRows = 50;
      expect(await pushed(gcp, await listed(connect()))).toEqual(await pushed(gcp, google.assets));
    },
  );
});
