import { isUuid } from "@leeway/shared/contracts/contract";
import { constantTimeEqual } from "@leeway/shared/values/digest";
import { AppError, invalidParameter } from "@leeway/shared/values/errors";
import { isObject, text } from "@leeway/shared/values/json";

import { ANONYMOUS, OPERATOR, type Caller } from "../auth/caller.ts";
import { reaches } from "../auth/roles.ts";
import { isOwnPages } from "../auth/session-cookie.ts";
import type { Gateway } from "../gateway.ts";
import { rateLimited, type RateLimit } from "../limits/rate-limits.ts";
import { noOrganization } from "../organizations/store.ts";
import { joined } from "./answer.ts";
import { clientAddress, type Connection } from "./client-address.ts";
import type { Access, Endpoint } from "./endpoint.ts";
import { readStep } from "./parameters.ts";

/** Header that names the organization if the path doesn't. */
const ORGANIZATION_HEADER = "X-Org-Id";
const BEARER = /^Bearer +([!-~]+) *$/i;

/** State of a request. Its details appear in the log line and headers, whatever the outcome. */
export interface Visit {
  request: Request;
  connection: Connection | null;
  caller: Caller;
  orgId: string;
  headers: Record<string, string>;
}

/**
 * Authenticates the caller of a request.
 * @throws {AppError} `unauthenticated`, or `not_found` for the operator's paths
 */
export async function identify(who: Access, visit: Visit, gateway: Gateway): Promise<Caller> {
  if (who === "public") return ANONYMOUS;
  if (who === "operator") return operatorOf(visit, gateway);
  const caller = await callerOf(visit.request, gateway);
  if (caller) return caller;
  countFailure(visit, gateway);
  throw new AppError(
    "unauthenticated",
    "authentication is required; send an API key or token as Authorization: Bearer",
  );
}

/** Returns the owner of a request's bearer token, or without one the person signed in with the browser. */
async function callerOf(request: Request, gateway: Gateway): Promise<Caller | undefined> {
  const token = bearerToken(request);
  return token === undefined ? signedIn(request, gateway) : gateway.authenticator.authenticate(token);
}

/** Returns the person signed in with the browser, if one of our pages sent the request. */
async function signedIn(request: Request, gateway: Gateway): Promise<Caller | undefined> {
  const token = gateway.cookies.sessionOf(request);
  if (token === undefined || !isOwnPages(request, token)) return undefined;
  return (await gateway.authenticator.findSession(token))?.caller;
}

function bearerToken(request: Request): string | undefined {
  return BEARER.exec(request.headers.get("authorization") ?? "")?.[1];
}

async function operatorOf(visit: Visit, gateway: Gateway): Promise<Caller> {
  const { operatorToken, operatorTries } = gateway;
  if (!operatorToken) throw noSuchPath();
  const token = bearerToken(visit.request);
  if (token) {
    await operatorTries.wait();
    if (constantTimeEqual(token, operatorToken)) return OPERATOR;
    operatorTries.failed();
  }
  countFailure(visit, gateway);
  throw noSuchPath();
}

/** Counts a failed authentication, and rejects an address with too many. Valid credentials always pass. */
function countFailure(visit: Visit, { limits, loginLimit, trustedProxies }: Gateway): void {
  if (!visit.request.headers.has("authorization")) return;
  const taken = limits.take(loginLimit, clientAddress(visit.request, visit.connection, trustedProxies));
  if (taken.allowed) return;
  Object.assign(visit.headers, taken.headers);
  throw rateLimited(taken);
}

/**
 * Runs `work`, which asks the identity provider about a sign-in. Refused sign-ins count towards a limit on the
 * address, so that the provider isn't flooded. Outages of the provider don't count. The limit is separate from that
 * of wrong keys, so that a wrong key doesn't block signing in.
 * @throws {AppError} `rate_limited`, or any error from `work`
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
    if (!isRefused) taken.refund();
  }
}

/**
 * Counts a request towards the limit of the key or person.
 * @throws {AppError} `rate_limited`
 */
export function limit(visit: Visit, { limits, requestLimit }: Gateway): void {
  const { type, id } = visit.caller;
  if (type === "anonymous" || type === "operator") return;
  const taken = limits.take(requestLimit, id);
  Object.assign(visit.headers, taken.headers);
  if (!taken.allowed) throw rateLimited(taken);
}

/**
 * Counts a request towards the limit of the caller's organization.
 * @throws {AppError} `rate_limited`
 */
export function limitOrganization(visit: Visit, { limits, organizationLimit }: Gateway): void {
  if (visit.orgId === "" || visit.caller.type === "operator") return;
  const taken = limits.take(organizationLimit, visit.orgId);
  if (!taken.allowed) {
    visit.headers = joined(taken.headers, visit.headers);
    throw rateLimited(taken);
  }
}

/**
 * Counts a request towards an operation's limit, by organization or, outside any organization, by caller.
 * @throws {AppError} `rate_limited`
 */
export function limitOperation(visit: Visit, { limits }: Gateway, rateLimit: RateLimit): void {
  const taken = limits.take(rateLimit, visit.orgId || visit.caller.id);
  visit.headers = joined(taken.headers, visit.headers);
  if (!taken.allowed) throw rateLimited(taken);
}

/**
 * Checks whether the caller of an earlier accepted request is still a member.
 * @throws {AppError} `unavailable`
 */
export async function isStillMember(request: Request, orgId: string, gateway: Gateway): Promise<boolean> {
  const caller = await callerOf(request, gateway);
  return caller?.roles.has(orgId) ?? false;
}

/**
 * Returns the organization id in a step of the path, in lower case.
 * @throws {AppError} `invalid_parameter`
 */
export function organizationOf(step: string): string {
  const id = readStep("id", step);
  if (!isUuid(id)) throw invalidParameter("id", "must be a UUID");
  return id.toLowerCase();
}

/**
 * Returns the organization id, in lower case, of a request whose path contains none. It comes from the body's
 * `org_id` or from `X-Org-Id`, otherwise from the caller's only membership.
 * @throws {AppError} `invalid_parameter`, `org_required`; `not_found` for a caller without an organization
 */
export function organizationNamed({ caller, request }: Visit, body: unknown): string {
  const header = request.headers.get(ORGANIZATION_HEADER);
  if (header !== null && !isUuid(header)) throw invalidParameter(ORGANIZATION_HEADER, "must be a UUID");
  const given = [isObject(body) ? text(body, "org_id") : undefined, header ?? undefined];
  const named = new Set(given.flatMap((id) => (id === undefined ? [] : [id.toLowerCase()])));
  if (named.size > 1) throw invalidParameter("org_id", `must match ${ORGANIZATION_HEADER}`);
  const [orgId, ...others] = named.size > 0 ? named : caller.roles.keys();
  if (orgId === undefined) throw noOrganization();
  if (others.length > 0) {
    throw new AppError(
      "org_required",
      `you belong to several organizations; choose one with org_id or ${ORGANIZATION_HEADER}`,
    );
  }
  return orgId;
}

/**
 * Checks that the caller may use the operation.
 * @throws {AppError} `not_found` for another organization, whether it exists or not; `forbidden`
 */
export function authorize(endpoint: Endpoint, { caller, orgId }: Visit): void {
  const { who, only } = endpoint;
  if (who === "public" || who === "operator") return;
  const role = caller.roles.get(orgId);
  if (orgId !== "" && role === undefined) throw noOrganization();
  if (only && !isKind(caller, only)) throw forbidden(ONLY[only]);
  const enough = who === "caller" || (role !== undefined && reaches(role, who));
  if (!enough) throw forbidden(`this requires the role ${who} or above`);
  refuseBeyondRepositories(endpoint, caller);
}

/**
 * Refuses changes beyond single repositories to callers that are limited to some.
 * @throws {AppError} `forbidden`
 */
function refuseBeyondRepositories({ method, checksRepository }: Endpoint, { speaksFor }: Caller): void {
  if (!speaksFor || method === "GET" || checksRepository) return;
  const { repositories } = speaksFor;
  throw forbidden(
    `these credentials only work for ${repositories.join(", ")}, but this request concerns the whole organization; use an API key without repositories`,
  );
}

/** A CI job's token and a key of `leeway login` work where API keys do. */
function isKind({ type, keyId }: Caller, only: "person" | "api_key"): boolean {
  return type === only || (only === "api_key" && (type === "ci" || keyId !== undefined));
}

const ONLY = {
  person: "API keys can't do this; sign in as an owner or admin",
  api_key: "this requires an API key",
};

function forbidden(message: string): AppError {
  return new AppError("forbidden", message);
}

/** Returns the error for a path that doesn't exist or is hidden from the caller. */
export function noSuchPath(): AppError {
  return new AppError("not_found", "there is nothing at this path");
}
