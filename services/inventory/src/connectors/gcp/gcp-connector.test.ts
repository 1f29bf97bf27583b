import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import type { Credentials } from "@leeway/shared/contracts/inventory/accounts";
import { hasCorpus } from "@leeway/shared/corpus.fixture";
import { createEgress } from "@leeway/shared/egress/egress";
import { isObject, type JsonObject } from "@leeway/shared/json";
import { failureOf } from "@leeway/shared/testing";

import { corpusFiles, corpusText } from "../../clouds/corpus.fixture.ts";
import { gcp } from "../../clouds/gcp/gcp.ts";
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

/** As they are beside their policies: those that can have one and have none grant nothing. */
const granting = (rows: readonly JsonObject[]): JsonObject[] =>
  rows.map((row) => {
    const { iamPolicy } = POLICIES.find(({ name }) => name === row["name"]) ?? {};
    const isAny = iamPolicy || row["assetType"] !== "compute.googleapis.com/Network";
    return isAny ? { ...row, iamPolicy: iamPolicy ?? {} } : row;
  });

const quota = (headers: Record<string, string> = {}, details: JsonObject[] = []): Response =>
  answer(429, { error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "canary", details } }, headers);

describe("a project is listed", () => {
  test("page by page, as the same listing pushed would bring it", async () => {
    const documents = await listed(connect());
    expect(documents).toHaveLength(3);
    expect(await pushed(gcp, documents)).toEqual(await pushed(gcp, granting(ASSETS)));
    expect(google.tokens).toHaveLength(1);
  });

  test("by workload identity, without any key", async () => {
    expect(await names(await listed(connect(federated())))).toHaveLength(ASSETS.length);
    expect(google.requests.slice(0, 2)).toEqual([
      "/v1/token",
      `/v1/projects/-/serviceAccounts/${google.email}:generateAccessToken`,
    ]);
  });

  test("as empty when it is", async () => {
    google.assets = [];
    const documents = await listed(connect());
    expect(documents).toHaveLength(1);
    expect(await pushed(gcp, documents)).toEqual([]);
  });

  test("by searching when only that is allowed", async () => {
    google.granted.delete(LIST_PERMISSION);
    expect(await pushed(gcp, await listed(connect()))).toEqual(await pushed(gcp, granting(RESULTS)));
  });

  test("with who may do what, for which all regions ask once", async () => {
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

  test("in full by a scan that begins while one that was canceled still asks who may do what", async () => {
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

  test("without who may do what where that is denied, which is told in the end", async () => {
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

  test("region by region when only some are wished, with what has none", async () => {
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
  "a region that there isn't, %s, isn't taken for an empty one",
  async (region) => {
    const failure = await failureOf(listed(connect(), { ...SHARD, region }));
    expect(failure).toMatchObject({ failure: { code: "unsupported" } });
  },
);

test("a region is empty, and a new one is known by what is in it", async () => {
  expect(await names(await listed(connect(), { ...SHARD, region: "asia-east1" }))).toEqual([]);
  const bucket = ASSETS.find(({ name }) => name === "//storage.googleapis.com/shop-logs") ?? {};
  const text = JSON.stringify(bucket).replaceAll(/europe-west1/gi, "europe-new9");
  google.assets = [...ASSETS, JSON.parse(text)];
  expect(await names(await listed(connect(), { ...SHARD, region: "europe-new9" }))).toEqual(["shop-logs"]);
});

test("no resource is fetched by itself, since listing gives all there is of it", async () => {
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
    ["a while when nothing is said", () => quota(), 1_000],
    [
      "for the older way to say so",
      () => answer(403, { error: { errors: [{ reason: "rateLimitExceeded" }] } }),
      1_000,
    ],
    ["for a server in trouble", () => answer(503, { error: { status: "UNAVAILABLE" } }), 1_000],
  ];
  test.each(waits)("%s, and is whole then", async (_, refusal, ms) => {
    let refusals = 1;
    google.interfere = ({ url }) => (/pageToken/.test(url) && refusals-- > 0 ? refusal() : undefined);
    expect(await names(await listed(connect()))).toHaveLength(ASSETS.length);
    expect(clock.waits[0]).toBeCloseTo(ms, -1);
  });

  test("longer each time, until it gives up as throttled", async () => {
    google.interfere = ({ url }) => (/assets/.test(url) ? quota() : undefined);
    expect(await failureOf(listed(connect()))).toMatchObject({ failure: { code: "throttled" } });
    expect(clock.waits.slice(0, 3)).toEqual([1_000, 2_000, 4_000]);
  });

  test("not for hours", async () => {
    google.interfere = ({ url }) => (/assets/.test(url) ? quota({ "retry-after": "7200" }) : undefined);
    expect(await failureOf(listed(connect()))).toMatchObject({ failure: { code: "throttled" } });
    expect(clock.waits).toEqual([]);
  });

  test("goes slower after a refusal, and then faster again", async () => {
    google.mostRows = 1;
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
  test("as permission_denied, naming what is missing, when neither way is allowed", async () => {
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
  ])("before anything leaves by another way than the guarded one, with %s", async (_, credentials) => {
    const connector = connect(credentials(), { egress: createEgress({ allow: [] }) });
    expect(await failureOf(listed(connector))).toMatchObject({ failure: { code: "internal" } });
    expect(google.requests).toEqual([]);
  });

  test("for want of an identity token", async () => {
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

  test("as internal when a page leads to itself, or is none", async () => {
    google.interfere = ({ url }) =>
      /assets/.test(url) ? answer(200, { assets: [], nextPageToken: "again" }) : undefined;
    expect(await failureOf(listed(connect()))).toMatchObject({ failure: { code: "internal" } });
    google.interfere = ({ url }) => (/assets/.test(url) ? new Response("<html>") : undefined);
    expect(await failureOf(listed(connect()))).toMatchObject({ failure: { code: "internal" } });
  });

  test("but not for a token that expires on the way", async () => {
    google.interfere = ({ url }) => {
      if (/pageToken=after-2/.test(url)) google.expired.add(google.tokens[0] ?? "");
      return undefined;
    };
    expect(await names(await listed(connect()))).toHaveLength(ASSETS.length);
    expect(google.tokens).toHaveLength(2);
  });

  test("as permission_denied when new tokens aren't taken either", async () => {
    google.interfere = ({ url }) => (/v1.projects.shop/.test(url) ? answer(401, {}) : undefined);
    expect(await failureOf(listed(connect()))).toMatchObject({ failure: { code: "permission_denied" } });
    expect(google.tokens).toHaveLength(4);
  });
});

describe("verifying", () => {
  test("says who the credentials are, and that the role to paste is enough and not too much", async () => {
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
    "names %s when it is missing",
    async (permission) => {
      google.granted.delete(permission);
      const { checks } = await connect().verify(never);
      expect(checks.filter(({ ok }) => !ok)).toMatchObject([{ missing: [permission] }]);
    },
  );

  test("lets a key in that isn't the account's no further than the door", async () => {
    google.interfere = ({ url }) =>
      url.endsWith("/token") ? answer(400, { error: "invalid_grant" }) : undefined;
    const { identity, checks } = await connect().verify(never);
    expect(identity).toBeUndefined();
    expect(checks).toMatchObject([
      { name: "credentials", ok: false, message: expect.stringContaining("invalid_grant") },
    ]);
  });

  test("names what the workload identity lacks on the service account", async () => {
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
  ])("says that %s is to be enabled where it isn't", async (service, path, name) => {
    google.interfere = ({ url }) =>
      path.test(url)
        ? answer(403, { error: { status: "PERMISSION_DENIED", details: [{ reason: "SERVICE_DISABLED" }] } })
        : undefined;
    const { checks } = await connect(federated()).verify(never);
    const message = expect.stringContaining(`enable ${service}.googleapis.com`);
    expect(checks.filter(({ ok }) => !ok)).toMatchObject([{ name, message }]);
  });

  test("is unavailable when Google doesn't answer", async () => {
    google.interfere = hang;
    expect(await failureOf(connect(withKey(), { timeoutMs: 60 }).verify(never))).toMatchObject({
      code: "unavailable",
    });
  });
});

describe("credentials are refused at once", () => {
  const refused: [string, () => Credentials][] = [
    ["a key that is no JSON", () => ({ kind: "static", service_account_key: "canary" })],
    ["no key", () => ({ kind: "static" })],
    [
      "a key that sends its signature elsewhere",
      () => withKey({ token_uri: "http://169.254.169.254/canary" }),
    ],
    ["a key of another universe", () => withKey({ universe_domain: "canary.example" })],
    ["a key without a private key", () => withKey({ private_key: "canary" })],
    [
      "a key for an address that is a path",
      () => withKey({ client_email: "a/../canary@x.gserviceaccount.com" }),
    ],
    ["an external account that names its own URLs", () => withKey({ type: "external_account" })],
    ["federation by another host", () => federated("//canary.example/projects/1/locations/global")],
    ["federation to an address that is a path", () => federated(google.audience, "x/y:z?canary")],
    ["those of another cloud", () => ({ kind: "aws_role", role_arn: "canary" })],
  ];
  test.each(refused)("%s", (_, credentials) => {
    expect(() => connect(credentials())).toThrow(
      expect.objectContaining({ code: "invalid_parameter", message: expect.not.stringContaining("canary") }),
    );
    expect(google.requests).toEqual([]);
  });
});

test("no error tells a token, a key or what Google says", async () => {
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
    "%s, listed or pushed, is the same",
    async (path) => {
      const rows: unknown[] = corpusText(path)
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line) => JSON.parse(line));
      google.assets = rows.filter(isObject);
      google.mostRows = 50;
      expect(await pushed(gcp, await listed(connect()))).toEqual(await pushed(gcp, google.assets));
    },
  );
});
