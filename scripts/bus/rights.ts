import { CALLS_SUBJECT } from "@leeway/shared/bus/alive";
import { CANCEL_SUBJECT } from "@leeway/shared/bus/headers";
import { BODIES, DEAD_LETTERS } from "@leeway/shared/bus/streams";
import { inboxOf } from "@leeway/shared/bus/connection";
import type { EventContract } from "@leeway/shared/contract";
import { join } from "node:path";

import { loadContracts, ownerOf } from "../docs/contracts.ts";
import { type BodiesUse, SERVICES, type Uses, usesOf } from "./uses.ts";

/** Where the rights lie that every nats-server reads. */
export const RIGHTS_FILE = join(import.meta.dir, "../../deploy/nats/rights.json");

/** Who may say and hear what, as a nats-server takes it. */
export interface Rights {
  publish: { allow: string[] };
  subscribe: { allow: string[] };
  /** Whoever is asked may answer, once. */
  allow_responses?: { max: number; expires: string };
}

/** Beyond the longest that anybody waits for an answer. */
const ANSWERED_WITHIN = "20m";
const API = "$JS.API";

/** The least that each service, and who works with dead letters, needs on the bus. */
export async function rightsOfAll(): Promise<Record<string, Rights>> {
  const services = await Promise.all(
    SERVICES.map(async (service) => [service, rightsOf(service, await usesOf(service))] as const),
  );
  const { events } = await loadContracts();
  return {
    ...Object.fromEntries(services),
    operator: operatorRights(events.map(({ contract }) => contract)),
  };
}

/** The text of the file. */
export async function rightsText(): Promise<string> {
  return `${JSON.stringify(await rightsOfAll(), null, 2)}\n`;
}

function rightsOf(service: string, { requests, events, broadcasts, bodies }: Uses): Rights {
  const subjects = [...requests].map(({ subject }) => subject);
  const answered = subjects.filter((subject) => ownerOf(subject) === service);
  const asked = subjects.filter((subject) => ownerOf(subject) !== service);
  const told = [...broadcasts].map(({ subject }) => subject);
  const publish = [
    ...asked,
    ...(asked.length > 0 ? [CALLS_SUBJECT, CANCEL_SUBJECT] : []),
    ...told,
    ...[...events].flatMap(eventSubjects),
    ...[...bodies].flatMap((use) => BODIES_SUBJECTS[use]),
  ];
  return {
    publish: { allow: sorted(publish) },
    subscribe: {
      allow: sorted([
        ...answered,
        ...(answered.length > 0 ? [CALLS_SUBJECT, CANCEL_SUBJECT] : []),
        ...told,
        `${inboxOf(`leeway-${service}`)}.>`,
      ]),
    },
    ...(answered.length > 0 && { allow_responses: { max: 1, expires: ANSWERED_WITHIN } }),
  };
}

/** To make a stream, or bring it up to date. */
const keeping = (stream: string): string[] =>
  ["CREATE", "INFO", "UPDATE"].map((verb) => `${API}.STREAM.${verb}.${stream}`);

/** To publish an event, work it off, and bury it. */
function eventSubjects({ subject, stream }: EventContract): string[] {
  return [
    subject,
    ...keeping(stream),
    ...keeping(DEAD_LETTERS),
    `${API}.STREAM.MSG.GET.${stream}`,
    `${API}.CONSUMER.CREATE.${stream}.*.${subject}`,
    ...["INFO", "DELETE", "MSG.NEXT"].map((verb) => `${API}.CONSUMER.${verb}.${stream}.*`),
    `$JS.ACK.${stream}.>`,
    `dead.${stream}.*`,
  ];
}

const BODIES_SUBJECTS: Readonly<Record<BodiesUse, readonly string[]>> = {
  put: [...keeping(BODIES), `${API}.STREAM.PURGE.${BODIES}`, "body.*.*"],
  open: [`${API}.DIRECT.GET.${BODIES}.body.*.*`, `${API}.STREAM.MSG.GET.${BODIES}`],
  delete: [`${API}.STREAM.PURGE.${BODIES}`],
};

/** Reads dead letters, takes them away, and publishes them again. */
function operatorRights(events: readonly EventContract[]): Rights {
  return {
    publish: {
      allow: sorted([
        ...events.map(({ subject }) => subject),
        ...["MSG.GET", "MSG.DELETE"].map((verb) => `${API}.STREAM.${verb}.${DEAD_LETTERS}`),
      ]),
    },
    subscribe: { allow: [`${inboxOf("leeway-operator")}.>`] },
  };
}

function sorted(subjects: readonly string[]): string[] {
  return [...new Set(subjects)].toSorted();
}
