import type { Static } from "@sinclair/typebox";
import { tellBacklog } from "@leeway/shared/telemetry/backlog";
import { openBodies } from "@leeway/shared/bus/bodies";
import { consume } from "@leeway/shared/bus/consume";
import { ensureStreams } from "@leeway/shared/bus/streams";
import { currentContext, withContext } from "@leeway/shared/context";
import { JobQueued } from "@leeway/shared/contracts/analyzer/jobs";
import { createCursors } from "@leeway/shared/cursor";
import type { KeyRing } from "@leeway/shared/encryption/keyring";
import { repeat, type Repeated } from "@leeway/shared/repeat";
import { createShares } from "@leeway/shared/fairness/shares";
import type { Platform, Running } from "@leeway/shared/service";

import type { Dependencies } from "./handlers.ts";
import { createEndedJobs } from "./jobs/ended.ts";
import { createOutbox, type Offered, type Outbox } from "./jobs/outbox.ts";
import { backlog, forgetUnseen, keepHouse } from "./jobs/store/jobs.ts";
import { giveUpJob, workOffJob } from "./jobs/work-off-job.ts";
import { createReports } from "./plans/reports.ts";
import { createPlanReader } from "./plans/plan-reader.ts";

/** Most of a job's time is a model's or a code host's. */
const CONCURRENT = 32;
/** Of them, what one organization may take. */
const SHARE = 8;
/** All of them before the sweep would offer a job again. */
const RETRY_MS = [1_000, 5_000, 15_000, 30_000];
const SWEEP_MS = 1_000;
const HOUSE_MS = 10 * 60 * 1000;
const INPUT_DAYS = 7;
/** Of what plans have shown. */
const UNSEEN = { days: 400, atMost: 5_000 };
/** A service that ends has nine seconds. */
const GRACE_MS = 5_000;

type Queued = Static<(typeof JobQueued)["payload"]>;

export interface Settings {
  ring: KeyRing;
  replicas: number;
  publicBaseUrl: string;
  /** Waits before a job is tried again; in earnest they are its worker's own. */
  retryMs?: readonly number[];
}

/** Starts what the service does by itself, and gives what its handlers work with. */
export async function startAnalyzer(
  platform: Platform,
  { ring, replicas, publicBaseUrl, retryMs = RETRY_MS }: Settings,
): Promise<Running & { dependencies: Dependencies }> {
  const { database, bus, log } = platform;
  await ensureStreams(bus, [JobQueued], replicas);
  const outbox = createOutbox(platform);
  const reader = createPlanReader();
  const ended = createEndedJobs(bus, log);
  const bodies = openBodies(bus, replicas);
  const reports = createReports(bus);
  const worker = { ...platform, ring, reader, outbox, ended, bodies, reports, publicBaseUrl };
  const shares = createShares({
    share: SHARE,
    workers: CONCURRENT,
    offerAgain: outbox.offerAgain,
    // Offered twice, it is abandoned if either offer says so.
    merge: (known: Offered, job) => ({ ...job, abandoned: known.abandoned || job.abandoned }),
  });
  const stopping = new AbortController();
  const stopWorker = consume(bus, {
    event: JobQueued,
    durable: "analyzer-jobs",
    concurrency: CONCURRENT,
    retryMs,
    handle(queued, { attempt, last }) {
      const job = offered(queued, attempt);
      return shares.within(job, () =>
        unlessStopped(stopping.signal, () => workOffJob(worker, job, { last })),
      );
    },
    onDead: (queued, message) => giveUpJob(worker, offered(queued), { code: "internal", message }),
    log,
  });
  const loops = [
    repeat({ name: "outbox", everyMs: SWEEP_MS, log, work: offersOf(outbox) }),
    startHouse(platform),
    tellBacklog(log, () => backlog(database.system)),
  ];
  return {
    dependencies: { ...worker, cursors: createCursors(ring) },
    async drain() {
      setTimeout(() => stopping.abort(), GRACE_MS).unref();
      await Promise.all([stopWorker(), ...loops.map((loop) => loop.stop())]);
      await shares.giveBack();
      reader.stop();
    },
  };
}

/** What keeps jobs on the bus. Where the database is away at the start, what was put aside comes when it is back. */
function offersOf(outbox: Outbox): () => Promise<void> {
  let hasResumed = false;
  return async () => {
    if (!hasResumed) await outbox.resume();
    hasResumed = true;
    await outbox.sweep();
  };
}

/** Drops what is too old. */
function startHouse({ database, log }: Platform): Repeated {
  const house = repeat({
    name: "retention",
    everyMs: HOUSE_MS,
    log,
    async work() {
      await keepHouse(database.system, INPUT_DAYS);
      if ((await forgetUnseen(database.system, UNSEEN)) === UNSEEN.atMost) house.wake();
    },
  });
  return house;
}

/** An event that comes again was in the hands of somebody who failed, or died. */
function offered({ org_id, job_id, abandoned = false }: Queued, attempt = 1): Offered {
  return { orgId: org_id, id: job_id, abandoned: abandoned || attempt > 1 };
}

/** Runs `work` so that what it asks others for is called off when the service stops. */
function unlessStopped(stopping: AbortSignal, work: () => Promise<void>): Promise<void> {
  const { requestId = crypto.randomUUID(), signal } = currentContext() ?? {};
  const either = signal ? AbortSignal.any([signal, stopping]) : stopping;
  return withContext({ requestId, signal: either }, work);
}
