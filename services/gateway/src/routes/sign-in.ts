import { AppError } from "@leeway/shared/errors";
import { sha256 } from "@leeway/shared/digest";
import type { Logger } from "@leeway/shared/telemetry/log";
import { Type as t } from "@sinclair/typebox";

import { csrfTokenOf, makeSessionToken } from "../auth/session-cookie.ts";
import { NO_CONTENT, json, type Answer } from "../http/answer.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { searchOf } from "../http/parameters.ts";
import { limitSignIns, noSuchPath } from "../http/access.ts";
import { signIn as findPerson } from "../store/people.ts";
import { deleteSession, insertSession } from "../store/sessions.ts";

const SESSION_SECONDS = 12 * 60 * 60;
/** Longer than a sign-in may take: whoever took too long still goes on to where they were going. */
const HELD_SECONDS = 60 * 60;
const TAG = "Service";
/** What the dashboard puts into words where a sign-in came to nothing. */
const FAILED = { rate_limited: "limited", unauthenticated: "refused", unavailable: "unavailable" };

const show = endpoint({
  method: "GET",
  path: "/auth/session",
  operationId: "getSession",
  tag: TAG,
  summary: "Who is signed in to the dashboard",
  description: "",
  who: "public",
  hidden: true,
  success: { status: 200, description: "How to sign in, and who is" },
  async handle({ request }, { cookies, authenticator, signIn }) {
    const token = cookies.sessionOf(request);
    const session = token === undefined ? undefined : await authenticator.findSession(token);
    const person = token !== undefined &&
      session && { id: session.caller.id, name: session.name ?? "", csrf_token: csrfTokenOf(token) };
    return json({ sign_in: signIn ? "provider" : "api_key", ...(person && { person }) });
  },
});

const begin = endpoint({
  method: "GET",
  path: "/auth/sign-in",
  operationId: "beginSignIn",
  tag: TAG,
  summary: "To the identity provider",
  description: "",
  who: "public",
  hidden: true,
  query: t.Object({ to: t.Optional(t.String({ maxLength: 2_000 })) }),
  success: { status: 302, description: "To the identity provider" },
  async handle({ query }, { cookies, signIn, log }) {
    if (!signIn) throw noSuchPath();
    const { to = "/" } = query;
    return orFailed({ log, to }, async () => {
      const { location, held } = await signIn.begin(to);
      return redirect(location, [cookies.signIn(held, HELD_SECONDS)]);
    });
  },
});

const finish = endpoint({
  method: "GET",
  path: "/auth/callback",
  operationId: "finishSignIn",
  tag: TAG,
  summary: "Back from the identity provider",
  description: "",
  who: "public",
  hidden: true,
  success: { status: 302, description: "To the page that the person was going to" },
  async handle(call, gateway) {
    const { cookies, signIn, database, log } = gateway;
    if (!signIn) throw noSuchPath();
    const held = cookies.signInOf(call.request);
    return orFailed({ log, to: signIn.destinationOf(held) }, async () => {
      // Without it nobody is asked: another site can't use up the limit of who follows its links.
      const ask = () => signIn.finish(searchOf(call.request.url), held);
      const { identity, to } = await (held === undefined ? ask() : limitSignIns(call, gateway, ask));
      const { id } = await findPerson(database, identity);
      const token = makeSessionToken();
      const session = { tokenHash: sha256(token), personId: id, seconds: SESSION_SECONDS };
      await insertSession(database.system, session);
      return redirect(to, [cookies.session(token), cookies.noSignIn]);
    });
  },
});

const end = endpoint({
  method: "POST",
  path: "/auth/sign-out",
  operationId: "signOut",
  tag: TAG,
  summary: "Signs out of the dashboard",
  description: "",
  who: "caller",
  only: "person",
  hidden: true,
  success: { status: 204, description: "The session is over" },
  async handle({ request }, { cookies, database, authenticator }) {
    const token = cookies.sessionOf(request);
    if (token !== undefined) await deleteSession(database.system, sha256(token));
    authenticator.forget();
    return { ...NO_CONTENT, cookies: [cookies.noSession] };
  },
});

export const signInRoutes: readonly Endpoint[] = [show, begin, finish, end];

/**
 * People look at these answers: what went wrong is for a page to say, from which they can still go `to` where they were
 * going, and why the provider is the cause for the log.
 */
async function orFailed(
  { log, to }: { log: Logger; to: string },
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    const { code, cause } = error instanceof AppError ? error : {};
    if (code !== "rate_limited" && code !== "unauthenticated" && code !== "unavailable") throw error;
    if (cause !== undefined) log.warn({ error }, "a sign-in came to nothing");
    const said = new URLSearchParams({ sign_in: FAILED[code], ...(to !== "/" && { to }) });
    return redirect(`/?${said.toString()}`, []);
  }
}

function redirect(location: string, cookies: readonly string[]): Answer {
  return { status: 302, headers: { location, "referrer-policy": "no-referrer" }, body: null, cookies };
}
