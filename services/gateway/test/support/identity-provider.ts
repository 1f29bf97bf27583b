import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from "jose";

/** Claims over the usual ones, right or wrong; one that is undefined is left out. */
export type Claims = Record<string, unknown>;

/** An OpenID Connect provider whose every fault a test can choose. */
export interface IdentityProvider {
  issuer: string;
  /** `host:port`, for `EGRESS_ALLOW`. */
  host: string;
  /** A token as the provider would give it, with `claims` over the usual ones. */
  token(claims?: Claims, how?: { kid?: string; alg?: string; key?: CryptoKey }): Promise<string>;
  /** Makes a new signing key; the one before is gone from what is published. */
  rotate(): Promise<void>;
  /** What to answer instead, to be set by a test. */
  faults: { discovery?: () => Response; keys?: () => Response };
  /** How often the keys were asked for. */
  keyRequests(): number;
  stop(): Promise<void>;
}

export const AUDIENCE = "leeway";

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const faults: IdentityProvider["faults"] = {};
  let keyRequests = 0;
  let generation = 0;
  let signing = await generateKeyPair("RS256");
  let published: JWK[] = [];

  async function publish(): Promise<void> {
    generation += 1;
    published = [
      { ...(await exportJWK(signing.publicKey)), kid: `key-${generation}`, alg: "RS256", use: "sig" },
    ];
  }
  await publish();

  const server: Bun.Server<undefined> = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    routes: {
      "/.well-known/openid-configuration": () =>
        faults.discovery?.() ?? Response.json({ issuer, jwks_uri: `${issuer}/keys` }),
      "/keys": () => {
        keyRequests += 1;
        return faults.keys?.() ?? Response.json({ keys: published });
      },
    },
    fetch: () => new Response("not found", { status: 404 }),
  });
  const host = `127.0.0.1:${server.port}`;
  const issuer = `http://${host}`;

  return {
    issuer,
    host,
    faults,
    keyRequests: () => keyRequests,
    token: (claims = {}, { kid = `key-${generation}`, alg = "RS256", key = signing.privateKey } = {}) =>
      new SignJWT(
        JSON.parse(
          JSON.stringify({
            iss: issuer,
            aud: AUDIENCE,
            sub: "ada",
            exp: Math.floor(Date.now() / 1000) + 300,
            ...claims,
          }),
        ),
      )
        .setProtectedHeader({ alg, kid })
        .sign(key),
    async rotate() {
      signing = await generateKeyPair("RS256");
      await publish();
    },
    stop: () => server.stop(true),
  };
}
