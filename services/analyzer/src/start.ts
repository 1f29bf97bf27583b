import { startAuditOutbox } from "@leeway/shared/service/audit/audit-outbox";
import { openBodies, type Bodies } from "@leeway/shared/bus/bodies";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { consume } from "@leeway/shared/bus/consume";
import { createShares } from "@leeway/shared/concurrency/shares";
import type { JobQueued } from "@leeway/shared/contracts/analyzer/jobs";
import { RecordAudit } from "@leeway/shared/contracts/gateway/audit";
import { RETENTION, RETENTION_BATCH } from "@leeway/shared/contracts/retention";
import { createCursors } from "@leeway/shared/security/cursor";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import { startRetention, type Deletion } from "@leeway/shared/service/retention";
import type { Platform, Started } from "@leeway/shared/service/service";
import { reportBacklog } from "@leeway/shared/platform/telemetry/backlog";
import type { Static } from "@sinclair/typebox";

import { JOBS } from "./bus-parts.ts";
import { startDeliveryWorker } from "./events/delivery-worker.ts";
import type { Dependencies } from "./handlers.ts";
import { createEndedJobs } from "./jobs/ended.ts";
import { createJobOutbox, type Offered } from "./jobs/outbox.ts";
import { backlog, forgetUnseen, deleteExpired } from "./jobs/store/jobs.ts";
import { giveUpJob, workOffJob } from "./work-off-job.ts";
import { createPlanReader } from "./plan-reader.ts";
import { createOwnRules } from "./plans/plan-rules.ts";
import { createReports } from "./plans/reports.ts";
import { SCHEMA } from "./schema.ts";
import { startRefreshing } from "./settlements/refresh.ts";

/** Jobs in progress at once. Most of a job's time goes to waiting for a model or a code host. */
const CONCURRENT = 32;
/** Maximum of these jobs per organization. */
const SHARE = 8;
/** Retry delays; together they end before the sweep would offer a job again. */
const RETRY_MS = [1_000, 5_000, 15_000, 30_000];
const DELETIONS: readonly Deletion[] = [
  deleteExpired,
  (sql) => forgetUnseen(sql, { days: RETENTION.shown.days, atMost: RETENTION_BATCH }),
];

type Queued = Static<(typeof JobQueued)["payload"]>;

export interface Settings {
  ring: KeyRing;
  publicBaseUrl: string;
  /** Retry delays of a job; only tests set them. */
  retryMs?: readonly number[];
}

/** Starts the workers and the background loops. Returns the dependencies of the handlers. */
export async function startAnalyzer(
  platform: Platform,
  { ring, publicBaseUrl, retryMs = RETRY_MS }: Settings,
): Promise<Started<Dependencies>> {
  const { database, bus, log } = platform;
  const outbox = createJobOutbox(platform);
  const reader = createPlanReader();
  const ended = createEndedJobs(bus, log);
  const reports = createReports(bus);
  const ownRules = createOwnRules(bus);
  const parts = { ring, reader, outbox, ended, reports, ownRules, publicBaseUrl };
  const worker = { ...platform, ...largeBodies(bus), ...parts };
  const shares = createShares({
    share: SHARE,
    workers: CONCURRENT,
    offerAgain: outbox.offerAgain,
    // A job offered twice counts as abandoned if either offer says so.
    merge: (known: Offered, job) => ({ ...job, abandoned: known.abandoned || job.abandoned }),
  });
  const stopWorker = consume(bus, {
    ...JOBS,
    concurrency: CONCURRENT,
    retryMs,
    handle(queued, { attempt, last }) {
      const job = offered(queued, attempt);
      return shares.within(job, () => workOffJob(worker, job, { last }));
    },
    onDead: (queued, message) => giveUpJob(worker, offered(queued), { code: "internal", message }),
    log,
  });
  const stopDeliveries = startDeliveryWorker({ ...worker, retryMs });
  const loops = [
    outbox.start(),
    startRefreshing(worker),
    startAuditOutbox(platform, SCHEMA.name, RecordAudit),
    startRetention(platform, DELETIONS),
    reportBacklog(log, () => backlog(database.system)),
  ];
  return {
    dependencies: { ...worker, cursors: createCursors(ring) },
    async drain() {
      await Promise.all([stopWorker(), stopDeliveries(), ...loops.map((loop) => loop.stop())]);
      await shares.returnWaiting();
      reader.stop();
    },
  };
}

/** Opens the stores of large bodies: incoming ones, and those sent to the inventory. */
function largeBodies(bus: BusConnection): { bodies: Bodies; inventoryBodies: Bodies } {
  return { bodies: openBodies(bus, "analyzer"), inventoryBodies: openBodies(bus, "inventory") };
}

/** Reads a queued job. An event that is delivered again was held by a worker that failed or died. */
function offered({ org_id, job_id, abandoned = false }: Queued, attempt = 1): Offered {
  return { orgId: org_id, id: job_id, abandoned: abandoned || attempt > 1 };
}
