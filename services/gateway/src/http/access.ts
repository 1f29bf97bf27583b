import { isUuid } from "@leeway/shared/contract";
import { constantTimeEqual } from "@leeway/shared/digest";
import { AppError, invalidParameter } from "@leeway/shared/errors";
import { isObject, text } from "@leeway/shared/json";

import { ANONYMOUS, OPERATOR, type Caller } from "../auth/caller.ts";
import { reaches } from "../auth/roles.ts";
import { isOwnPages } from "../auth/session-cookie.ts";
import type { Gateway } from "../gateway.ts";
import { rateLimited, type RateLimit } from "../limits/rate-limits.ts";
import { noOrganization } from "../store/organizations.ts";
import { joined } from "./answer.ts";
import { clientAddress, type Connection } from "./client-address.ts";
import type { Access, Endpoint } from "./endpoint.ts";
import { readStep } from "./parameters.ts";

/** Names the organization where the path doesn't. */
const ORGANIZATION_HEADER = "X-Org-Id";
const BEARER = /^Bearer +([!-~]+) *$/i;

/** One request on its way; what is learned of it is shown in its log line and headers, however it ends. */
export interface Visit {
  request: Request;
  connection: Connection | null;
  caller: Caller;
  orgId: string;
  headers: Record<string, string>;
}

/**
 * Who sent the request.
 * @throws {AppError} `unauthenticated`, or `not_found` where nobody but the operator may look
 */
export async function identify(who: Access, visit: Visit, gateway: Gateway): Promise<Caller> {
  if (who === "public") return ANONYMOUS;
  if (who === "operator") return operatorOf(visit, gateway);
  const caller = await callerOf(visit.request, gateway);
  if (caller) return caller;
  countFailure(visit, gateway);
  throw new AppError("unauthenticated", "an API key or a token is needed, as Authorization: Bearer");
}

/** Whom the bearer token of a request belongs to; of one without, the person whose browser sent it. */
async function callerOf(request: Request, gateway: Gateway): Promise<Caller | undefined> {
  const token = bearerToken(request);
  return token === undefined ? signedIn(request, gateway) : gateway.authenticator.authenticate(token);
}

/** The person who is signed in with the browser that sent this, as long as it was a page of ours that did. */
async function signedIn(request: Request, gateway: Gateway): Promise<Caller | undefined> {
  const token = gateway.cookies.sessionOf(request);
  if (token === undefined || !isOwnPages(request, token)) return undefined;
  return (await gateway.authenticator.findSession(token))?.caller;
}

function bearerToken(request: Request): string | undefined {
  return BEARER.exec(request.headers.get("authorization") ?? "")?.[1];
}

function operatorOf(visit: Visit, gateway: Gateway): Caller {
  const { operatorToken } = gateway;
  if (!operatorToken) throw noSuchPath();
  const token = bearerToken(visit.request);
  if (token && constantTimeEqual(token, operatorToken)) return OPERATOR;
  countFailure(visit, gateway);
  throw noSuchPath();
}

/** Whoever brings what isn't good too often is told to wait; what is good is let through all the same. */
function countFailure(visit: Visit, { limits, loginLimit, trustedProxies }: Gateway): void {
  if (!visit.request.headers.has("authorization")) return;
  const taken = limits.take(loginLimit, clientAddress(visit.request, visit.connection, trustedProxies));
  if (taken.allowed) return;
  Object.assign(visit.headers, taken.headers);
  throw rateLimited(taken);
}

/**
 * Does `work`, which has the provider asked about a sign-in. A refusal counts towards a limit of its address, since the
 * provider isn't to be asked for ever; an outage of the provider doesn't. It is counted apart from other failures: a wrong key
 * must keep nobody from signing in.
 * @throws {AppError} `rate_limited`, or what `work` throws
 */
export async function limitSignIns<T>(
  { request, connection }: Pick<Visit, "request" | "connection">,
  { limits, loginLimit, trustedProxies }: Gateway,
  work: () => Promise<T>,
): Promise<T> {
  const taken = limits.take(loginLimit, `sign-in ${clientAddress(request, connection, trustedProxies)}`);
  if (!taken.allowed) throw rateLimited(taken);
  let isRefused = false;
  try {
    return await work();
  } catch (error) {
    isRefused = error instanceof AppError && error.code === "unauthenticated";
    throw error;
  } finally {
    if (!isRefused) taken.giveBack();
  }
}

/** Takes one request from the limit of a key or person. @throws {AppError} `rate_limited` */
export function limit(visit: Visit, { limits, requestLimit }: Gateway): void {
  const { type, id } = visit.caller;
  if (type === "anonymous" || type === "operator") return;
  const taken = limits.take(requestLimit, id);
  Object.assign(visit.headers, taken.headers);
  if (!taken.allowed) throw rateLimited(taken);
}

/** Takes one request from a limit of the organization's, or of whoever asks for none. @throws {AppError} `rate_limited` */
export function limitOperation(visit: Visit, { limits }: Gateway, rateLimit: RateLimit): void {
  const taken = limits.take(rateLimit, visit.orgId || visit.caller.id);
  visit.headers = joined(taken.headers, visit.headers);
  if (!taken.allowed) throw rateLimited(taken);
}

/** Whether who sent the request, which was let through once, is still a member. @throws {AppError} `unavailable` */
export async function isStillMember(request: Request, orgId: string, gateway: Gateway): Promise<boolean> {
  const caller = await callerOf(request, gateway);
  return caller?.roles.has(orgId) ?? false;
}

/** The organization that a step of the path names, in lower case. @throws {AppError} `invalid_parameter` */
export function organizationOf(step: string): string {
  const id = readStep("id", step);
  if (!isUuid(id)) throw invalidParameter("id", "must be a uuid");
  return id.toLowerCase();
}

/**
 * The organization of a request whose path names none, in lower case: that of the body's `org_id` or of
 * `X-Org-Id`, else the only one that the caller belongs to.
 * @throws {AppError} `invalid_parameter`, `org_required`; `not_found` for who belongs to none
 */
export function organizationNamed({ caller, request }: Visit, body: unknown): string {
  const header = request.headers.get(ORGANIZATION_HEADER);
  if (header !== null && !isUuid(header)) throw invalidParameter(ORGANIZATION_HEADER, "must be a uuid");
  const given = [isObject(body) ? text(body, "org_id") : undefined, header ?? undefined];
  const named = new Set(given.flatMap((id) => (id === undefined ? [] : [id.toLowerCase()])));
  if (named.size > 1)
    throw invalidParameter("org_id", `isn't the organization that ${ORGANIZATION_HEADER} names`);
  const [orgId, ...others] = named.size > 0 ? named : caller.roles.keys();
  if (orgId === undefined) throw noOrganization();
  if (others.length > 0) {
    throw new AppError("org_required", `name the organization in org_id or ${ORGANIZATION_HEADER}`);
  }
  return orgId;
}

/**
 * Lets through whom the operation is for.
 * @throws {AppError} `not_found` for an organization that isn't the caller's, whether it exists or not;
 * `forbidden`
 */
export function authorize({ who, only }: Endpoint, { caller, orgId }: Visit): void {
  if (who === "public" || who === "operator") return;
  const role = caller.roles.get(orgId);
  if (orgId !== "" && role === undefined) throw noOrganization();
  if (only && caller.type !== only) throw forbidden(ONLY[only]);
  const enough = who === "caller" || (role !== undefined && reaches(role, who));
  if (!enough) throw forbidden(`this takes the role ${who} or above`);
}

const ONLY = {
  person: "an API key can't do this",
  api_key: "this takes an API key",
};

function forbidden(message: string): AppError {
  return new AppError("forbidden", message);
}

/** What everybody is told of a path that leads nowhere, or not for them. */
export function noSuchPath(): AppError {
  return new AppError("not_found", "there is nothing at this path");
}
