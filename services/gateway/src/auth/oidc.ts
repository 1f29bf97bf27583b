import type { Egress } from "@leeway/shared/security/egress/egress";
import { unavailable } from "@leeway/shared/values/errors";
import { isObject, text } from "@leeway/shared/values/json";
import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  jwtVerify,
  type JWTPayload,
  type RemoteJWKSet,
} from "jose";

/** Asymmetric algorithms: a published key can't create a signature. */
export const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
const LEEWAY_SECONDS = 30;
const LONGEST_CLAIM = 255;
const DISCOVERY_MS = 10 * 60 * 1000;
/** Interval at which an unknown key is fetched again, because a provider may switch to a new key at any time. */
const KEYS_MS = 5_000;
const TIMEOUT_MS = 3_000;

/** Facts in a token about the person it was issued to. */
export interface Identity {
  issuer: string;
  subject: string;
  email: string | undefined;
  emailVerified: boolean;
  name: string | undefined;
  /** Expiry of the token, in ms since 1970. */
  expiresAt: number;
}

/** Verifies tokens of one OpenID Connect provider. */
export interface TokenVerifier {
  /**
   * Returns the person that `token` was issued to; undefined if it isn't valid.
   * @throws {AppError} `unavailable` if the provider's keys can't be fetched
   */
  verify(token: string): Promise<Identity | undefined>;
}

/** Issuer in its own spelling, and its keys, which are fetched again when a token names an unknown key. */
interface Provider {
  issuer: string;
  keys: RemoteJWKSet;
}

export function createTokenVerifier({
  issuer,
  audience,
  egress,
}: {
  issuer: string;
  audience: string;
  egress: Egress;
}): TokenVerifier {
  const provider = remembering(() => discover(issuer, egress));
  return {
    async verify(token) {
      if (!mayBeFrom(issuer, token)) return undefined; // not worth a request to the provider
      const { keys, issuer: exact } = await provider.get();
      try {
        const { payload } = await jwtVerify(token, keys, {
          algorithms: ALGORITHMS,
          issuer: exact,
          audience,
          clockTolerance: LEEWAY_SECONDS,
          requiredClaims: ["exp", "sub"],
        });
        return identityOf(payload);
      } catch (error) {
        if (isTokensFault(error)) return undefined;
        if (!keys.fresh) provider.forget();
        throw unavailable("couldn't read the identity provider's signing keys", error);
      }
    },
  };
}

/** Cached value that expires; failures aren't cached. */
export interface Remembered<T> {
  get(): Promise<T>;
  /** Discards the value, which may be wrong; the next call finds it again. */
  forget(): void;
}

export function remembering<T>(find: () => Promise<T>): Remembered<T> {
  let known: { found: Promise<T>; until: number } | undefined;
  return {
    get() {
      if (known && known.until > Date.now()) return known.found;
      const entry = { found: find(), until: Date.now() + DISCOVERY_MS };
      known = entry;
      entry.found.catch(() => {
        if (known === entry) known = undefined;
      });
      return entry.found;
    },
    forget() {
      known = undefined;
    },
  };
}

/** Discovers a provider and prepares its keys. @throws {AppError} `unavailable` */
export async function discover(given: string, egress: Egress): Promise<Provider> {
  const { issuer, keysUrl } = await discoverIssuer(given, egress);
  const keys = createRemoteJWKSet(keysUrl, {
    cooldownDuration: KEYS_MS,
    [customFetch]: (url, { headers, signal }) => fetchOk(egress, url, { headers, signal }),
  });
  return { issuer, keys };
}

/**
 * Returns the issuer in its own spelling, with or without the trailing slash, and the URL of its keys.
 * @throws {AppError} `unavailable`
 */
export async function discoverIssuer(
  given: string,
  egress: Egress,
): Promise<{ issuer: string; keysUrl: URL }> {
  try {
    const metadata: unknown = await fetchJson(
      egress,
      `${withoutSlash(given)}/.well-known/openid-configuration`,
    );
    const issuer = isObject(metadata) ? text(metadata, "issuer") : undefined;
    const keysUrl = isObject(metadata) ? text(metadata, "jwks_uri") : undefined;
    if (issuer === undefined || keysUrl === undefined || withoutSlash(issuer) !== withoutSlash(given)) {
      throw new Error("the discovery document belongs to another issuer");
    }
    return { issuer, keysUrl: new URL(keysUrl) };
  } catch (error) {
    throw unavailable("can't reach the identity provider", error);
  }
}

async function fetchJson(egress: Egress, url: string): Promise<unknown> {
  const response = await fetchOk(egress, url, {});
  return response.json();
}

async function fetchOk(egress: Egress, url: string, init: RequestInit): Promise<Response> {
  const response = await egress.fetch(url, { ...init, timeoutMs: TIMEOUT_MS });
  if (!response.ok) throw new Error(`${new URL(url).host} answered ${response.status}`);
  return response;
}

/** Checks the parts of a token that need no keys of the provider. */
function mayBeFrom(issuer: string, token: string): boolean {
  try {
    const { alg = "" } = decodeProtectedHeader(token);
    const { iss = "" } = decodeJwt(token);
    return ALGORITHMS.includes(alg) && withoutSlash(iss) === withoutSlash(issuer);
  } catch {
    return false;
  }
}

/** Returns whether an error is the token's fault, and not a failure to fetch keys. */
export function isTokensFault(error: unknown): boolean {
  return (
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  );
}

/** Returns the person named by verified claims; undefined if they name no one. */
export function identityOf(payload: JWTPayload): Identity | undefined {
  const { iss, exp, email, email_verified: verified, name } = payload;
  const subject = storable(payload.sub);
  if (!iss || subject === undefined || exp === undefined) return undefined;
  return {
    issuer: iss,
    subject,
    email: storable(email),
    emailVerified: verified === true || verified === "true", // some providers send a string
    name: storable(name),
    expiresAt: (exp + LEEWAY_SECONDS) * 1000,
  };
}

/** Returns a claim's text if PostgreSQL can store it. The provider decides the type of a claim. */
function storable(claim: unknown): string | undefined {
  if (typeof claim !== "string" || claim === "" || claim.length > LONGEST_CLAIM) return undefined;
  return claim.includes("\0") || !claim.isWellFormed() ? undefined : claim;
}

/** Removes the trailing slash, because issuers are written with and without it. */
export function withoutSlash(url: string): string {
  return url.replace(/\/$/, "");
}
