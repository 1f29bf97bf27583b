import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { createPublicKey, verify } from "node:crypto";

import { PUBLIC_BASE_URL } from "../isolation/stack.ts";
import { startWorld, type Tenant, type World } from "./kit.ts";

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  tenant = await world.newTenant();
  world.useClouds(world.cloudsOf(["gcp", "azure"]));
});

// oxlint-disable-next-line typescript/no-explicit-any -- a test looks into it freely
const fetchJson = async (path: string): Promise<any> => (await fetch(world.url + path)).json();
const parse = (part = ""): Record<string, unknown> => JSON.parse(Buffer.from(part, "base64url").toString());
const verified = (id: string) => tenant.ask("POST", `cloud-accounts/${id}/verify`);
const subjectOf = ({ orgId }: Tenant): string => `leeway:org:${orgId}`;

/** Verifies tokens for one subject as a cloud does, with the issuer's published keys only. */
function trusting(subject: string, audience: string): (token: string) => Promise<boolean> {
  return async (token) => {
    const { issuer, jwks_uri } = await fetchJson("/.well-known/openid-configuration");
    expect(jwks_uri).toStartWith(PUBLIC_BASE_URL);
    const { keys } = await fetchJson(jwks_uri.slice(PUBLIC_BASE_URL.length));
    const [head, claims, signature = ""] = token.split(".");
    const { alg, kid } = parse(head);
    const key = keys.find((published: { kid: string }) => published.kid === kid);
    if (key === undefined || alg !== "RS256") return false;
    const publicKey = createPublicKey({ key, format: "jwk" });
    const isSigned = verify(
      "RSA-SHA256",
      Buffer.from(`${head}.${claims}`),
      publicKey,
      Buffer.from(signature, "base64url"),
    );
    const { iss, sub, aud, exp } = parse(claims);
    const isRight = iss === issuer && sub === subject && aud === audience;
    return isSigned && isRight && Number(exp) * 1000 > Date.now();
  };
}

const wif = () => ({
  kind: "gcp_wif",
  audience: world.google.audience,
  service_account_email: world.google.email,
});
const federated = () => ({
  kind: "azure_federated",
  tenant_id: world.azure.tenant,
  client_id: world.azure.client,
});

describe("an organization trusted by a cloud", () => {
  test.each<[string, () => Promise<string>]>([
    [
      "Google",
      () => {
        world.google.trusts = trusting(subjectOf(tenant), world.google.audience);
        return tenant.account("gcp", world.google.project, { credentials: wif() });
      },
    ],
    [
      "Azure",
      () => {
        world.azure.trusts = trusting(subjectOf(tenant), "api://AzureADTokenExchange");
        return tenant.account("azure", world.azure.subscription, { credentials: federated() });
      },
    ],
  ])("gets access from %s, and another organization doesn't with the same settings", async (_, connect) => {
    const trusted = tenant;
    const id = await connect();
    const { google, azure } = world;
    const trusts = { google: google.trusts, azure: azure.trusts };
    expect((await verified(id)).body).toMatchObject({ status: "ok" });
    tenant = await world.newTenant();
    const theirs = await connect();
    google.trusts = trusts.google;
    azure.trusts = trusts.azure;
    expect(tenant.orgId).not.toBe(trusted.orgId);
    const { body } = await verified(theirs);
    expect([body.status, body.identity]).toEqual(["failing", undefined]);
  });
});

test("a token names the organization, is valid for minutes and has only the cloud's audience", async () => {
  const tokens: string[] = [];
  world.google.trusts = (token) => {
    tokens.push(token);
    return true;
  };
  const id = await tenant.account("gcp", world.google.project, { credentials: wif() });
  await verified(id);
  const [token = ""] = tokens;
  const [head, claims] = token.split(".");
  const { iss, sub, aud, exp, iat, nbf } = parse(claims);
  expect({ iss, sub, aud }).toEqual({
    iss: PUBLIC_BASE_URL,
    sub: subjectOf(tenant),
    aud: world.google.audience,
  });
  expect([Number(exp) - Number(iat), nbf]).toEqual([600, iat]);
  const { keys } = await fetchJson("/.well-known/jwks.json");
  expect(keys.map(({ kid }: { kid: string }) => kid)).toContain(parse(head)["kid"]);
});

test("the published keys are public, cached for minutes and contain no private key", async () => {
  const response = await fetch(`${world.url}/.well-known/jwks.json`);
  expect(response.headers.get("cache-control")).toBe("public, max-age=300");
  const { keys } = await fetchJson("/.well-known/jwks.json");
  expect(keys).toHaveLength(1);
  expect(Object.keys(keys[0]).toSorted()).toEqual(["alg", "e", "kid", "kty", "n", "use"]);
  const metadata = await fetchJson("/.well-known/openid-configuration");
  expect(metadata).toMatchObject({
    issuer: PUBLIC_BASE_URL,
    jwks_uri: `${PUBLIC_BASE_URL}/.well-known/jwks.json`,
    id_token_signing_alg_values_supported: ["RS256"],
  });
});
