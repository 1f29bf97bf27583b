import { CALLS_SUBJECT } from "@leeway/shared/bus/alive";
import { servedSubjects } from "@leeway/shared/bus/callers";
import { CANCEL_SUBJECT } from "@leeway/shared/bus/headers";
import { bodiesOf, DEAD_LETTERS, type BusParts, type Durable } from "@leeway/shared/bus/streams";
import { inboxOf } from "@leeway/shared/bus/connection";
import { join } from "node:path";

import { BUS_PARTS } from "../bus-parts.ts";
import { ownerOf } from "../docs/contracts.ts";
import { type Uses, usesOf } from "./uses.ts";

/** File with the rights, which every nats-server reads. */
export const RIGHTS_FILE = join(import.meta.dir, "../../deploy/nats/rights.json");

/** Rights of a bus user, in the format of nats-server. */
export interface Rights {
  publish: { allow: string[] };
  subscribe: { allow: string[] };
  /** Right to answer a request once. */
  allow_responses?: { max: number; expires: string };
}

/** Time limit of answers, longer than any caller waits. */
const ANSWERED_WITHIN = "20m";
const API = "$JS.API";

/** Returns the least rights that each service and the operator need on the bus. */
export async function rightsOfAll(): Promise<Record<string, Rights>> {
  const services = await Promise.all(
    BUS_PARTS.toSorted((a, b) => a.service.localeCompare(b.service)).map(
      async (parts) => [parts.service, rightsOf(parts, await usesOf(parts.service))] as const,
    ),
  );
  return { ...Object.fromEntries(services), operator: operatorRights(BUS_PARTS) };
}

/** Returns the text of the rights file. */
export async function rightsText(): Promise<string> {
  return `${JSON.stringify(await rightsOfAll(), null, 2)}\n`;
}

function rightsOf(parts: BusParts, { requests, events, broadcasts }: Uses): Rights {
  const { service } = parts;
  const answered = [...requests].filter(({ subject }) => ownerOf(subject) === service);
  const asked = [...requests].filter(({ subject }) => ownerOf(subject) !== service);
  for (const { subject, callers } of asked)
    if (!callers.includes(service))
      throw new Error(`the ${service} service asks ${subject}: name it in the contract's callers`);
  const broadcastSubjects = [...broadcasts].map(({ subject }) => subject);
  const publish = [
    ...asked.map(({ subject }) => `${subject}.${service}`),
    ...(asked.length > 0 ? [CALLS_SUBJECT, CANCEL_SUBJECT] : []),
    ...broadcastSubjects,
    ...[...events].map(({ subject }) => subject),
    ...parts.durables.flatMap(workSubjects),
    ...bodySubjects(parts),
  ];
  return {
    publish: { allow: sorted(publish) },
    subscribe: {
      allow: sorted([
        ...answered.flatMap(servedSubjects),
        ...(answered.length > 0 ? [CALLS_SUBJECT, CANCEL_SUBJECT] : []),
        ...broadcastSubjects,
        `${inboxOf(`leeway-${service}`)}.>`,
      ]),
    },
    ...(answered.length > 0 && { allow_responses: { max: 1, expires: ANSWERED_WITHIN } }),
  };
}

/**
 * Returns the subjects for consuming events and storing dead letters. None of them changes or creates a stream or a
 * consumer.
 */
function workSubjects({ event: { stream }, durable }: Durable): string[] {
  return [
    ...["INFO", "MSG.NEXT"].map((verb) => `${API}.CONSUMER.${verb}.${stream}.${durable}`),
    `$JS.ACK.${stream}.${durable}.>`,
    `dead.${stream}.${durable}`,
  ];
}

/**
 * Returns the subjects for reading large bodies from a service's own stream, writing them to others' streams, and
 * deleting them in both.
 */
function bodySubjects({ service, takesBodies, sendsBodiesTo = [] }: BusParts): string[] {
  const owners = [...(takesBodies ? [service] : []), ...sendsBodiesTo];
  return [
    ...owners.flatMap((owner) => [`body.${owner}.*.*`, `${API}.STREAM.INFO.${bodiesOf(owner)}`]),
    ...(takesBodies
      ? [
          `${API}.DIRECT.GET.${bodiesOf(service)}.body.${service}.*.*`,
          `${API}.STREAM.MSG.GET.${bodiesOf(service)}`,
        ]
      : []),
  ];
}

/** Returns the operator's rights: maintain all streams and consumers, and read, delete and republish dead letters. */
function operatorRights(parts: readonly BusParts[]): Rights {
  const durables = parts.flatMap((part) => part.durables);
  const streams = [
    DEAD_LETTERS,
    ...durables.map(({ event }) => event.stream),
    ...parts.filter(({ takesBodies }) => takesBodies).map(({ service }) => bodiesOf(service)),
  ];
  return {
    publish: {
      allow: sorted([
        ...streams.flatMap((stream) =>
          ["CREATE", "INFO", "UPDATE"].map((verb) => `${API}.STREAM.${verb}.${stream}`),
        ),
        ...durables.flatMap(({ event: { stream, subject }, durable }) => [
          subject,
          `${API}.STREAM.MSG.GET.${stream}`,
          `${API}.CONSUMER.CREATE.${stream}.${durable}.${subject}`,
          ...["INFO", "DELETE"].map((verb) => `${API}.CONSUMER.${verb}.${stream}.${durable}`),
        ]),
        ...["MSG.GET", "MSG.DELETE"].map((verb) => `${API}.STREAM.${verb}.${DEAD_LETTERS}`),
      ]),
    },
    subscribe: { allow: [`${inboxOf("leeway-operator")}.>`] },
  };
}

function sorted(subjects: readonly string[]): string[] {
  return [...new Set(subjects)].toSorted();
}
