import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setSystemTime, test } from "bun:test";

import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";

import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { AUDIENCE, type Claims } from "./support/identity-provider.ts";

const now = () => Math.floor(Date.now() / 1000);

describe("tokens", () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.stop());
  const status = async (token: string) => (await gateway.ask("GET", "/api/v2/orgs", { as: token })).status;

  test("of the provider, for our audience and not expired, are accepted", async () => {
    expect(await status(await gateway.provider.token())).toBe(200);
    expect(await status(await gateway.provider.token({ aud: ["other", AUDIENCE] }))).toBe(200);
  });

  test.each<[why: string, claims: () => Claims]>([
    ["expired for more than 30 seconds", () => ({ exp: now() - 31 })],
    ["not valid for more than 30 seconds", () => ({ nbf: now() + 40 })],
    ["for another audience", () => ({ aud: "other" })],
    ["without an audience", () => ({ aud: undefined })],
    ["of another issuer", () => ({ iss: "https://id.example.com" })],
    ["without an expiry", () => ({ exp: undefined })],
    ["without a subject", () => ({ sub: undefined })],
    ["with an empty subject", () => ({ sub: "" })],
  ])("that are %s are refused", async (_, claims) => {
    expect(await status(await gateway.provider.token(claims()))).toBe(401);
  });

  test.each(["iss", "sub", "aud", "exp", "nbf", "iat"])(
    "with %s of the wrong type are refused",
    async (claim) => {
      for (const value of [true, null, {}, [7], claim === "sub" ? 7 : "7"]) {
        expect(await status(await gateway.provider.token({ [claim]: value }))).toBe(401);
      }
    },
  );

  test.each(["email", "email_verified", "name"])(
    "with %s of the wrong type are accepted without it",
    async (claim) => {
      for (const value of [7, true, null, {}, ["a@example.com"]]) {
        expect(await status(await gateway.provider.token({ [claim]: value }))).toBe(200);
      }
    },
  );

  test("that expired less than 30 seconds ago are accepted because clocks differ", async () => {
    expect(await status(await gateway.provider.token({ exp: now() - 20 }))).toBe(200);
    expect(await status(await gateway.provider.token({ nbf: now() + 20 }))).toBe(200);
  });

  test("that are unsigned, forged or signed with a shared secret are refused", async () => {
    const claims = { sub: "ada" };
    const unsigned = new UnsecuredJWT(claims)
      .setIssuer(gateway.provider.issuer)
      .setAudience(AUDIENCE)
      .setExpirationTime("5m")
      .encode();
    const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
    const forged = await gateway.provider.token(claims, { key: privateKey });
    // The published key, used as an HMAC secret.
    const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(publicKey)));
    const confused = await new SignJWT({
      ...claims,
      iss: gateway.provider.issuer,
      aud: AUDIENCE,
      exp: now() + 300,
    })
      .setProtectedHeader({ alg: "HS256", kid: "key-1" })
      .sign(secret);
    for (const token of [unsigned, forged, confused]) expect(await status(token)).toBe(401);
  });

  test.each(["a.b.c", "..", "eyJhbGciOiJSUzI1NiJ9.e30.", "x".repeat(5000)])(
    "%j isn't a token",
    async (token) => {
      expect(await status(token)).toBe(401);
    },
  );

  test("the same issuer and subject is the same person, another subject another person", async () => {
    const made = await gateway.ask("POST", "/api/v2/orgs", {
      as: await gateway.provider.token({ sub: "same" }),
      body: { name: "x" },
    });
    const path = `/api/v2/orgs/${made.body.id}`;
    expect(
      (await gateway.ask("GET", path, { as: await gateway.provider.token({ sub: "same", jti: "2" }) }))
        .status,
    ).toBe(200);
    expect(
      (await gateway.ask("GET", path, { as: await gateway.provider.token({ sub: "Same" }) })).status,
    ).toBe(404);
  });

  test("claims about organizations and roles are ignored", async () => {
    const { id } = await gateway.newOwnedOrg();
    const token = await gateway.provider.token({
      sub: "liar",
      org: id,
      roles: ["owner"],
      [`orgs/${id}`]: "owner",
    });
    expect((await gateway.ask("GET", `/api/v2/orgs/${id}`, { as: token })).status).toBe(404);
  });

  test("claims that can't be stored are left out", async () => {
    const token = await gateway.provider.token({ sub: "nul", email: "a\0@example.com", name: "a\0b" });
    expect(await status(token)).toBe(200);
    for (const sub of ["n\0l", "half \ud800"]) {
      expect(await status(await gateway.provider.token({ sub }))).toBe(401);
    }
  });
});

describe("the provider's keys", () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startTestGateway();
  });
  afterEach(async () => {
    setSystemTime();
    await gateway.stop();
  });
  const status = async (token: string) => (await gateway.ask("GET", "/api/v2/orgs", { as: token })).status;

  test("are fetched once, not for every token", async () => {
    for (let count = 0; count < 5; count += 1) {
      expect(await status(await gateway.provider.token({ jti: String(count) }))).toBe(200);
    }
    expect(gateway.provider.keyRequests()).toBe(1);
  });

  const answers: [fault: string, answer: () => Response][] = [
    ["an error", () => new Response("no", { status: 500 })],
    ["a redirect", () => Response.redirect("http://127.0.0.1:1/")],
    ["something that isn't JSON", () => new Response("<html>")],
    ["JSON of another kind", () => Response.json({ hello: "world" })],
  ];
  test.each(
    answers.flatMap(([fault, answer]) =>
      (["discovery", "keys"] as const).map((where) => [where, fault, answer] as const),
    ),
  )("give 503, never 401, while %s answers with %s", async (where, _, answer) => {
    gateway.provider.faults[where] = answer;
    const token = await gateway.provider.token();
    expect(await status(token)).toBe(503);
    delete gateway.provider.faults[where];
    expect(await status(token)).toBe(200);
  });

  test("of an unreachable provider give 503 with Retry-After, while API keys still work", async () => {
    const token = await gateway.provider.token();
    const { key } = await gateway.newOrg();
    await gateway.provider.stop();
    const refused = await gateway.ask("GET", "/api/v2/orgs", { as: token });
    expect(refused).toMatchObject({ status: 503, body: { code: "unavailable" } });
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await status(key)).toBe(200);
    expect(await status("nonsense")).toBe(401);
  });

  test("are found after the provider corrects its discovery document", async () => {
    const { issuer, faults } = gateway.provider;
    faults.discovery = () => Response.json({ issuer, jwks_uri: `${issuer}/nowhere` });
    const token = await gateway.provider.token();
    expect(await status(token)).toBe(503);
    delete faults.discovery;
    expect(await status(token)).toBe(200);
  });

  test("stay valid while the provider is down, even after a token with an unknown key", async () => {
    expect(await status(await gateway.provider.token())).toBe(200);
    const faults = {
      discovery: () => new Response("", { status: 500 }),
      keys: () => new Response("", { status: 500 }),
    };
    Object.assign(gateway.provider.faults, faults);
    setSystemTime(new Date(Date.now() + 6_000));
    expect(await status(await gateway.provider.token({}, { kid: "another" }))).toBe(503);
    expect(await status(await gateway.provider.token({ jti: "2" }))).toBe(200);
  });

  test("that replace others at once are accepted a few seconds later", async () => {
    expect(await status(await gateway.provider.token())).toBe(200);
    await gateway.provider.rotate();
    setSystemTime(new Date(Date.now() + 6_000));
    expect(await status(await gateway.provider.token())).toBe(200);
  });

  test("of a provider that names another issuer aren't used", async () => {
    gateway.provider.faults.discovery = () =>
      Response.json({ issuer: "https://evil.example.com", jwks_uri: `${gateway.provider.issuer}/keys` });
    expect(await status(await gateway.provider.token())).toBe(503);
  });
});

test("without a provider every token is refused", async () => {
  const gateway = await startTestGateway({ OIDC_ISSUER: "", OIDC_AUDIENCE: "" });
  const token = await gateway.provider.token();
  expect((await gateway.ask("GET", "/api/v2/orgs", { as: token })).status).toBe(401);
  await gateway.stop();
});
