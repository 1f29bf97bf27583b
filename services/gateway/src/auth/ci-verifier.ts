import type { Egress } from "@leeway/shared/security/egress/egress";
import { AppError, unavailable } from "@leeway/shared/values/errors";
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from "jose";

import { jobOf, type CiJob } from "./ci-claims.ts";
import { ALGORITHMS, discover, isTokensFault, remembering, withoutSlash } from "./oidc.ts";

const LEEWAY_SECONDS = 30;
/** Characters of a claim that an error shows. */
const SHOWN = 200;

/** Verifies the id tokens of CI jobs. */
export interface CiVerifier {
  /** URLs of the accepted issuers. */
  issuers: readonly string[];
  /**
   * Returns the job that a token was issued to.
   * @throws {AppError} `unauthenticated` with the problem of the token; `unavailable` if the host's keys can't be
   * fetched
   */
  verify(token: string): Promise<CiJob>;
}

interface CiVerifierOptions {
  issuers: readonly string[];
  /** Only audience that tokens may have. */
  audience: string;
  egress: Egress;
}

export function createCiVerifier({ issuers, audience, egress }: CiVerifierOptions): CiVerifier {
  const providers = new Map(
    issuers.map((issuer) => [withoutSlash(issuer), remembering(() => discover(issuer, egress))]),
  );
  return {
    issuers: [...providers.keys()],
    async verify(token) {
      const issuer = issuerOf(token);
      const provider = providers.get(issuer);
      if (!provider)
        throw refused(
          `the issuer ${shown(issuer)} isn't allowed on this server; the operator can add it to CI_ISSUERS`,
        );
      const { keys, issuer: exact } = await provider.get();
      try {
        const { payload } = await jwtVerify(token, keys, {
          algorithms: ALGORITHMS,
          issuer: exact,
          audience,
          clockTolerance: LEEWAY_SECONDS,
          requiredClaims: ["exp", "sub", "jti"],
        });
        if (Array.isArray(payload.aud) && payload.aud.length > 1)
          throw refused(`the token has several audiences; ${audience} must be its only audience`);
        const job = jobOf(issuer, payload);
        if (job) return job;
        throw refused("the token names no repository; use an id token of a GitLab or GitHub CI job");
      } catch (error) {
        if (error instanceof AppError) throw error;
        if (isTokensFault(error)) throw refused(faultOf(error, audience), error);
        if (!keys.fresh) provider.forget();
        throw unavailable("couldn't read the CI host's signing keys", error);
      }
    },
  };
}

/** Returns the issuer that a token names, unverified. @throws {AppError} `unauthenticated` for an invalid token */
function issuerOf(token: string): string {
  try {
    const { alg = "" } = decodeProtectedHeader(token);
    const { iss = "" } = decodeJwt(token);
    if (ALGORITHMS.includes(alg)) return withoutSlash(iss);
  } catch (error) {
    throw refused("the token isn't a JSON Web Token", error);
  }
  throw refused("the token must be signed with its host's private key, for example with RS256");
}

function faultOf(error: unknown, audience: string): string {
  if (error instanceof errors.JWTExpired) return "the token has expired; request a new one in the job";
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === "aud")
    return `the token has a different audience; request it with the audience ${audience}`;
  if (error instanceof errors.JWTClaimValidationFailed) return `the token's claim ${error.claim} is invalid`;
  return "the token's signature is invalid";
}

function shown(claim: string): string {
  return claim.length > SHOWN ? `${claim.slice(0, SHOWN)}…` : claim;
}

function refused(message: string, cause?: unknown): AppError {
  return new AppError("unauthenticated", message, { cause });
}
