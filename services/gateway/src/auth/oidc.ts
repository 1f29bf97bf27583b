import type { Egress } from "@leeway/shared/egress/egress";
import { unavailable } from "@leeway/shared/errors";
import { isObject, text } from "@leeway/shared/json";
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

const ALGORITHMS = [
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
/** A key that isn't known is looked for again after this, since a provider may go over to a new one at once. */
const KEYS_MS = 5_000;
const TIMEOUT_MS = 3_000;

/** What a token says of the person that it was given to. */
export interface Identity {
  issuer: string;
  subject: string;
  email: string | undefined;
  emailVerified: boolean;
  name: string | undefined;
  /** When the token ends, in milliseconds since 1970. */
  expiresAt: number;
}

/** Checks the tokens of one OpenID Connect provider. */
export interface TokenVerifier {
  /**
   * Whom `token` was given to; undefined when it isn't right.
   * @throws {AppError} `unavailable` when the provider's keys can't be had
   */
  verify(token: string): Promise<Identity | undefined>;
}

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
      if (!mayBeFrom(issuer, token)) return undefined; // no reason to ask the provider
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
        throw unavailable("the identity provider's keys can't be read", error);
      }
    },
  };
}

/** What was found last, until it may have changed; a failure isn't remembered. */
export interface Remembered<T> {
  get(): Promise<T>;
  /** Has it found anew the next time, as it may have been wrong. */
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

async function discover(given: string, egress: Egress): Promise<Provider> {
  const { issuer, keysUrl } = await discoverIssuer(given, egress);
  const keys = createRemoteJWKSet(keysUrl, {
    cooldownDuration: KEYS_MS,
    [customFetch]: (url, { headers, signal }) => fetchOk(egress, url, { headers, signal }),
  });
  return { issuer, keys };
}

/**
 * An issuer as it writes itself, with or without the slash at its end, and where its keys are.
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
      throw new Error("its discovery document isn't that of the issuer");
    }
    return { issuer, keysUrl: new URL(keysUrl) };
  } catch (error) {
    throw unavailable("the identity provider can't be reached", error);
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

/** What can be told without the provider's keys. */
function mayBeFrom(issuer: string, token: string): boolean {
  try {
    const { alg = "" } = decodeProtectedHeader(token);
    const { iss = "" } = decodeJwt(token);
    return ALGORITHMS.includes(alg) && withoutSlash(iss) === withoutSlash(issuer);
  } catch {
    return false;
  }
}

function isTokensFault(error: unknown): boolean {
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

/** Whom claims name that were checked; undefined when they name nobody. */
export function identityOf(payload: JWTPayload): Identity | undefined {
  const { iss, exp, email, email_verified: verified, name } = payload;
  const subject = storable(payload.sub);
  if (!iss || subject === undefined || exp === undefined) return undefined;
  return {
    issuer: iss,
    subject,
    email: storable(email),
    emailVerified: verified === true || verified === "true", // some providers write it as a text
    name: storable(name),
    expiresAt: (exp + LEEWAY_SECONDS) * 1000,
  };
}

/** A claim's text that PostgreSQL can store. Claims have whatever type the provider gave them. */
function storable(claim: unknown): string | undefined {
  if (typeof claim !== "string" || claim === "" || claim.length > LONGEST_CLAIM) return undefined;
  return claim.includes("\0") || !claim.isWellFormed() ? undefined : claim;
}

/** Issuers are written with and without the slash at their end. */
function withoutSlash(url: string): string {
  return url.replace(/\/$/, "");
}
