import { strict } from "@leeway/shared/contracts/contract";
import type { BodyReference } from "@leeway/shared/contracts/common";
import type { ErrorCode } from "@leeway/shared/values/errors";
import { Type as t, type Static, type TObject, type TSchema } from "@sinclair/typebox";

import type { Caller } from "../auth/caller.ts";
import type { Role } from "../auth/roles.ts";
import type { BodyOwner, Gateway } from "../gateway.ts";
import type { RateLimit } from "../limits/rate-limits.ts";
import { aliasesOf, withAliases, type Aliases } from "./aliases.ts";
import type { Answer } from "./answer.ts";
import type { Connection } from "./client-address.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Allowed callers: everyone, the operator, any authenticated caller, or members of an organization with at least this
 * role. The organization is the path's, or else the one that the request names elsewhere.
 */
export type Access = "public" | "operator" | "caller" | Role;

/** A request that passed every check, as passed to its handler. */
export interface Call<P extends TObject = TObject, Q extends TObject = TObject, B extends TSchema = TSchema> {
  request: Request;
  connection: Connection | null;
  /** Unique to the request, unless it repeats a failed one under the same `Idempotency-Key`, whose id it then has. */
  attemptId: string;
  caller: Caller;
  /** Organization id in lower case; empty if there is none. */
  orgId: string;
  params: Static<P>;
  query: Static<Q>;
  body: Static<B>;
  /** Stored body of an upload. */
  upload?: BodyReference;
  /** Further headers of the answer, whatever the outcome. */
  headers: Record<string, string>;
}

export interface Answered {
  status: 200 | 201 | 202 | 204 | 302 | 401 | 402 | 403 | 404 | 429 | 503;
  description: string;
  schema?: TSchema;
  example?: unknown;
  /** Examples by name, if there are several. */
  examples?: Readonly<Record<string, unknown>>;
  /** Headers in addition to those of every such answer. */
  headers?: readonly string[];
  /** Media type if the answer isn't JSON. */
  mediaType?: string;
}

interface Upload {
  description: string;
  /** Service that receives the body. */
  owner: BodyOwner;
  /** Limit on the size as sent. */
  maxBytes: number;
  /** Schema of the body if it is JSON of one kind. */
  schema?: TSchema;
}

/** An operation of the API: its checks, its documentation and its handler. */
export interface Declaration<P extends TObject, Q extends TObject, B extends TSchema> {
  method: Method;
  /** Path with named steps after colons; `:id` is the organization. */
  path: string;
  /** Also accepts a trailing slash, because senders of webhooks use a pasted address and don't see the error. */
  takesSlash?: true;
  operationId: string;
  tag: string;
  summary: string;
  description: string;
  who: Access;
  /** The only kind of caller that is allowed. */
  only?: "person" | "api_key";
  /** Is for callers of single repositories too, and checks which one it is about. Others let such callers only read. */
  checksRepository?: true;
  params?: P;
  query?: Q;
  body?: B;
  bodyExample?: unknown;
  /** Set if the body is too large for a message and goes to the body store. Its owner checks the content. */
  upload?: Upload;
  /** Set if anything is accepted: the handler reads path and body itself, and nothing is checked before. */
  raw?: { description: string };
  success: Answered;
  /** Other answers whose bodies aren't our errors. */
  otherwise?: readonly Answered[];
  /** Errors beyond those implied by its access, parameters and body. */
  errors?: readonly ErrorCode[];
  /**
   * Limit on the organization's or person's requests for this operation, in addition to the limit on all of the
   * caller's requests.
   */
  limit?: (gateway: Gateway) => RateLimit;
  /** Whether it creates something, so that a repeat under the same `Idempotency-Key` gets the first answer again. */
  creates?: boolean;
  /** Limit on the handler's time if it may exceed the timeout of idle connections. */
  patienceMs?: number;
  /** Whether a read replica may answer. The handler then only reads, by single statements. */
  fromReplica?: boolean;
  /** Whether it is omitted from the documentation. */
  hidden?: boolean;
  handle(call: Call<P, Q, B>, gateway: Gateway): Promise<Answer>;
}

export interface Endpoint extends Declaration<TObject, TObject, TSchema> {
  params: TObject;
  query: TObject;
  /** Aliases in its query and body. */
  aliases: { query: Aliases; body: Aliases };
}

/** Declares an operation. Its body rejects members that are neither in the schema nor aliases. */
export function endpoint<P extends TObject, Q extends TObject, B extends TSchema>(
  declaration: Declaration<P, Q, B>,
): Endpoint {
  const { params, query = t.Object({}), body } = declaration;
  const aliases = { query: aliasesOf(query), body: aliasesOf(body) };
  return {
    ...declaration,
    params: params ?? t.Object({}),
    query: withAliases<TObject>(query, aliases.query),
    ...(body && { body: strict(withAliases(body, aliases.body)) }),
    aliases,
  };
}

/** Checks whether an operation is part of the versioned API, which rejects unknown parameters. */
export function isVersioned({ path }: Endpoint): boolean {
  return path.startsWith("/api/");
}

/** Checks whether an operation needs membership in an organization that its path doesn't contain. */
export function isUnscoped({ who, path }: Endpoint): boolean {
  const asksForRole = who !== "public" && who !== "operator" && who !== "caller";
  return asksForRole && !path.includes("/:id");
}
