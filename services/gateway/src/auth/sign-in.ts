import type { Egress } from "@leeway/shared/egress/egress";
import { openKept, seal } from "@leeway/shared/encryption/envelope";
import { AppError, unavailable } from "@leeway/shared/errors";
import { isObject, text } from "@leeway/shared/json";
import type { KeyRing } from "@leeway/shared/encryption/keyring";
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
/** With which a provider leads back although it could tell nothing of the person (RFC 6749, 4.1.2.1). */
const AWAY: ReadonlySet<string> = new Set(["server_error", "temporarily_unavailable"]);
const PLACE = { orgId: "", table: "cookie.sign_in", rowId: "" };

/** What a browser holds, sealed, while the person is with the identity provider. */
interface Begun {
  state: string;
  nonce: string;
  verifier: string;
  to: string;
  until: number;
}

/** Signs people in to the dashboard with their identity provider: the code flow of OpenID Connect, with PKCE. */
export interface SignIn {
  /**
   * Where to send a browser, and what it has to hold meanwhile. `to` is the page that it comes back to.
   * @throws {AppError} `unavailable` when the provider can't be reached
   */
  begin(to: string): Promise<{ location: string; held: string }>;
  /** The page that a sign-in comes back to, whatever becomes of it; the first page where none was begun here. */
  destinationOf(held: string | undefined): string;
  /**
   * Who came back, and where they were going.
   * @throws {AppError} `unauthenticated` when it isn't what was begun here, or the provider refused it; `unavailable`
   * when that can't be told now
   */
  finish(search: string, held: string | undefined): Promise<{ identity: Identity; to: string }>;
}

export interface SignInOptions {
  issuer: string;
  clientId: string;
  /** Absent: a public client, which PKCE alone protects. */
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
        throw refused("the sign-in was begun elsewhere, or too long ago");
      const config = await provider.get();
      try {
        const identity = await exchange(config, { url: new URL(`${redirectUri}?${search}`), begun, tokens });
        if (!identity) throw refused("the identity provider doesn't say who it is");
        return { identity, to: begun.to };
      } catch (error) {
        const failure = failureOf(error);
        if (failure.code === "unavailable") provider.forget();
        throw failure;
      }
    },
  };
}

/** A path of our own pages; anything else is the first page: no link to us leads elsewhere. */
export function ownPath(to: string, publicBaseUrl: string): string {
  const base = new URL(publicBaseUrl);
  const url = URL.parse(to, base.href);
  if (!url || url.origin !== base.origin || !to.startsWith("/")) return "/";
  // What is left of `/.//host` would be read as an address of its own.
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
    throw new Error("its ID token isn't signed with a key that it publishes");
  // Some providers tell the address only when they are asked for it.
  const asks = claims["email"] === undefined && config.serverMetadata().userinfo_endpoint !== undefined;
  if (!asks) return identityOf(claims);
  const told = await fetchUserInfo(config, granted.access_token, claims.sub);
  const { email, email_verified, name } = told; // whether it is verified is known to who names it
  return identityOf({ name, ...claims, email, email_verified });
}

/** What came of a sign-in that failed, in our words. */
function failureOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isAway(error)) return unavailable("the identity provider can't be reached", error);
  if (error instanceof AuthorizationResponseError)
    return refused("the identity provider refused the sign-in");
  if (error instanceof ResponseBodyError)
    return refused(`the identity provider answers ${error.error}`, error);
  return refused("the identity provider's answer isn't right", error);
}

/** Whether the provider didn't answer, or has a failure of its own, as the library tells it. */
function isAway(error: unknown): boolean {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    return AWAY.has(error.error);
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof AppError) return cause.code === "unavailable";
  return cause instanceof Response; // none that the protocol knows
}

async function discover(options: SignInOptions): Promise<Configuration> {
  const { issuer, clientId, clientSecret, egress } = options;
  const through: CustomFetch = (url, { body, headers, method, signal }) =>
    egress.fetch(url, { headers, method, ...(body && { body: bodyOf(body) }), ...(signal && { signal }) });
  const { issuer: exact } = await discoverIssuer(issuer, egress); // as the library wants it
  try {
    return await discovery(new URL(exact), clientId, clientSecret, undefined, {
      [customFetch]: through,
      // Plain http only reaches what EGRESS_ALLOW names.
      ...(issuer.startsWith("http:") && { execute: [allowInsecureRequests] }),
    });
  } catch (error) {
    throw unavailable("the identity provider can't be reached", error);
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
    return undefined; // made up, or sealed under a key that is gone
  }
}

function refused(message: string, cause?: unknown): AppError {
  return new AppError("unauthenticated", message, { cause });
}
