import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash, randomBytes } from "node:crypto";

import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import {
  CLIENT_ID,
  createTestBrowser,
  logInAt,
  startOpenIdProvider,
  type OpenIdProvider,
} from "./support/openid-provider.ts";

const REDIRECT = "http://127.0.0.1:1/callback";

let provider: OpenIdProvider;
let gateway: TestGateway;

beforeAll(async () => {
  provider = await startOpenIdProvider(() => REDIRECT);
  gateway = await startTestGateway({
    OIDC_ISSUER: provider.issuer,
    OIDC_AUDIENCE: CLIENT_ID,
    EGRESS_ALLOW: provider.host,
  });
});
afterAll(async () => {
  await gateway.stop();
  provider.stop();
});

/** Logs `login` in through the provider's own pages, as a browser does. @returns the ID token */
async function logIn(login: string): Promise<string> {
  const verifier = randomBytes(32).toString("base64url");
  const browser = createTestBrowser();
  const search = new URLSearchParams({
    client_id: CLIENT_ID,
    redirect_uri: REDIRECT,
    response_type: "code",
    scope: "openid email profile",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  const back = await logInAt(browser, `${provider.issuer}/auth?${search.toString()}`, login);
  const tokens = await browser.visit(`${provider.issuer}/token`, {
    grant_type: "authorization_code",
    client_id: CLIENT_ID,
    redirect_uri: REDIRECT,
    code: new URL(back).searchParams.get("code") ?? "",
    code_verifier: verifier,
  });
  const { id_token: idToken }: { id_token: string } = JSON.parse(await tokens.text());
  return idToken;
}

test("a person signs in with a real provider and accepts the invitation to their address", async () => {
  const ada = await logIn("ada");
  const made = await gateway.ask("POST", "/api/v2/orgs", { as: ada, body: { name: "Example Ltd" } });
  expect(made.status).toBe(201);
  const path = `/api/v2/orgs/${made.body.id}`;
  const grace = await logIn("grace");
  expect((await gateway.ask("GET", path, { as: grace })).status).toBe(404);
  await gateway.ask("POST", `${path}/members`, {
    as: ada,
    body: { email: "grace@example.com", role: "member" },
  });
  expect((await gateway.ask("GET", path, { as: await logIn("grace") })).body.role).toBe("member");
});

test("a token with one changed character is refused", async () => {
  const token = await logIn("mallory");
  const [head = "", body = "", signature = ""] = token.split(".");
  const other = signature.startsWith("A") ? "B" : "A";
  const changed = `${head}.${body}.${other}${signature.slice(1)}`;
  expect((await gateway.ask("GET", "/api/v2/orgs", { as: changed })).status).toBe(401);
});
