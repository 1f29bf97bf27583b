import type { Msg } from "nats";

import type { RequestContract } from "../contracts/contract.ts";
import type { BusConnection } from "./connection.ts";

type Asked = Pick<RequestContract, "subject" | "callers">;

const INBOX = "_INBOX.";

/**
 * Returns the subject of a request. Its last token is the caller, and NATS accepts it only from that service. A
 * program that isn't a service uses the first declared caller, and needs all rights for that.
 */
export function requestSubject(bus: BusConnection, contract: Asked): string {
  return `${contract.subject}.${callerOn(bus, contract)}`;
}

/** Returns the name in which `bus` asks. */
export function callerOn({ service }: Pick<BusConnection, "service">, { callers }: Asked): string {
  return service ?? callers[0] ?? "";
}

/** Returns the service that answers `subject`. */
export function ownerOf(subject: string): string {
  const [owner = subject] = subject.split(".");
  return owner;
}

/** Returns the subjects of requests: with their caller, and without one for clients of version 0.1.0. */
export function servedSubjects({ subject }: Asked): string[] {
  return [`${subject}.*`, subject];
}

/**
 * Returns whether a client sent a message as a request. NATS delivers answers, events and stored messages to any
 * reply subject that a client names. None of those has both a subject of the contract and an inbox for its answer.
 */
export function isRequest({ subject }: Asked, message: Pick<Msg, "subject" | "reply">): boolean {
  const isOwn = message.subject === subject || message.subject.startsWith(`${subject}.`);
  return isOwn && message.reply?.startsWith(INBOX) === true;
}

/**
 * Returns the caller that NATS has verified; undefined for version 0.1.0, whose rights `rights.json` doesn't
 * restrict.
 */
export function callerOf({ subject }: Asked, message: Pick<Msg, "subject">): string | undefined {
  return message.subject === subject ? undefined : message.subject.slice(subject.length + 1);
}
