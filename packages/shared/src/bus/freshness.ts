import type { Msg, MsgHdrs } from "nats";

import type { RequestContract } from "../contracts/contract.ts";
import { currentContext, type Freshness } from "../platform/context.ts";
import { HEADER } from "./headers.ts";

type Readable = Partial<Pick<RequestContract, "fromReplica">>;

/** A position in the write-ahead log. */
const POSITION = /^[\dA-F]{1,8}\/[\dA-F]{1,8}$/;

/** Adds to a request what a read replica needs to answer it. Returns what to call with the answer. */
export function sendPosition({ fromReplica }: Readable, headers: MsgHdrs): (answer: Msg) => void {
  const freshness = fromReplica ? currentContext()?.freshness : undefined;
  if (!freshness || freshness.answeredBy === "primary") return () => undefined;
  headers.set(HEADER.position, freshness.position);
  return (answer) => {
    freshness.answeredBy = answer.headers?.has(HEADER.replica) ? "replica" : "primary";
  };
}

/** Returns how far a read replica must be to answer a request; nothing if none may. */
export function positionIn({ fromReplica }: Readable, message: Msg): { freshness?: Freshness } {
  const position = fromReplica ? message.headers?.get(HEADER.position) : undefined;
  return position !== undefined && POSITION.test(position) ? { freshness: { position } } : {};
}

/** Adds to an answer whether it only came from a read replica. */
export function sayReplica(headers: MsgHdrs): void {
  if (currentContext()?.freshness?.answeredBy === "replica") headers.set(HEADER.replica, "1");
}
