import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { run, type Run } from "../../packages/cli/src/run.fixture.ts";
import { startTestGateway, type TestGateway } from "../../services/gateway/test/support/gateway.ts";

const CLIENT = "leeway-cli";

let gateway: TestGateway;
let org: { id: string; owner: string; ownerEmail: string };
let folder: string;
/** Device endpoints of the identity provider: the person enters the code at once. */
const device: Bun.Server<undefined> = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  routes: {
    "/device": () =>
      Response.json({
        device_code: "d",
        user_code: "ABCD-EFGH",
        verification_uri: `${device.url.origin}/enter`,
        expires_in: 600,
        interval: 1,
      }),
    "/token": async () => {
      const [sub] = org.ownerEmail.split("@");
      const claims = { aud: CLIENT, sub, email: org.ownerEmail, email_verified: true };
      return Response.json({
        id_token: await gateway.provider.token({ ...claims, jti: crypto.randomUUID() }),
      });
    },
  },
});

beforeAll(async () => {
  gateway = await startTestGateway({ OIDC_CLI_CLIENT_ID: CLIENT });
  const { issuer } = gateway.provider;
  gateway.provider.faults.discovery = () =>
    Response.json({
      issuer,
      jwks_uri: `${issuer}/keys`,
      device_authorization_endpoint: `${device.url.origin}/device`,
      token_endpoint: `${device.url.origin}/token`,
    });
});
afterAll(() => Promise.all([gateway.stop(), device.stop(true)]));
beforeEach(async () => {
  org = await gateway.newOwnedOrg();
  folder = await mkdtemp(join(tmpdir(), "leeway-login-"));
  return () => rm(folder, { recursive: true });
});

function leeway(args: string, input?: string, env: Record<string, string> = {}): Promise<Run> {
  return run(args.split(" "), { XDG_CONFIG_HOME: folder, ...env }, input);
}
const file = (): string => join(folder, "leeway/config.json");
const stored = async (): Promise<string> => (await Bun.file(file()).json()).profiles.default.key;

test("a person signs in with a code, creates a key, and signs out", async () => {
  const signedIn = await leeway(`login --url ${gateway.url}`);
  expect(signedIn).toMatchObject({ code: 0, output: expect.stringContaining("signed in to Test as admin") });
  expect(signedIn.messages.join()).toContain("enter the code ABCD-EFGH");
  expect((await stat(file())).mode & 0o777).toBe(0o600);
  const key = await stored();
  expect(JSON.stringify(signedIn)).not.toContain(key.slice(16));

  const made = await leeway("keys create ci --role member --json");
  expect(JSON.parse(made.output)).toMatchObject({
    name: "ci",
    role: "member",
    created_by: { type: "person" },
  });
  expect((await leeway("keys")).output).toMatch(/ci .*\n.*leeway on|leeway on .*\n.*ci /);

  expect(await leeway("logout")).toMatchObject({ code: 0 });
  expect((await leeway("keys")).code).toBe(64);
  const after = await gateway.ask("GET", `/api/v2/orgs/${org.id}/api-keys`, { as: key });
  expect(after.status).toBe(401);
});

test("signing in again ends the previous sign-in of the profile", async () => {
  await leeway(`login --url ${gateway.url}`);
  const first = await stored();
  await leeway("login");
  expect(await stored()).not.toBe(first);
  const { body } = await gateway.ask("GET", `/api/v2/orgs/${org.id}/api-keys`, { as: org.owner });
  expect(body.data).toHaveLength(1);
});

test("a key from standard input becomes a profile, whose organization it names", async () => {
  const { key } = await gateway.newKey(org.id, org.owner, "viewer");
  const done = await leeway(`login --url ${gateway.url} --key - --profile shop`, `${key}\n`);
  expect(done).toMatchObject({ code: 0, output: expect.stringContaining("signed in to Test as viewer") });
  expect((await leeway("keys --profile shop")).code).toBe(0);
  expect((await leeway("keys", undefined, { LEEWAY_PROFILE: "shop" })).code).toBe(0);
  const refused = await leeway("keys --profile shpo");
  expect([refused.code, refused.messages]).toEqual([64, [expect.stringMatching(/no profile "shpo".*shop/)]]);
  const created = await leeway("keys create ci --role viewer --profile shop");
  expect([created.code, created.messages.join()]).toEqual([1, expect.stringContaining("(403)")]);
});

test("variables override a profile, and its key goes to its own server only", async () => {
  const { key } = await gateway.newKey(org.id, org.owner, "viewer");
  await leeway(`login --url ${gateway.url} --key -`, key);
  const wrong = key.replace(/.$/, key.endsWith("0") ? "1" : "0");
  const own = await leeway("keys", undefined, { LEEWAY_API_KEY: wrong });
  expect([own.code, own.messages.join()]).toEqual([1, expect.stringContaining("rejected the API key")]);
  const elsewhere = await leeway("keys", undefined, { LEEWAY_URL: device.url.origin });
  expect([elsewhere.code, elsewhere.messages.join()]).toEqual([
    64,
    expect.stringContaining("LEEWAY_API_KEY, --key-file or leeway login is required"),
  ]);
});

test("a server without sign-in for the command line says what to do", async () => {
  const other = await startTestGateway();
  try {
    const { code, messages } = await leeway(`login --url ${other.url}`);
    expect([code, messages.join()]).toEqual([1, expect.stringContaining("leeway login --key -")]);
  } finally {
    await other.stop();
  }
});
