import { expect, test } from "bun:test";

import { createEgress } from "@leeway/shared/security/egress/egress";
import { parseKeyRing } from "@leeway/shared/security/encryption/keyring";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

import { createSignIn } from "./sign-in.ts";

test.each([
  ["/realms/a", "/realms/a/"],
  ["/realms/a/", "/realms/a"],
  ["/realms/a/", "/realms/a/"],
])("an issuer configured as %s that identifies itself as %s is accepted", async (configured, itself) => {
  await using server = Bun.serve({
    port: 0,
    routes: {
      "/realms/a/.well-known/openid-configuration": ({ url }) => {
        const at = (path: string): string => new URL(path, url).href;
        return Response.json({
          issuer: at(itself),
          authorization_endpoint: at("/authorize"),
          token_endpoint: at("/token"),
          jwks_uri: at("/keys"),
        });
      },
    },
  });
  const signIn = createSignIn({
    issuer: `http://localhost:${server.port}${configured}`,
    clientId: "leeway",
    clientSecret: undefined,
    publicBaseUrl: "https://leeway.example.com",
    egress: createEgress({ allow: [`localhost:${server.port}`] }),
    ring: parseKeyRing(`test:${Buffer.alloc(32, 7).toString("base64")}`),
  });
  const { location } = await signIn.begin("/");
  expect(location).toStartWith(`http://localhost:${server.port}/authorize?`);
});

test("a corrected token endpoint is used without a restart", async () => {
  let tokenPath = "/nowhere";
  await using server: Bun.Server<undefined> = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    routes: {
      "/.well-known/openid-configuration": (): Response =>
        Response.json({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: issuer + tokenPath,
          jwks_uri: `${issuer}/keys`,
        }),
      "/token": () => Response.json({ error: "invalid_grant" }, { status: 400 }),
    },
    fetch: () => new Response("not found", { status: 404 }),
  });
  const issuer = `http://127.0.0.1:${server.port}`;
  const signIn = createSignIn({
    issuer,
    clientId: "leeway",
    clientSecret: undefined,
    publicBaseUrl: "https://leeway.example.com",
    egress: createEgress({ allow: [`127.0.0.1:${server.port}`] }),
    ring: parseKeyRing(`test:${Buffer.alloc(32, 7).toString("base64")}`),
  });
  const { location, held } = await signIn.begin("/");
  const search = `code=x&state=${new URL(location).searchParams.get("state")}`;
  await expect(signIn.finish(search, held)).rejects.toMatchObject({ code: "unavailable" });
  tokenPath = "/token";
  await expect(signIn.finish(search, held)).rejects.toMatchObject({
    message: "the identity provider answered invalid_grant",
  });
});

test("an address from the userinfo endpoint is verified only if that endpoint says so", async () => {
  const { privateKey, publicKey } = await generateKeyPair("RS256");
  let nonce = "";
  await using server: Bun.Server<undefined> = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    routes: {
      "/.well-known/openid-configuration": (): Response =>
        Response.json({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/keys`,
        }),
      "/keys": async () => Response.json({ keys: [{ ...(await exportJWK(publicKey)), alg: "RS256" }] }),
      "/token": async (): Promise<Response> => {
        const claims = { nonce, name: "Ada", email_verified: true };
        const idToken = new SignJWT(claims).setProtectedHeader({ alg: "RS256" }).setSubject("ada");
        idToken.setIssuer(issuer).setAudience("leeway").setIssuedAt().setExpirationTime("5m");
        const token = { access_token: "x", token_type: "bearer", id_token: await idToken.sign(privateKey) };
        return Response.json(token);
      },
      "/userinfo": () => Response.json({ sub: "ada", email: "ceo@example.com", email_verified: false }),
    },
  });
  const issuer = `http://127.0.0.1:${server.port}`;
  const signIn = createSignIn({
    issuer,
    clientId: "leeway",
    clientSecret: undefined,
    publicBaseUrl: "https://leeway.example.com",
    egress: createEgress({ allow: [`127.0.0.1:${server.port}`] }),
    ring: parseKeyRing(`test:${Buffer.alloc(32, 7).toString("base64")}`),
  });
  const { location, held } = await signIn.begin("/");
  const begun = new URL(location).searchParams;
  nonce = begun.get("nonce") ?? "";
  const { identity } = await signIn.finish(`code=x&state=${begun.get("state")}`, held);
  expect(identity).toMatchObject({
    subject: "ada",
    name: "Ada",
    email: "ceo@example.com",
    emailVerified: false,
  });
});
