import { startAuditOutbox } from "@leeway/shared/service/audit/audit-outbox";
import { onBroadcast } from "@leeway/shared/bus/broadcast";
import { RecordAudit } from "@leeway/shared/contracts/gateway/audit";
import { RETENTION, RETENTION_BATCH } from "@leeway/shared/contracts/retention";
import { ConfigsChanged } from "@leeway/shared/contracts/webhooks/configs";
import { createCursors } from "@leeway/shared/security/cursor";
import { createEgress } from "@leeway/shared/security/egress/egress";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import { repeat } from "@leeway/shared/platform/repeat";
import { startRetention, type Deletion } from "@leeway/shared/service/retention";
import type { Platform, Started } from "@leeway/shared/service/service";
import { reportBacklog } from "@leeway/shared/platform/telemetry/backlog";

import { createCodeCache } from "./code/code-cache.ts";
import { createGithubApp, type GithubAppSettings } from "./code-host/github-app.ts";
import { createPauses } from "./code-host/pauses.ts";
import { createRepositoryLeases } from "./code-host/repository-leases.ts";
import { createActiveConfigs } from "./configs/active-configs.ts";
import { createActivity } from "./configs/activity.ts";
import { forgetSenders } from "./configs/store/senders.ts";
import { createIntake } from "./deliveries/intake.ts";
import { createDeliveryOutbox } from "./deliveries/outbox.ts";
import { backlog, forgetRecentBodies, deleteExpired } from "./deliveries/store/work.ts";
import type { Dependencies } from "./handlers.ts";
import type { MailSettings } from "./notifications/mail/transport.ts";
import { startNotifications } from "./notifications/start.ts";
import { forgetMailCounts } from "./notifications/store/mail-counts.ts";
import { forgetNotifications } from "./notifications/store/notifications.ts";
import { createReader } from "./events/reader.ts";
import { SCHEMA } from "./schema.ts";

const ACTIVITY_MS = 1_000;

export interface Settings {
  ring: KeyRing;
  publicBaseUrl: string;
  /** Allowed private destinations, as `host:port`. */
  egressAllow: readonly string[];
  /** GitHub App that comments on planners' plans; without it they get no comments. */
  githubApp?: GithubAppSettings | undefined;
  /** Mail server; without it there are no e-mail channels. */
  mail?: MailSettings | undefined;
  dedupeHours: number;
  /** Retry delays of a notification; only tests set them. */
  ladderSeconds?: readonly number[] | undefined;
}

/** Starts the background loops. Returns the dependencies of the handlers. */
export async function startWebhooks(platform: Platform, settings: Settings): Promise<Started<Dependencies>> {
  const { database, bus, log } = platform;
  const { ring, publicBaseUrl, egressAllow, githubApp, dedupeHours } = settings;
  const active = createActiveConfigs({ database, ring, log });
  onBroadcast(bus, { broadcast: ConfigsChanged, log }, (orgId) => active.forget(orgId));
  const egress = createEgress({ allow: egressAllow });
  const { drain: stopNotifier, ...notifications } = startNotifications(platform, { ...settings, egress });
  const activity = createActivity(database, notifications.publisher);
  const outbox = createDeliveryOutbox(platform);
  const reader = createReader();
  const loops = [
    outbox.start(),
    repeat({ name: "activity", everyMs: ACTIVITY_MS, log, work: () => activity.flush() }),
    startAuditOutbox(platform, SCHEMA.name, RecordAudit),
    startRetention(platform, deletionsOf(dedupeHours)),
    reportBacklog(log, () => backlog(database.system)),
  ];
  return {
    dependencies: {
      ...platform,
      ring,
      active,
      activity,
      outbox,
      reader,
      intake: createIntake(database, outbox, dedupeHours),
      egress,
      ...notifications,
      pauses: createPauses(),
      codeCache: createCodeCache(),
      leases: createRepositoryLeases(database),
      githubApp: githubApp && createGithubApp(githubApp),
      cursors: createCursors(ring),
      publicBaseUrl,
    },
    async drain() {
      await Promise.all([stopNotifier(), ...loops.map((loop) => loop.stop())]);
      reader.stop();
      await activity
        .flush()
        .catch((error: unknown) => log.warn({ error }, "couldn't store configs' activity"));
    },
  };
}

/** Returns the deletions of expired deliveries and notifications. */
function deletionsOf(dedupeHours: number): Deletion[] {
  return [
    deleteExpired,
    (sql) => forgetSenders(sql, RETENTION.senders.days, RETENTION_BATCH),
    (sql) => forgetRecentBodies(sql, { dedupeHours, atMost: RETENTION_BATCH }),
    forgetMailCounts,
    (sql) => forgetNotifications(sql, RETENTION_BATCH),
  ];
}
