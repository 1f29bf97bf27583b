import { createHmac, randomBytes } from "node:crypto";

import { constantTimeEqual } from "@leeway/shared/values/digest";

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;
const SAFE_METHODS = new Set(["GET", "HEAD"]);
const CSRF_HEADER = "x-csrf-token";

/** Cookies of one origin. With https, their names and attributes bind them to the origin and to https. */
export interface Cookies {
  /** Returns the session token of a request; undefined if it has none. */
  sessionOf(request: Request): string | undefined;
  /** Returns the cookie of a session. It ends with the browser's session, or when the session's row expires. */
  session(token: string): string;
  /** Cookie that removes the session. */
  noSession: string;
  /** Returns the sealed state of a sign-in that began here. */
  signInOf(request: Request): string | undefined;
  signIn(sealed: string, seconds: number): string;
  noSignIn: string;
}

export function createCookies(publicBaseUrl: string): Cookies {
  const isSecure = publicBaseUrl.startsWith("https:");
  const prefix = isSecure ? "__Host-" : "";
  const rest = `; Path=/; HttpOnly${isSecure ? "; Secure" : ""}`;
  const session = `${prefix}leeway_session`;
  const signIn = `${prefix}leeway_sign_in`;
  return {
    sessionOf(request) {
      const token = cookieOf(request, session);
      return token !== undefined && TOKEN.test(token) ? token : undefined;
    },
    // Strict: other sites can't make a browser send it, not even by a link.
    session: (token) => `${session}=${token}${rest}; SameSite=Strict`,
    noSession: `${session}=${rest}; SameSite=Strict; Max-Age=0`,
    signInOf: (request) => cookieOf(request, signIn),
    // Lax: the identity provider returns through a link from its own site.
    signIn: (sealed, seconds) => `${signIn}=${sealed}${rest}; SameSite=Lax; Max-Age=${seconds}`,
    noSignIn: `${signIn}=${rest}; SameSite=Lax; Max-Age=0`,
  };
}

/** Creates a session token: 256 random bits. */
export function makeSessionToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/**
 * Returns the token that dashboard pages send to prove their origin. Only they can read it, and it doesn't reveal the
 * session.
 */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac("sha256", sessionToken).update("leeway:csrf").digest("base64url");
}

/** Returns whether a request with a session may change data: only requests from our own pages may. */
export function isOwnPages({ method, headers }: Request, sessionToken: string): boolean {
  return (
    SAFE_METHODS.has(method) || constantTimeEqual(headers.get(CSRF_HEADER) ?? "", csrfTokenOf(sessionToken))
  );
}

function cookieOf(request: Request, wanted: string): string | undefined {
  const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  const found = pairs.find((pair) => pair.startsWith(`${wanted}=`));
  return found?.slice(wanted.length + 1);
}
