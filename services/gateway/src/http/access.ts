import { isUuid } from "@leeway/shared/contract";
import { constantTimeEqual } from "@leeway/shared/digest";
import { AppError, invalidParameter } from "@leeway/shared/errors";

import { ANONYMOUS, OPERATOR, type Caller } from "../auth/caller.ts";
import { reaches } from "../auth/roles.ts";
import type { Gateway } from "../gateway.ts";
import { rateLimited } from "../limits/rate-limits.ts";
import { clientAddress, type Connection } from "./client-address.ts";
import type { Access, Endpoint } from "./endpoint.ts";
import { readStep } from "./parameters.ts";

const BEARER = /^Bearer +([\w.~+/=-]+) *$/i;

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
  const token = bearerToken(visit.request);
  if (who === "operator") return operatorBy(token, gateway);
  const caller = token === undefined ? undefined : await gateway.authenticator.authenticate(token);
  if (caller) return caller;
  countFailure(visit, gateway);
  throw new AppError("unauthenticated", "an API key or a token is needed, as Authorization: Bearer");
}

function bearerToken(request: Request): string | undefined {
  return BEARER.exec(request.headers.get("authorization") ?? "")?.[1];
}

function operatorBy(token: string | undefined, { operatorToken }: Gateway): Caller {
  if (!operatorToken || !token || !constantTimeEqual(token, operatorToken)) throw noSuchPath();
  return OPERATOR;
}

/** Whoever brings what isn't good too often is told to wait; what is good is let through all the same. */
function countFailure(visit: Visit, { limits, loginLimit, trustedProxies }: Gateway): void {
  if (!visit.request.headers.has("authorization")) return;
  const taken = limits.take(loginLimit, clientAddress(visit.request, visit.connection, trustedProxies));
  if (taken.allowed) return;
  Object.assign(visit.headers, taken.headers);
  throw rateLimited(taken);
}

/** Takes one request from the limit of a key or person. @throws {AppError} `rate_limited` */
export function limit(visit: Visit, { limits, requestLimit }: Gateway): void {
  const { type, id } = visit.caller;
  if (type === "anonymous" || type === "operator") return;
  const taken = limits.take(requestLimit, id);
  Object.assign(visit.headers, taken.headers);
  if (!taken.allowed) throw rateLimited(taken);
}

/** The organization that a step of the path names, in lower case. @throws {AppError} `invalid_parameter` */
export function organizationOf(step: string): string {
  const id = readStep("id", step);
  if (!isUuid(id)) throw invalidParameter("id", "must be a uuid");
  return id.toLowerCase();
}

/**
 * Lets through whom the operation is for.
 * @throws {AppError} `not_found` for an organization that isn't the caller's, whether it exists or not;
 * `forbidden`
 */
export function authorize({ who, only }: Endpoint, { caller, orgId }: Visit): void {
  if (who === "public" || who === "operator") return;
  const role = caller.roles.get(orgId);
  if (orgId !== "" && role === undefined) throw new AppError("not_found", "there is no such organization");
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
