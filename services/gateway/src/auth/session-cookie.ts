import { createHmac, randomBytes } from "node:crypto";

import { constantTimeEqual } from "@leeway/shared/digest";

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;
const SAFE_METHODS = new Set(["GET", "HEAD"]);
const CSRF_HEADER = "x-csrf-token";

/** Cookies of one address: on https they are held to it, and to https, by their names and by what they say. */
export interface Cookies {
  /** The token of a session that a request brings; undefined when it brings none. */
  sessionOf(request: Request): string | undefined;
  /** What makes a browser hold a session; it ends with the browser's own, at the latest when its row does. */
  session(token: string): string;
  /** What makes a browser forget its session. */
  noSession: string;
  /** What a sign-in that was begun here has to remember. */
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
    // No other site can make a browser send it, not even by a link.
    session: (token) => `${session}=${token}${rest}; SameSite=Strict`,
    noSession: `${session}=${rest}; SameSite=Strict; Max-Age=0`,
    signInOf: (request) => cookieOf(request, signIn),
    // The identity provider leads back by a link of its own.
    signIn: (sealed, seconds) => `${signIn}=${sealed}${rest}; SameSite=Lax; Max-Age=${seconds}`,
    noSignIn: `${signIn}=${rest}; SameSite=Lax; Max-Age=0`,
  };
}

/** A new session's token: 256 bits that nobody can guess. */
export function makeSessionToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** What a page of ours sends along to show that it is one: only it can read it, and it says nothing of the session. */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac("sha256", sessionToken).update("leeway:csrf").digest("base64url");
}

/** Whether a request with a session may change something: it was made by a page of ours. */
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
