import { tellBacklog } from "@leeway/shared/telemetry/backlog";
import { hear } from "@leeway/shared/bus/broadcast";
import { ConfigsChanged } from "@leeway/shared/contracts/webhooks/configs";
import { createCursors } from "@leeway/shared/cursor";
import { createEgress } from "@leeway/shared/egress/egress";
import type { KeyRing } from "@leeway/shared/encryption/keyring";
import { repeat, type Repeated } from "@leeway/shared/repeat";
import type { Platform, Running } from "@leeway/shared/service";

import { createGithubApp, type GithubAppSettings } from "./code-host/github-app.ts";
import { createPauses } from "./code-host/pauses.ts";
import { createTurns } from "./code-host/turns.ts";
import { createActiveConfigs } from "./configs/active-configs.ts";
import { createActivity } from "./configs/activity.ts";
import { createFreshReadings } from "./deliveries/fresh.ts";
import { createHandOver } from "./deliveries/hand-over.ts";
import { createIntake } from "./deliveries/intake.ts";
import { createOutbox } from "./deliveries/outbox.ts";
import { backlog, forgetRecentBodies, keepHouse } from "./deliveries/store/work.ts";
import { startDeliveryWorker } from "./deliveries/worker.ts";
import type { Dependencies } from "./handlers.ts";
import type { MailSettings } from "./notifications/mail.ts";
import { startNotifications } from "./notifications/start.ts";

const SWEEP_MS = 1_000;
const ACTIVITY_MS = 1_000;
const HOUSE_MS = 10 * 60 * 1000;
const MOST_FORGOTTEN = 20_000;
const RETENTION = { deliveryDays: 30, bodyDays: 7 };

export interface Settings {
  ring: KeyRing;
  replicas: number;
  publicBaseUrl: string;
  /** `host:port` pairs that may be private. */
  egressAllow: readonly string[];
  /** By which planners' plans are commented on; without it they aren't. */
  githubApp?: GithubAppSettings | undefined;
  /** Where e-mails go out; without it there are no e-mail channels. */
  mail?: MailSettings | undefined;
  dedupeHours: number;
  /** Waits before a delivery is tried again; in earnest they are its worker's own. */
  retryMs?: readonly number[];
  /** The same of a notification. */
  ladderSeconds?: readonly number[] | undefined;
}

/** Starts what the service does by itself, and gives what its handlers work with. */
export async function startWebhooks(
  platform: Platform,
  settings: Settings,
): Promise<Running & { dependencies: Dependencies }> {
  const { database, bus, log } = platform;
  const { ring, replicas, publicBaseUrl, egressAllow, githubApp, dedupeHours, retryMs } = settings;
  const active = createActiveConfigs({ database, ring, log });
  hear(bus, { broadcast: ConfigsChanged, log }, (orgId) => active.forget(orgId));
  const egress = createEgress({ allow: egressAllow });
  const { drain: stopNotifier, ...notifications } = startNotifications(platform, { ...settings, egress });
  const activity = createActivity(database, notifications.publisher);
  const outbox = createOutbox(platform);
  const fresh = createFreshReadings();
  const handOver = createHandOver(platform);
  const worked = { ...platform, ring, active, outbox, fresh, handOver, retryMs };
  const stopWorker = await startDeliveryWorker(worked, replicas);
  const loops = [
    repeat({ name: "outbox", everyMs: SWEEP_MS, log, work: () => outbox.sweep() }),
    repeat({ name: "events", everyMs: SWEEP_MS, log, work: () => handOver.sweep() }),
    repeat({ name: "activity", everyMs: ACTIVITY_MS, log, work: () => activity.flush() }),
    startHouse(platform, dedupeHours),
    tellBacklog(log, () => backlog(database.system)),
  ];
  return {
    dependencies: {
      ...platform,
      ring,
      active,
      activity,
      outbox,
      fresh,
      intake: createIntake(database, outbox, dedupeHours),
      egress,
      ...notifications,
      pauses: createPauses(),
      turns: createTurns(database),
      githubApp: githubApp && createGithubApp(githubApp),
      cursors: createCursors(ring),
      publicBaseUrl,
    },
    async drain() {
      await Promise.all([stopWorker(), stopNotifier(), ...loops.map((loop) => loop.stop())]);
      await activity
        .flush()
        .catch((error: unknown) => log.warn({ error }, "what happened to configs is lost"));
    },
  };
}

/** Drops what is too old. */
function startHouse({ database, log }: Platform, dedupeHours: number): Repeated {
  const house = repeat({
    name: "retention",
    everyMs: HOUSE_MS,
    log,
    async work() {
      await keepHouse(database.system, RETENTION);
      const forgotten = await forgetRecentBodies(database.system, { dedupeHours, atMost: MOST_FORGOTTEN });
      if (forgotten === MOST_FORGOTTEN) house.wake();
    },
  });
  return house;
}
