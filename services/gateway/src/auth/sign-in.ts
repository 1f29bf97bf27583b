import type { Egress } from "@leeway/shared/security/egress/egress";
import { openKept, seal } from "@leeway/shared/security/encryption/envelope";
import { AppError, unavailable } from "@leeway/shared/values/errors";
import { isObject, text } from "@leeway/shared/values/json";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
  type Configuration,
  type CustomFetch,
} from "openid-client";

import {
  createTokenVerifier,
  discoverIssuer,
  identityOf,
  remembering,
  type Identity,
  type TokenVerifier,
} from "./oidc.ts";

const SIGN_IN_SECONDS = 600;
const SCOPE = "openid email profile";
/** Errors of a provider that is temporarily unavailable (RFC 6749, 4.1.2.1). */
const AWAY: ReadonlySet<string> = new Set(["server_error", "temporarily_unavailable"]);
const PLACE = { orgId: "", table: "cookie.sign_in", rowId: "" };

/** State that the browser keeps, sealed, while the person is at the identity provider. */
interface Begun {
  state: string;
  nonce: string;
  verifier: string;
  to: string;
  until: number;
}

/** Signs people in to the dashboard through their identity provider, with OpenID Connect's code flow and PKCE. */
export interface SignIn {
  /**
   * Returns the URL to redirect to, and the state that the browser keeps. `to` is the page to return to.
   * @throws {AppError} `unavailable` if the provider can't be reached
   */
  begin(to: string): Promise<{ location: string; held: string }>;
  /** Returns the page that a sign-in returns to, even after a failure; the first page if no sign-in began here. */
  destinationOf(held: string | undefined): string;
  /**
   * Returns the person who signed in, and the page to return to.
   * @throws {AppError} `unauthenticated` if no such sign-in began here or the provider refused it; `unavailable` if
   * the provider can't be reached
   */
  finish(search: string, held: string | undefined): Promise<{ identity: Identity; to: string }>;
}

export interface SignInOptions {
  issuer: string;
  clientId: string;
  /** Client secret; undefined for a public client, which only PKCE protects. */
  clientSecret: string | undefined;
  publicBaseUrl: string;
  egress: Egress;
  ring: KeyRing;
}

export function createSignIn(options: SignInOptions): SignIn {
  const { publicBaseUrl, ring } = options;
  const redirectUri = `${publicBaseUrl}/auth/callback`;
  const provider = remembering(() => discover(options));
  const { issuer, clientId, egress } = options;
  const tokens = createTokenVerifier({ issuer, audience: clientId, egress });
  return {
    async begin(to) {
      const config = await provider.get();
      const begun: Begun = {
        state: randomState(),
        nonce: randomNonce(),
        verifier: randomPKCECodeVerifier(),
        to: ownPath(to, publicBaseUrl),
        until: Date.now() + SIGN_IN_SECONDS * 1000,
      };
      const location = buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state: begun.state,
        nonce: begun.nonce,
        code_challenge: await calculatePKCECodeChallenge(begun.verifier),
        code_challenge_method: "S256",
      });
      return {
        location: location.href,
        held: seal(ring, PLACE, JSON.stringify(begun)).toString("base64url"),
      };
    },
    destinationOf: (held) => opened(ring, held)?.to ?? "/",
    async finish(search, held) {
      const begun = opened(ring, held);
      if (!begun || begun.until < Date.now())
        throw refused("the sign-in has expired or was started in another browser; sign in again");
      const config = await provider.get();
      try {
        const identity = await exchange(config, { url: new URL(`${redirectUri}?${search}`), begun, tokens });
        if (!identity) throw refused("the identity provider's token doesn't identify the user");
        return { identity, to: begun.to };
      } catch (error) {
        const failure = failureOf(error);
        if (failure.code === "unavailable") provider.forget();
        throw failure;
      }
    },
  };
}

/** Returns a path on this server, or the first page for anything else: a link must not lead to another site. */
export function ownPath(to: string, publicBaseUrl: string): string {
  const base = new URL(publicBaseUrl);
  const url = URL.parse(to, base.href);
  if (!url || url.origin !== base.origin || !to.startsWith("/")) return "/";
  // The rest of `/.//host` would be read as a URL of another host.
  return url.pathname.startsWith("//") ? "/" : url.pathname + url.search;
}

async function exchange(
  config: Configuration,
  { url, begun, tokens }: { url: URL; begun: Begun; tokens: TokenVerifier },
): Promise<Identity | undefined> {
  const granted = await authorizationCodeGrant(config, url, {
    pkceCodeVerifier: begun.verifier,
    expectedState: begun.state,
    expectedNonce: begun.nonce,
    idTokenExpected: true,
  });
  const claims = granted.claims();
  if (!claims) return undefined;
  if (!(await tokens.verify(granted.id_token ?? "")))
    throw new Error("the ID token isn't signed with a published key of its issuer");
  // Some providers return the email address only from their userinfo endpoint.
  const asks = claims["email"] === undefined && config.serverMetadata().userinfo_endpoint !== undefined;
  if (!asks) return identityOf(claims);
  const userInfo = await fetchUserInfo(config, granted.access_token, claims.sub);
  const { email, email_verified, name } = userInfo; // `email_verified` must come from the same source as the address
  return identityOf({ name, ...claims, email, email_verified });
}

/** Returns the error for a failed sign-in, without the provider's own text. */
function failureOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isAway(error)) return unavailable("can't reach the identity provider", error);
  if (error instanceof AuthorizationResponseError)
    return refused("the identity provider rejected the sign-in");
  if (error instanceof ResponseBodyError)
    return refused(`the identity provider answered ${error.error}`, error);
  return refused("the identity provider's answer is invalid", error);
}

/** Returns whether the provider didn't answer or reports a failure of its own. */
function isAway(error: unknown): boolean {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    return AWAY.has(error.error);
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof AppError) return cause.code === "unavailable";
  return cause instanceof Response; // a response outside the protocol
}

async function discover(options: SignInOptions): Promise<Configuration> {
  const { issuer, clientId, clientSecret, egress } = options;
  const through: CustomFetch = (url, { body, headers, method, signal }) =>
    egress.fetch(url, { headers, method, ...(body && { body: bodyOf(body) }), ...(signal && { signal }) });
  const { issuer: exact } = await discoverIssuer(issuer, egress); // the library needs the issuer's own spelling
  try {
    return await discovery(new URL(exact), clientId, clientSecret, undefined, {
      [customFetch]: through,
      // Plain http only reaches hosts in EGRESS_ALLOW.
      ...(issuer.startsWith("http:") && { execute: [allowInsecureRequests] }),
    });
  } catch (error) {
    throw unavailable("can't reach the identity provider", error);
  }
}

function bodyOf(body: unknown): string {
  return body instanceof URLSearchParams ? body.toString() : String(body);
}

function opened(ring: KeyRing, held: string | undefined): Begun | undefined {
  if (held === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(openKept(ring, PLACE, Buffer.from(held, "base64url")));
    const [state, nonce, verifier, to] = ["state", "nonce", "verifier", "to"].map((name) =>
      isObject(value) ? text(value, name) : undefined,
    );
    const until = isObject(value) ? value["until"] : undefined;
    if (!state || !nonce || !verifier || !to || typeof until !== "number") return undefined;
    return { state, nonce, verifier, to, until };
  } catch {
    return undefined; // forged, or sealed under a key that was removed
  }
}

function refused(message: string, cause?: unknown): AppError {
  return new AppError("unauthenticated", message, { cause });
}
