import { strict } from "@leeway/shared/contract";
import type { BodyReference } from "@leeway/shared/contracts/common";
import type { ErrorCode } from "@leeway/shared/errors";
import { Type as t, type Static, type TObject, type TSchema } from "@sinclair/typebox";

import type { Caller } from "../auth/caller.ts";
import type { Role } from "../auth/roles.ts";
import type { Gateway } from "../gateway.ts";
import type { RateLimit } from "../limits/rate-limits.ts";
import type { Answer } from "./answer.ts";
import type { Connection } from "./client-address.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Everybody, the operator, whoever is authenticated, or members of an organization from a role up: of the
 * path's, or where the path names none, of the one that the request names otherwise.
 */
export type Access = "public" | "operator" | "caller" | Role;

/** A request that passed every check, as its handler sees it. */
export interface Call<P extends TObject = TObject, Q extends TObject = TObject, B extends TSchema = TSchema> {
  request: Request;
  connection: Connection | null;
  /** Its own, but for a repeat under an `Idempotency-Key` after a failure: it has the first one's. */
  attemptId: string;
  caller: Caller;
  /** The organization that it is about, in lower case; empty where it is about none. */
  orgId: string;
  params: Static<P>;
  query: Static<Q>;
  body: Static<B>;
  /** Where the body of an upload waits. */
  upload?: BodyReference;
  /** Those of the answer beside its own, however it ends. */
  headers: Record<string, string>;
}

export interface Answered {
  status: 200 | 201 | 202 | 204 | 302 | 401 | 402 | 403 | 404 | 429 | 503;
  description: string;
  schema?: TSchema;
  example?: unknown;
  /** Several of them, by name. */
  examples?: Readonly<Record<string, unknown>>;
  /** Headers beside those that every such answer has. */
  headers?: readonly string[];
  /** Of an answer that isn't JSON. */
  mediaType?: string;
}

interface Upload {
  description: string;
  /** As sent. */
  mostBytes: number;
  /** What it says, where that is JSON of one kind. */
  schema?: TSchema;
}

/** One operation of the API: all that is checked before it runs, and all that its documentation says. */
export interface Declaration<P extends TObject, Q extends TObject, B extends TSchema> {
  method: Method;
  /** Named steps start with a colon; `:id` is the organization. */
  path: string;
  /** With a slash at the end, too: whoever sends there pastes the address, and isn't there to see that it is wrong. */
  takesSlash?: true;
  operationId: string;
  tag: string;
  summary: string;
  description: string;
  who: Access;
  /** Refuses every other kind of caller. */
  only?: "person" | "api_key";
  params?: P;
  query?: Q;
  body?: B;
  bodyExample?: unknown;
  /** Takes a body too large for a message into the store of bodies; what it says is for its owner to check. */
  upload?: Upload;
  /** Takes whatever comes: the handler reads path and body itself, and nothing is checked before it. */
  raw?: { description: string };
  success: Answered;
  /** Other answers, whose bodies aren't those of our errors. */
  otherwise?: readonly Answered[];
  /** What it can answer beyond what its access, parameters and body bring along. */
  errors?: readonly ErrorCode[];
  /** A limit on all of the organization's requests for it, or the person's, beside that on the caller's requests. */
  limit?: (gateway: Gateway) => RateLimit;
  /** Makes something, so that a repeat under one `Idempotency-Key` gets the first answer again. */
  creates?: boolean;
  /** How long the work may take, where that is longer than an idle connection lives. */
  patienceMs?: number;
  /** Isn't part of the documentation. */
  hidden?: boolean;
  handle(call: Call<P, Q, B>, gateway: Gateway): Promise<Answer>;
}

export interface Endpoint extends Declaration<TObject, TObject, TSchema> {
  params: TObject;
  query: TObject;
}

/** Declares an operation. Its body refuses members that the schema doesn't name. */
export function endpoint<P extends TObject, Q extends TObject, B extends TSchema>(
  declaration: Declaration<P, Q, B>,
): Endpoint {
  const { params, query, body } = declaration;
  return {
    ...declaration,
    params: params ?? t.Object({}),
    query: query ?? t.Object({}),
    ...(body && { body: strict(body) }),
  };
}

/** Whether an operation is for members of an organization that its path doesn't name. */
export function isUnscoped({ who, path }: Endpoint): boolean {
  const asksForRole = who !== "public" && who !== "operator" && who !== "caller";
  return asksForRole && !path.includes("/:id");
}
