import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { exportSPKI, generateKeyPair, importJWK, SignJWT, UnsecuredJWT, type JWK } from "jose";

import { startIdentityProvider, type Claims, type IdentityProvider } from "./support/identity-provider.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

const AUDIENCE = "https://leeway.example.com";
const REPOSITORY = "acme/infra";

let gitlab: IdentityProvider;
let github: IdentityProvider;
let stranger: IdentityProvider;
let gateway: TestGateway;
let org: { id: string; owner: string };

beforeAll(async () => {
  [gitlab, github, stranger] = await Promise.all([
    startIdentityProvider(),
    startIdentityProvider(),
    startIdentityProvider(),
  ]);
  const issuers = `${gitlab.issuer},${github.issuer}`;
  gateway = await startTestGateway({ PUBLIC_BASE_URL: AUDIENCE, CI_ISSUERS: issuers });
});
afterAll(() => Promise.all([gateway.stop(), gitlab.stop(), github.stop(), stranger.stop()]));
beforeEach(async () => {
  org = await gateway.newOwnedOrg();
});

const now = (): number => Math.floor(Date.now() / 1000);

/** GitLab's claims for a job on the branch main. */
const gitlabClaims = (more: Claims = {}): Claims => ({
  aud: AUDIENCE,
  jti: crypto.randomUUID(),
  sub: `project_path:${REPOSITORY}:ref_type:branch:ref:main`,
  project_path: REPOSITORY,
  ref: "main",
  ref_type: "branch",
  pipeline_source: "push",
  ...more,
});
const gitlabToken = (more: Claims = {}) => gitlab.token(gitlabClaims(more));
/** GitHub's claims for a job on the branch main. */
const githubToken = (more: Claims = {}) =>
  github.token({
    aud: AUDIENCE,
    jti: crypto.randomUUID(),
    sub: `repo:${REPOSITORY}:ref:refs/heads/main`,
    repository: REPOSITORY,
    ref: "refs/heads/main",
    ...more,
  });

const identities = (orgId = org.id): string => `/api/v2/orgs/${orgId}/ci-identities`;
function add(claims: object, { issuer = gitlab.issuer, role = "member", of = org } = {}) {
  return gateway.ask("POST", identities(of.id), { as: of.owner, body: { issuer, claims, role } });
}
const exchange = (token: string, more: object = { org_id: org.id }) =>
  gateway.ask("POST", "/api/v2/auth/ci", { body: { token, ...more } });
const reads = async (key: string, orgId = org.id) =>
  (await gateway.ask("GET", `/api/v2/orgs/${orgId}`, { as: key })).status;

describe("a CI job's ID token", () => {
  test("of GitLab is exchanged for a 15-minute token of the organization", async () => {
    await add({ project_path: REPOSITORY, ref: "main" });
    const { status, body } = await exchange(await gitlabToken());
    expect(status).toBe(200);
    expect(body).toMatchObject({ org_id: org.id, role: "member", repository: REPOSITORY });
    const minutes = (Date.parse(body.expires_at) - Date.now()) / 60_000;
    expect(minutes).toBeWithin(14, 15.1);
    expect(await reads(body.token)).toBe(200);
  });

  test("of GitHub is exchanged by its own claims", async () => {
    await add({ repository: "acme/*", ref: "main", environment: "prod-*" }, { issuer: github.issuer });
    expect((await exchange(await githubToken({ environment: "prod-eu" }))).status).toBe(200);
    expect((await exchange(await githubToken())).status).toBe(403);
  });

  test("needs no org_id when only one organization accepts the job", async () => {
    const repository = `${crypto.randomUUID()}/infra`;
    await add({ project_path: repository });
    const { body } = await exchange(await gitlabToken({ project_path: repository }), {});
    expect(body.org_id).toBe(org.id);
  });

  test("needs org_id when several organizations accept the job", async () => {
    const other = await gateway.newOwnedOrg();
    const repository = `${crypto.randomUUID()}/infra`;
    await add({ project_path: repository });
    await add({ project_path: repository }, { of: other });
    const token = await gitlabToken({ project_path: repository });
    expect(await exchange(token, {})).toMatchObject({ status: 400, body: { code: "org_required" } });
    expect((await exchange(token)).body.org_id).toBe(org.id);
  });

  test("accepted by another organization gives no access to one's own", async () => {
    const other = await gateway.newOwnedOrg();
    await add({ project_path: REPOSITORY });
    expect((await exchange(await gitlabToken(), { org_id: other.id })).status).toBe(403);
    const { body } = await exchange(await gitlabToken());
    expect(await reads(body.token, other.id)).toBe(404);
  });
});

describe("a job is refused", () => {
  test.each([
    ["of another project", { project_path: "acme/website" }],
    ["of another namespace", { project_path: "evil/infra" }],
    ["of another ref", { ref: "feature" }],
    ["for a tag with the name of the branch", { ref_type: "tag" }],
    ["for a merge request from a branch of that name", { pipeline_source: "merge_request_event" }],
    ["of a child pipeline on an unprotected ref", { pipeline_source: "parent_pipeline" }],
    ["of another environment", { environment: "dev" }],
    ["without an environment", { environment: undefined }],
  ])("%s", async (_, claims) => {
    await add({ project_path: REPOSITORY, ref: "main", environment: "prod" });
    expect((await exchange(await gitlabToken({ environment: "prod" }))).status).toBe(200);
    const refused = await exchange(await gitlabToken({ environment: "prod", ...claims }));
    expect(refused).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect(refused.body.message).toContain("no CI identity matches this job");
  });

  test("from an issuer that only another identity accepts", async () => {
    await add({ repository: REPOSITORY }, { issuer: github.issuer });
    expect((await exchange(await gitlabToken({ repository: REPOSITORY }))).status).toBe(403);
  });
});

describe("an ID token is refused", () => {
  test.each([
    [
      "for another audience",
      () => gitlabToken({ aud: "https://other.example.com" }),
      `the audience ${AUDIENCE}`,
    ],
    [
      "for several audiences",
      () => gitlabToken({ aud: [AUDIENCE, "https://other.example.com"] }),
      "only audience",
    ],
    ["after its expiry", () => gitlabToken({ exp: now() - 60 }), "the token has expired"],
    ["without an expiry", () => gitlabToken({ exp: undefined }), "exp"],
    ["without an id", () => gitlabToken({ jti: undefined }), "jti"],
    ["without a repository", () => gitlabToken({ project_path: undefined }), "names no repository"],
    [
      "of an unknown issuer",
      () => stranger.token(gitlabClaims()),
      "isn't allowed on this server; the operator can add it to CI_ISSUERS",
    ],
    [
      "signed with an unknown key",
      async () => {
        const { privateKey } = await generateKeyPair("RS256");
        return gitlab.token(gitlabClaims(), { key: privateKey });
      },
      "the token's signature is invalid",
    ],
    ["that isn't a JWT", () => Promise.resolve("x.y.z"), "isn't a JSON Web Token"],
  ])("%s", async (_, make, why) => {
    await add({ project_path: REPOSITORY });
    const refused = await exchange(await make());
    expect(refused).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
    expect(refused.body.message).toContain(why);
  });

  test("that is unsigned, or signed with the public key as a secret", async () => {
    await add({ project_path: REPOSITORY });
    const claims = { ...gitlabClaims(), iss: gitlab.issuer, exp: now() + 300 };
    const published: { keys: JWK[] } = JSON.parse(await (await fetch(`${gitlab.issuer}/keys`)).text());
    const [jwk = {}] = published.keys;
    const key = await importJWK(jwk, "RS256", { extractable: true });
    if (key instanceof Uint8Array) throw new Error("a public key is expected");
    const secret = Buffer.from(await exportSPKI(key));
    const forged = [
      new UnsecuredJWT(claims).encode(),
      await new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid: jwk.kid ?? "" }).sign(secret),
    ];
    for (const token of forged) {
      const refused = await exchange(token);
      expect(refused.status).toBe(401);
      expect(refused.body.message).toContain("signed with its host's private key");
    }
  });

  test("that was already exchanged, by any organization", async () => {
    const other = await gateway.newOwnedOrg();
    await add({ project_path: REPOSITORY });
    await add({ project_path: REPOSITORY }, { of: other });
    const token = await gitlabToken();
    const both = await Promise.all([exchange(token), exchange(token)]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401]);
    for (const org_id of [org.id, other.id]) {
      const again = await exchange(token, { org_id });
      expect(again.status).toBe(401);
      expect(again.body.message).toContain("was already exchanged");
    }
  });
});

test("a new signing key of a host is accepted, and the old one is refused", async () => {
  await add({ project_path: REPOSITORY });
  expect((await exchange(await gitlabToken())).status).toBe(200);
  await gitlab.rotate();
  const asked = gitlab.keyRequests();
  let status = 401;
  for (let tries = 0; tries < 40 && status !== 200; tries += 1) {
    await Bun.sleep(200);
    ({ status } = await exchange(await gitlabToken()));
  }
  expect(status).toBe(200);
  expect(gitlab.keyRequests()).toBeLessThanOrEqual(asked + 2); // it isn't asked for each of them
});

/** A gateway of its own for one test. */
async function withGateway(
  env: Record<string, string>,
  work: (own: TestGateway) => Promise<void>,
): Promise<void> {
  const own = await startTestGateway({ PUBLIC_BASE_URL: AUDIENCE, ...env });
  try {
    await work(own);
  } finally {
    await own.stop();
  }
}

test("unreadable keys of an issuer give 503, and the token is still valid afterwards", async () => {
  const host = await startIdentityProvider();
  host.faults.discovery = () => new Response("down", { status: 503 });
  await withGateway({ CI_ISSUERS: host.issuer }, async (own) => {
    const body = { token: await host.token(gitlabClaims()) };
    expect((await own.ask("POST", "/api/v2/auth/ci", { body })).status).toBe(503);
    delete host.faults.discovery;
    expect((await own.ask("POST", "/api/v2/auth/ci", { body })).status).toBe(403); // nobody knows the job
  });
  await host.stop();
});

async function signedIn(role = "member"): Promise<string> {
  await add({ project_path: REPOSITORY }, { role });
  return (await exchange(await gitlabToken())).body.token;
}

describe("a job's token", () => {
  test("submits plans for its own repository in the name of the job", async () => {
    const key = await signedIn();
    await gateway.ask("POST", `/api/v2/orgs/${org.id}/analyze`, { as: key, body: { plan: {} } });
    const { input } = gateway.others.asked.at(-1) ?? { input: {} };
    const host = new URL(gitlab.issuer).host;
    expect(input).toMatchObject({
      submitted_by: { type: "ci", id: `project_path:${REPOSITORY}:ref_type:branch:ref:main`, host },
      speaks_for: { repositories: [REPOSITORY], host },
    });
  });

  test("allows nothing else, and a viewer's submits nothing", async () => {
    const key = await signedIn("viewer");
    const base = `/api/v2/orgs/${org.id}`;
    expect((await gateway.ask("POST", `${base}/analyze`, { as: key, body: { plan: {} } })).status).toBe(403);
    for (const [path, body] of [
      ["webhooks", { source: "planner" }],
      ["ci-identities", { issuer: gitlab.issuer, claims: { project_path: "evil/*" }, role: "member" }],
      ["api-keys", { name: "mine", role: "member" }],
    ] as const) {
      expect((await gateway.ask("POST", `${base}/${path}`, { as: key, body })).status).toBe(403);
    }
  });

  test("is refused within a second after its identity is deleted", async () => {
    const { body: identity } = await add({ project_path: REPOSITORY });
    const { body } = await exchange(await gitlabToken());
    expect(await reads(body.token)).toBe(200);
    const one = `${identities()}/${identity.id}`;
    expect((await gateway.ask("DELETE", one, { as: org.owner })).status).toBe(204);
    await Bun.sleep(1_100);
    expect(await reads(body.token)).toBe(401);
    expect((await exchange(await gitlabToken())).status).toBe(403);
  });

  test("is refused after its expiry, and then deleted", async () => {
    const key = await signedIn();
    await gateway.db.admin`update identity.ci_tokens set expires_at = now() where org_id = ${org.id}`;
    await Bun.sleep(1_100);
    expect(await reads(key)).toBe(401);
    await gateway.database.system`select identity.forget_ci_tokens()`;
    const left = await gateway.db.admin`select from identity.ci_tokens where org_id = ${org.id}`;
    expect(left).toHaveLength(0);
  });
});

describe("CI identities", () => {
  test("are listed, and audited on creation and deletion", async () => {
    const { status, body } = await add({ project_path: "acme/*", ref: "main" });
    expect(status).toBe(201);
    const { data } = (await gateway.ask("GET", identities(), { as: org.owner })).body;
    expect(data).toMatchObject([{ id: body.id, claims: { project_path: "acme/*", ref: "main" } }]);
    await gateway.ask("DELETE", `${identities()}/${body.id}`, { as: org.owner });
    const log = (await gateway.ask("GET", `/api/v2/orgs/${org.id}/audit-log`, { as: org.owner })).body.data;
    expect(log.slice(0, 2)).toMatchObject([
      { action: "ci_identity.delete", target: { id: body.id } },
      { action: "ci_identity.create", details: { project_path: "acme/*", ref: "main", role: "member" } },
    ]);
  });

  test.each([
    ["with an unknown issuer", {}, "https://evil.example.com", "issuer must be one of"],
    ["without a repository", { ref: "main" }, undefined, "either project_path"],
    [
      "with both kinds of repository",
      { project_path: "a/b", repository: "a/b" },
      undefined,
      "either project_path",
    ],
    ["with every repository", { project_path: "*" }, undefined, "must start with a namespace without *"],
    [
      "with a partial namespace",
      { project_path: "ac*/infra" },
      undefined,
      "must start with a namespace without *",
    ],
  ])("%s are refused", async (_, claims, issuer, why) => {
    const refused = await add(claims, issuer === undefined ? {} : { issuer });
    expect(refused).toMatchObject({ status: 400, body: { code: "invalid_parameter" } });
    expect(refused.body.message).toContain(why);
  });

  test("can be managed only by people who are admins", async () => {
    const { key } = await gateway.newKey(org.id, org.owner, "admin");
    const body = { issuer: gitlab.issuer, claims: { project_path: REPOSITORY }, role: "member" };
    expect((await gateway.ask("POST", identities(), { as: key, body })).status).toBe(403);
    const stranger = await gateway.newPerson();
    expect((await gateway.ask("POST", identities(), { as: stranger.token, body })).status).toBe(404);
  });
});

test("repeated wrong tokens are rate limited", async () => {
  const env = { CI_ISSUERS: gitlab.issuer, RATE_LIMIT_LOGIN_PER_MINUTE: "3" };
  await withGateway(env, async (own) => {
    const statuses: number[] = [];
    for (let tries = 0; tries < 8; tries += 1) {
      const body = { token: await gitlabToken({ aud: "another" }) };
      statuses.push((await own.ask("POST", "/api/v2/auth/ci", { body })).status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect(statuses).toContain(401);
  });
});
