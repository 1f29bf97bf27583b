import { visible } from "../api/visible.ts";
import { say } from "../ui/toast.tsx";
import { currentSession, setSession } from "./session.ts";

/** How people sign in here: with an identity provider, or by pasting an API key. */
export type SignInWay = "provider" | "api_key";

let way: SignInWay = "api_key";

export function signInWay(): SignInWay {
  return way;
}

/** Takes up the session that the browser holds a cookie for, and learns how people sign in here. */
export async function takeUpSession(): Promise<void> {
  const answer = await fetch("/auth/session").catch(() => undefined);
  if (!answer?.ok) return; // pages say so when they can't be read
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what our own gateway answers
  const { sign_in: told, person } = visible(await answer.json()) as ServerSession;
  way = told;
  if (person && !currentSession()) {
    setSession({ by: "person", csrfToken: person.csrf_token, name: person.name || "Signed in" });
  }
}

interface ServerSession {
  sign_in: SignInWay;
  person?: { name: string; csrf_token: string };
}

/** Ends the session: of a person everywhere, of a key in this tab. @returns whether it is over; says so if not */
export async function signOut(): Promise<boolean> {
  const session = currentSession();
  if (session?.by === "person" && !(await isEnded(session.csrfToken))) {
    say("You are still signed in: it couldn’t be done. Try again.");
    return false;
  }
  setSession(undefined);
  return true;
}

async function isEnded(csrfToken: string): Promise<boolean> {
  const headers = { "x-csrf-token": csrfToken };
  const answer = await fetch("/auth/sign-out", { method: "POST", headers }).catch(() => undefined);
  return answer !== undefined && (answer.ok || answer.status === 401);
}

/** Where signing in begins, to come back to where one is. */
export function signInAddress({ pathname, search }: Pick<Location, "pathname" | "search">): string {
  const to = search.startsWith("?sign_in=") ? pathname : pathname + search;
  return `/auth/sign-in?${new URLSearchParams({ to }).toString()}`;
}
