import { failureOf, unreachable, type ApiFailure } from "../api/failure.ts";
import { visible } from "../api/visible.ts";
import { say } from "../ui/toast.tsx";
import { currentSession, setSession } from "../api/session.ts";
import { onTabNews, notifyTabs } from "./tabs.ts";

/** Sign-in method: with an identity provider, or by pasting an API key. */
export type SignInWay = "provider" | "api_key";

/** How to get another link, where people sign in without an identity provider. */
export const NEW_LINK =
  "Press Enter in the terminal where Leeway runs, or start it once more, for a new link.";

/** Timeout; the page stays empty until the answer. */
const LONGEST_MS = 10_000;

let way: SignInWay | ApiFailure = "api_key";
let linkFailure: ApiFailure | undefined;

/** Returns the sign-in method, or why it couldn't be read. */
export function signInWay(): SignInWay | ApiFailure {
  return way;
}

/** Returns why the link of `bun run up` didn't sign in; undefined if it did, or none was opened. */
export function failureOfLink(): ApiFailure | undefined {
  return linkFailure;
}

/** Signs in with the token of a link. An earlier session continues if the token was used. */
export async function followLink(token: string): Promise<void> {
  const answer = await fetch("/auth/link", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
    signal: AbortSignal.timeout(LONGEST_MS),
  }).catch(() => undefined);
  if (answer?.ok) setSession(undefined);
  else linkFailure = answer ? await failureOf(answer) : unreachable();
}

/** Resumes the session of the browser's cookie, and reads the sign-in method. */
export async function takeUpSession(): Promise<void> {
  const reply = await askForSession().catch((failure: ApiFailure) => failure);
  if (reply instanceof Error) {
    way = reply;
    return;
  }
  way = reply.sign_in;
  if (reply.person && !currentSession()) {
    takeUp(reply.person);
    notifyTabs("signed in");
  }
}

/** Continues with everything that was typed if the same person signed in again; reloads for another person. */
export async function goOn(): Promise<void> {
  const reply = await askForSession().catch(() => undefined);
  const session = currentSession();
  if (!reply?.person || session?.by === "key") return;
  if (session?.id === reply.person.id) takeUp(reply.person);
  else location.reload();
}

/** Follows sign-ins and sign-outs in other tabs, because a person has one session for the whole browser. */
export function followTabs(): void {
  onTabNews((news) => {
    if (news === "signed in") void goOn();
    else if (currentSession()?.by === "person") location.reload();
  });
}

interface ServerSession {
  sign_in: SignInWay;
  person?: { id: string; name: string; csrf_token: string };
}

function takeUp({ id, name, csrf_token: csrfToken }: NonNullable<ServerSession["person"]>): void {
  setSession({ by: "person", id, csrfToken, name: name || "Signed in" });
}

/**
 * Reads the session from the gateway.
 * @throws {ApiFailure}
 */
async function askForSession(): Promise<ServerSession> {
  const answer = await fetch("/auth/session", { signal: AbortSignal.timeout(LONGEST_MS) }).catch(lost);
  if (!answer.ok) throw await failureOf(answer);
  const body: unknown = await answer.json().catch(lost);
  return visible(body) as ServerSession; // oxlint-disable-line typescript/no-unsafe-type-assertion -- our own gateway returns this type
}

function lost(): never {
  throw unreachable();
}

/**
 * Ends the session: a person's everywhere, a key's in this tab. Reports a failure.
 * @returns whether it ended
 */
export async function signOut(): Promise<boolean> {
  const session = currentSession();
  if (session?.by === "person" && !(await isEnded(session.csrfToken))) {
    say("You are still signed in: the sign-out failed. Try again.");
    return false;
  }
  setSession(undefined);
  if (session?.by === "person") notifyTabs("signed out");
  return true;
}

async function isEnded(csrfToken: string): Promise<boolean> {
  const headers = { "x-csrf-token": csrfToken };
  const answer = await fetch("/auth/sign-out", { method: "POST", headers }).catch(() => undefined);
  return answer !== undefined && (answer.ok || answer.status === 401);
}

/** Returns the sign-in URL with a return path: this page, or the one before a failed sign-in. */
export function signInAddress({ pathname, search }: Pick<Location, "pathname" | "search">): string {
  const cameToNothing = search.startsWith("?sign_in=");
  const to = cameToNothing ? (new URLSearchParams(search).get("to") ?? pathname) : pathname + search;
  return `/auth/sign-in?${new URLSearchParams({ to }).toString()}`;
}
