import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import { createGiveWay } from "@leeway/shared/concurrency/give-way";
import type { Output } from "@leeway/shared/contracts/contract";
import { EndDeliveries, ReadDeliveries } from "@leeway/shared/contracts/webhooks/deliveries";
import type { Database, OrgStatements } from "@leeway/shared/database/database";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import { derivedId } from "@leeway/shared/values/derived-id";

import { auditAll } from "../audit.ts";
import { sealInput } from "../jobs/input.ts";
import type { JobOutbox } from "../jobs/outbox.ts";
import { storeJobs, type NewJob, type StoredJobs } from "../jobs/store/jobs.ts";
import { noteGone, recordApply } from "../noise/sightings.ts";
import { countVerdict } from "../plans/count-verdict.ts";
import type { PlanReader } from "../plan-reader.ts";
import type { Reports } from "../plans/reports.ts";
import type { Kept } from "../plans/result.ts";
import { submissionFact } from "../plans/submission-fact.ts";
import { projectKey } from "../reviews/project-key.ts";
import { findJudgement } from "../settings/settings.ts";
import type { ReadEvent } from "./read-event.ts";

export interface DeliveryDependencies {
  database: Database;
  bus: BusConnection;
  ring: KeyRing;
  reader: PlanReader;
  outbox: JobOutbox;
  reports: Reports;
  publicBaseUrl: string;
}

const NONE: StoredJobs = new Map();

type Delivery = Output<typeof ReadDeliveries>["deliveries"][number];

/** Delivery with its event, read. */
interface Given extends ReadEvent {
  delivery: Delivery;
  jobId: string;
}

/** Job of an event, with its result if the plan was analyzed at once. */
interface MadeJob extends NewJob {
  configId: string;
  kept?: Kept | undefined;
}

/**
 * Stores the jobs of pending deliveries, finishes quiet plans at once and ends the deliveries. A repeated delivery is
 * the same job. Jobs are offered last: they report to their delivery, which must have ended by then.
 * @throws {AppError} `unavailable` for a retry; `invalid_parameter` for an invalid event
 */
export async function takeDeliveries(
  deps: DeliveryDependencies,
  orgId: string,
  deliveryIds: readonly string[],
): Promise<void> {
  const { database, bus, outbox } = deps;
  const asked = { org_id: orgId, delivery_ids: [...deliveryIds] };
  const { deliveries } = await call(bus, ReadDeliveries, asked);
  if (deliveries.length === 0) return;
  const sql = database.org(orgId);
  const given = await read(deps, sql, deliveries);
  const made = given.flatMap((one) => jobOf(deps, orgId, one));
  const jobs = await Promise.all(made.map((job) => leftOpenIfRefused(deps, orgId, job)));
  const reports = await reportsOf(deps, orgId, jobs);
  const stored = jobs.length > 0 ? await store(deps, orgId, { jobs, reports }) : NONE;
  for (const { applied } of given) if (applied !== undefined) await recordApply(sql, applied);
  await call(bus, EndDeliveries, { org_id: orgId, deliveries: given.map(endOf) });
  const open = [...jobs.filter(({ kept }) => !kept), ...reports];
  outbox.offer(
    orgId,
    open.filter(({ id }) => stored.has(id)),
  );
}

function endOf({ delivery: { delivery_id, replays }, jobId, subject }: Given) {
  return { delivery_id, replays, ...(subject?.kind === "analyze" && { job_id: jobId }) };
}

/** Returns the id of a delivery's job: the delivery's own id, or a derived one for each replay. */
function jobIdOf({ delivery_id: id, replays }: Pick<Delivery, "delivery_id" | "replays">): string {
  return replays === 0 ? id : derivedId(id, `replay ${replays}`);
}

/** Stores jobs, and writes audit entries for the plans stored by this call. */
function store(
  { database }: DeliveryDependencies,
  orgId: string,
  { jobs, reports }: { jobs: readonly MadeJob[]; reports: readonly NewJob[] },
): Promise<StoredJobs> {
  return database.transaction(orgId, async (tx) => {
    const stored = await storeJobs(tx, [...jobs, ...reports]);
    const facts = jobs.flatMap(({ id, subject, configId }) => {
      if (subject.kind !== "analyze" || !stored.has(id)) return [];
      const fact = submissionFact(id, subject);
      return [{ ...fact, details: { ...fact.details, webhook_config_id: configId } }];
    });
    await auditAll(tx, facts);
    await noteQuiet(
      tx,
      jobs.filter(({ id }) => stored.has(id)),
    );
    return stored;
  });
}

/** Leaves a quiet plan open if its source belongs to another repository: a worker then ends its job with the reason. */
async function leftOpenIfRefused(
  { reports }: DeliveryDependencies,
  orgId: string,
  job: MadeJob,
): Promise<MadeJob> {
  if (!job.kept || job.subject.kind !== "analyze") return job;
  const isOwn = await reports.requireOwn(orgId, job.subject).then(
    () => true,
    () => false,
  );
  return isOwn ? job : { ...job, kept: undefined };
}

/** Counts the verdicts of finished quiet plans, and marks the noise of their projects as gone. */
async function noteQuiet(sql: OrgStatements, jobs: readonly MadeJob[]): Promise<void> {
  const projects = new Set<string>();
  for (const { subject, kept } of jobs) {
    if (!kept || subject.kind !== "analyze") continue;
    countVerdict(kept);
    projects.add(projectKey(subject));
  }
  if (projects.size > 0) await noteGone(sql, [...projects], { seen: [], isProposed: false });
}

/** Reads events one by one. @throws {AppError} `invalid_parameter` for an invalid event */
async function read(
  { reader, publicBaseUrl }: DeliveryDependencies,
  sql: OrgStatements,
  deliveries: readonly Delivery[],
): Promise<Given[]> {
  const { orgId } = sql;
  const { risk_profile: profile } = await findJudgement(sql);
  const giveWay = createGiveWay();
  const given: Given[] = [];
  for (const delivery of deliveries) {
    const jobId = jobIdOf(delivery);
    const origin = { orgId, jobId, deliveryId: delivery.delivery_id, configId: delivery.config_id };
    const event = await reader.event(orgId, delivery.event, [origin, { profile, publicBaseUrl }]);
    given.push({ delivery, jobId, ...event });
    await giveWay();
  }
  return given;
}

function jobOf(
  { ring }: DeliveryDependencies,
  orgId: string,
  { delivery, jobId: id, subject, plan, kept }: Given,
): MadeJob[] {
  if (!subject) return [];
  const input = plan === undefined ? undefined : sealInput(ring, orgId, id, plan);
  return [{ id, subject, kept, input, configId: delivery.config_id }];
}

/** Returns the jobs that report finished plans to the inventory, if it expects reports. */
async function reportsOf(
  { reports }: DeliveryDependencies,
  orgId: string,
  jobs: readonly MadeJob[],
): Promise<NewJob[]> {
  const createdAt = new Date();
  const wanted = jobs.map(async ({ id, subject, kept }) =>
    kept && subject.kind === "analyze" ? reports.of({ id, orgId, createdAt, subject }) : undefined,
  );
  return (await Promise.all(wanted)).filter((job) => job !== undefined);
}
