import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from "jose";

/** Overrides of the default claims, valid or not. An undefined value removes a claim. */
export type Claims = Record<string, unknown>;

/** An OpenID Connect provider with selectable faults. */
export interface IdentityProvider {
  issuer: string;
  /** `host:port`, for `EGRESS_ALLOW`. */
  host: string;
  /** Issues a token with `claims` over the defaults. */
  token(claims?: Claims, how?: { kid?: string; alg?: string; key?: CryptoKey }): Promise<string>;
  /** Creates a new signing key and stops publishing the previous one. */
  rotate(): Promise<void>;
  /** Answers to use instead. */
  faults: { discovery?: () => Response; keys?: () => Response };
  /** Returns the number of requests for the keys. */
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
