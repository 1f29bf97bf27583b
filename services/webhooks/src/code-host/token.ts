import type { Egress } from "@leeway/shared/security/egress/egress";
import { AppError } from "@leeway/shared/values/errors";
import { isObject, text } from "@leeway/shared/values/json";
import { Type as t, type Static, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/** Facts about a valid token. */
export interface TokenFacts {
  name: string;
  /** Username that the token's comments have. */
  username: string;
  scopes: string[];
  /** Day at whose start (UTC) the token expires, as `YYYY-MM-DD`. */
  expiresAt: string;
}

interface TokenCheck {
  /** Base URL from `checkBaseUrl`. */
  baseUrl: string;
  token: string;
  /** Project in which the token must be able to comment. */
  repoPath?: string | undefined;
}

const TOTAL_MS = 10_000;
const MAX_BYTES = 256 * 1024;
const DAY_MS = 86_400_000;
const DEVELOPER = 30; // may comment and set the status of a commit
const LONGEST_NAME = 255;
const SENDABLE = /^[!-~]{1,1000}$/;
const UNPRINTABLE = /\p{C}/gu;

const REFUSALS = {
  expired: "api_token is expired",
  no_expiry: "api_token has no expiry",
  missing_scope: "api_token is missing the api scope",
  revoked: "api_token is revoked",
  rejected: "api_token was rejected by the instance",
  unreachable: "instance unreachable",
  repository_not_visible: "api_token cannot reach repo_path",
} as const;
type Refusal = keyof typeof REFUSALS;

const Token = t.Object({
  name: t.String(),
  active: t.Boolean(),
  revoked: t.Boolean(),
  scopes: t.Array(t.String({ pattern: String.raw`^[\w:.-]{1,64}$` }), { maxItems: 100 }),
  expires_at: t.Union([t.String({ pattern: String.raw`^\d{4}-\d\d-\d\d$` }), t.Null()]),
});
const User = t.Object({ id: t.Integer(), username: t.String({ pattern: String.raw`^[\w.-]{1,255}$` }) });
const Membership = t.Object({ access_level: t.Integer() });
const Access = t.Union([Membership, t.Null()]);
const Permissions = t.Object({ project_access: Access, group_access: Access });
const Project = t.Object({
  id: t.Integer(),
  merge_requests_access_level: t.Optional(t.String()),
  permissions: t.Optional(Permissions),
});

/**
 * Validates a token with its code host, within 10 seconds.
 * @throws {AppError} `invalid_parameter` with one of a few fixed texts, which contain nothing from the host
 */
export async function validateToken(egress: Egress, check: TokenCheck, now: Date): Promise<TokenFacts> {
  if (!SENDABLE.test(check.token)) throw refusal("rejected");
  const ask = asker(egress, check);
  const facts = factsOf(await ask("/personal_access_tokens/self", Token), now);
  const { id, username } = await ask("/user", User);
  if (check.repoPath) await requireDeveloper(ask, check.repoPath, id);
  return { ...facts, username };
}

/** Reads the facts about a token. @throws {AppError} if the token isn't valid */
function factsOf(
  { name, active, revoked, scopes, expires_at: expiresAt }: Static<typeof Token>,
  now: Date,
): Omit<TokenFacts, "username"> {
  if (revoked) throw refusal("revoked");
  if (expiresAt !== null && isOver(expiresAt, now)) throw refusal("expired");
  if (!active) throw refusal("revoked");
  if (expiresAt === null) throw refusal("no_expiry");
  if (!scopes.includes("api")) throw refusal("missing_scope");
  return { name: name.slice(0, LONGEST_NAME).replaceAll(UNPRINTABLE, ""), scopes, expiresAt };
}

/** Returns whether a day has begun. @throws {AppError} if there is no such day */
function isOver(day: string, now: Date): boolean {
  const end = new Date(day);
  const exists = !Number.isNaN(end.getTime()) && end.toISOString().startsWith(day);
  if (!exists) throw refusal("unreachable");
  return now >= end;
}

/** Returns the expiry of a token that ends at the start of `day` (`YYYY-MM-DD`), as GitLab's do. */
export function endOfToken(day: string, now: Date): { expires_at: string; days_left: number } {
  const end = new Date(day);
  const days = Math.ceil((end.getTime() - now.getTime()) / DAY_MS);
  return { expires_at: end.toISOString(), days_left: Math.max(0, days) };
}

async function requireDeveloper(ask: Ask, repoPath: string, userId: number): Promise<void> {
  const path = `/projects/${encodeURIComponent(repoPath.toWellFormed())}`;
  const hidden = { 403: "repository_not_visible", 404: "repository_not_visible" } as const;
  const { permissions, merge_requests_access_level: requests } = await ask(path, Project, hidden);
  if (requests === "disabled") throw refusal("repository_not_visible");
  if (!permissions || levelOf(permissions) >= DEVELOPER) return;
  // Members of an invited group have a level in neither field.
  const member = await ask(`${path}/members/all/${userId}`, Membership, hidden);
  if (member.access_level < DEVELOPER) throw refusal("repository_not_visible");
}

function levelOf({ project_access: own, group_access: inherited }: Static<typeof Permissions>): number {
  return Math.max(own?.access_level ?? 0, inherited?.access_level ?? 0);
}

/** Requests a response that matches `schema`. `expected` maps some statuses to their own refusals. */
type Ask = <T extends TSchema>(
  path: string,
  schema: T,
  expected?: Readonly<Record<number, Refusal>>,
) => Promise<Static<T>>;

function asker(egress: Egress, { baseUrl, token }: TokenCheck): Ask {
  const signal = AbortSignal.timeout(TOTAL_MS);
  const init = { signal, maxBytes: MAX_BYTES, headers: { "private-token": token } };
  return async (path, schema, expected = {}) => {
    const { status, body } = await answerOf(egress.fetch(`${baseUrl}/api/v4${path}`, init));
    if (status !== 200) throw refusal(expected[status] ?? refusalOf(status, body));
    if (!Value.Check(schema, body)) throw refusal("unreachable");
    return body;
  };
}

async function answerOf(asked: Promise<Response>): Promise<{ status: number; body: unknown }> {
  const response = await asked.catch(() => {
    throw refusal("unreachable");
  });
  const body: unknown = await response.json().catch(() => undefined);
  return { status: response.status, body };
}

function refusalOf(status: number, body: unknown): Refusal {
  if (status === 401 && saysExpired(body)) return "expired";
  return status === 401 || status === 403 ? "rejected" : "unreachable";
}

/**
 * Returns whether the body says that the token expired. RFC 6750's text "expired, revoked, malformed, or invalid"
 * doesn't.
 */
function saysExpired(body: unknown): boolean {
  if (!isObject(body)) return false;
  const said = ["error", "error_description", "message"].map((key) => text(body, key)).join(" ");
  return /expired/i.test(said) && !/revoked/i.test(said);
}

function refusal(code: Refusal): AppError {
  const message = REFUSALS[code];
  return new AppError("invalid_parameter", message, { details: [{ field: "api_token", code, message }] });
}
