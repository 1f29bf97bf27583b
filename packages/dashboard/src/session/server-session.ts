import { failureOf, unreachable, type ApiFailure } from "../api/failure.ts";
import { visible } from "../api/visible.ts";
import { say } from "../ui/toast.tsx";
import { currentSession, setSession } from "./session.ts";
import { hearTabs, tellTabs } from "./tabs.ts";

/** How people sign in here: with an identity provider, or by pasting an API key. */
export type SignInWay = "provider" | "api_key";

/** Nothing shows before it is answered. */
const LONGEST_MS = 10_000;

let way: SignInWay | ApiFailure = "api_key";

/** How people sign in here, or why that couldn't be learned. */
export function signInWay(): SignInWay | ApiFailure {
  return way;
}

/** Takes up the session that the browser holds a cookie for, and learns how people sign in here. */
export async function takeUpSession(): Promise<void> {
  const told = await askForSession().catch((failure: ApiFailure) => failure);
  if (told instanceof Error) {
    way = told;
    return;
  }
  way = told.sign_in;
  if (told.person && !currentSession()) {
    takeUp(told.person);
    tellTabs("signed in");
  }
}

/** Goes on as the person who has signed in again, with all that was typed; as anybody else from the start. */
export async function goOn(): Promise<void> {
  const told = await askForSession().catch(() => undefined);
  const session = currentSession();
  if (!told?.person || session?.by === "key") return;
  if (session?.id === told.person.id) takeUp(told.person);
  else location.reload();
}

/** Does in this tab what was done in another one of the browser, which has one session of a person. */
export function followTabs(): void {
  hearTabs((news) => {
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

/** @throws {ApiFailure} */
async function askForSession(): Promise<ServerSession> {
  const answer = await fetch("/auth/session", { signal: AbortSignal.timeout(LONGEST_MS) }).catch(lost);
  if (!answer.ok) throw await failureOf(answer);
  const told: unknown = await answer.json().catch(lost);
  return visible(told) as ServerSession; // oxlint-disable-line typescript/no-unsafe-type-assertion -- what our own gateway answers
}

function lost(): never {
  throw unreachable();
}

/** Ends the session: of a person everywhere, of a key in this tab. @returns whether it is over; says so if not */
export async function signOut(): Promise<boolean> {
  const session = currentSession();
  if (session?.by === "person" && !(await isEnded(session.csrfToken))) {
    say("You are still signed in: it couldn’t be done. Try again.");
    return false;
  }
  setSession(undefined);
  if (session?.by === "person") tellTabs("signed out");
  return true;
}

async function isEnded(csrfToken: string): Promise<boolean> {
  const headers = { "x-csrf-token": csrfToken };
  const answer = await fetch("/auth/sign-out", { method: "POST", headers }).catch(() => undefined);
  return answer !== undefined && (answer.ok || answer.status === 401);
}

/** Where signing in begins, to come back to where one is, or was going when it came to nothing before. */
export function signInAddress({ pathname, search }: Pick<Location, "pathname" | "search">): string {
  const cameToNothing = search.startsWith("?sign_in=");
  const to = cameToNothing ? (new URLSearchParams(search).get("to") ?? pathname) : pathname + search;
  return `/auth/sign-in?${new URLSearchParams({ to }).toString()}`;
}
