import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

import { Provider } from "oidc-provider";

import { startTestGateway, type TestGateway } from "./support/gateway.ts";

const CLIENT_ID = "dashboard";
const REDIRECT = "http://127.0.0.1:1/callback";

let server: Server;
let issuer: string;
let gateway: TestGateway;

beforeAll(async () => {
  let answer: (request: IncomingMessage, response: ServerResponse) => unknown;
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve());
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        redirect_uris: [REDIRECT],
        token_endpoint_auth_method: "none",
        application_type: "native",
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: false,
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true, name: id }),
    }),
  });
  answer = provider.callback();
  gateway = await startTestGateway({
    OIDC_ISSUER: issuer,
    OIDC_AUDIENCE: CLIENT_ID,
    EGRESS_ALLOW: `127.0.0.1:${port}`,
  });
});
afterAll(async () => {
  await gateway.stop();
  server.closeAllConnections();
  server.close();
});

/** Logs `login` in with the provider's own pages, as a browser would. @returns the ID token */
async function logIn(login: string): Promise<string> {
  const verifier = randomBytes(32).toString("base64url");
  const jar = new Map<string, string>();
  const visit = async (url: string, form?: Record<string, string>): Promise<Response> => {
    const response = await fetch(url, {
      method: form ? "POST" : "GET",
      redirect: "manual",
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(form && { "content-type": "application/x-www-form-urlencoded" }),
      },
      ...(form && { body: new URLSearchParams(form).toString() }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";");
      jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    return response;
  };
  const next = (response: Response) => new URL(response.headers.get("location") ?? "", issuer).href;

  const search = new URLSearchParams({
    client_id: CLIENT_ID,
    redirect_uri: REDIRECT,
    response_type: "code",
    scope: "openid email profile",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  let url = next(await visit(`${issuer}/auth?${search.toString()}`));
  for (const form of [{ prompt: "login", login, password: "any" }, { prompt: "consent" }]) {
    url = next(await visit(next(await visit(url, form))));
  }
  const code = new URL(url).searchParams.get("code") ?? "";
  const tokens = await visit(`${issuer}/token`, {
    grant_type: "authorization_code",
    client_id: CLIENT_ID,
    redirect_uri: REDIRECT,
    code,
    code_verifier: verifier,
  });
  const { id_token: idToken }: { id_token: string } = JSON.parse(await tokens.text());
  return idToken;
}

test("who logs in with a real provider is a person here, and takes up the invitation to their address", async () => {
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

test("a token with one letter changed is refused", async () => {
  const token = await logIn("mallory");
  const [head = "", body = "", signature = ""] = token.split(".");
  const other = signature.startsWith("A") ? "B" : "A";
  const changed = `${head}.${body}.${other}${signature.slice(1)}`;
  expect((await gateway.ask("GET", "/api/v2/orgs", { as: changed })).status).toBe(401);
});
