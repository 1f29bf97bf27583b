import { AppError } from "@leeway/shared/values/errors";
import { sha256 } from "@leeway/shared/values/digest";
import type { Logger } from "@leeway/shared/platform/telemetry/log";
import { Type as t } from "@sinclair/typebox";

import { csrfTokenOf, makeSessionToken } from "../auth/session-cookie.ts";
import { NO_CONTENT, json, type Answer } from "../http/answer.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { searchOf } from "../http/parameters.ts";
import { limitSignIns, noSuchPath } from "../http/access.ts";
import { signIn as findPerson } from "../auth/store/people.ts";
import { deleteSession, exchangeLink, insertSession } from "../auth/store/sessions.ts";

const SESSION_SECONDS = 12 * 60 * 60;
/** Lifetime of the cookie, longer than a sign-in may take: after a timeout people still get to their page. */
const HELD_SECONDS = 60 * 60;
const TAG = "Service";
/** Values of `sign_in`, which the dashboard shows as explanations of a failed sign-in. */
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
  success: { status: 200, description: "Sign-in method and signed-in person" },
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
  summary: "Start signing in",
  description: "",
  who: "public",
  hidden: true,
  query: t.Object({ to: t.Optional(t.String({ maxLength: 2_000 })) }),
  success: { status: 302, description: "Redirect to the identity provider" },
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
  summary: "Finish signing in",
  description: "",
  who: "public",
  hidden: true,
  success: { status: 302, description: "Redirect to the requested page" },
  async handle(call, gateway) {
    const { cookies, signIn, database, log } = gateway;
    if (!signIn) throw noSuchPath();
    const held = cookies.signInOf(call.request);
    return orFailed({ log, to: signIn.destinationOf(held) }, async () => {
      // Without the cookie the provider isn't called, and no limit applies. So links on other sites can't use up a
      // visitor's limit.
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

const followLink = endpoint({
  method: "POST",
  path: "/auth/link",
  operationId: "followSignInLink",
  tag: TAG,
  summary: "Sign in with a link that `up` printed",
  description: "",
  who: "public",
  hidden: true,
  body: t.Object({ token: t.String({ minLength: 1, maxLength: 100, writeOnly: true }) }),
  bodyExample: { token: "9Jm0q2oYxk1tVb7cQd4eWf8hRs3iUa6nLp5zGt0yHvE" },
  success: { status: 204, description: "Signed in" },
  errors: ["rate_limited", "unauthenticated"],
  async handle(call, gateway) {
    const token = makeSessionToken();
    await limitSignIns(call, gateway, async () => {
      const hashes = { linkHash: sha256(call.body.token), tokenHash: sha256(token) };
      if (await exchangeLink(gateway.database.system, { ...hashes, seconds: SESSION_SECONDS })) return;
      throw new AppError("unauthenticated", "this sign-in link was used already or has expired");
    });
    return { ...NO_CONTENT, cookies: [gateway.cookies.session(token)] };
  },
});

const end = endpoint({
  method: "POST",
  path: "/auth/sign-out",
  operationId: "signOut",
  tag: TAG,
  summary: "Sign out of the dashboard",
  description: "",
  who: "caller",
  only: "person",
  hidden: true,
  success: { status: 204, description: "Signed out" },
  async handle({ request }, { cookies, database, authenticator }) {
    const token = cookies.sessionOf(request);
    if (token !== undefined) await deleteSession(database.system, sha256(token));
    authenticator.forget();
    return { ...NO_CONTENT, cookies: [cookies.noSession] };
  },
});

export const signInRoutes: readonly Endpoint[] = [show, begin, finish, followLink, end];

/**
 * Redirects to a page that explains a failed sign-in and leads on to `to`, because people see these responses. Logs
 * the provider's error.
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
    if (cause !== undefined) log.warn({ error }, "a sign-in failed");
    const said = new URLSearchParams({ sign_in: FAILED[code], ...(to !== "/" && { to }) });
    return redirect(`/?${said.toString()}`, []);
  }
}

function redirect(location: string, cookies: readonly string[]): Answer {
  return { status: 302, headers: { location, "referrer-policy": "no-referrer" }, body: null, cookies };
}
