import type { NotificationEvent } from "@leeway/shared/contracts/webhooks/channels";
import type { Database } from "@leeway/shared/database/database";

import { eventIdOf } from "@leeway/shared/event-id";
import { present } from "@leeway/shared/json";

import type { Publisher } from "../notifications/publish.ts";
import { addActivity, type ConfigActivity, type RejectingConfig } from "./store/activity.ts";

type Accepted = "accepted" | "duplicate" | "ignored";

/**
 * Notes how the calls for configs end. Many a second would rewrite the same rows: what happened is kept
 * here and written down now and then, so that a crash loses a moment of it.
 */
export interface Activity {
  accepted(orgId: string, configId: string, status: Accepted): void;
  rejected(orgId: string, configIds: readonly string[], reason: string): void;
  /**
   * Writes down what was noted since; where one organization's can't be, the others' is.
   * @param now by the caller's clock
   * @throws what went wrong first
   */
  flush(now?: Date): Promise<void>;
}

export function createActivity(database: Database, publisher: Publisher): Activity {
  let noted = new Map<string, Map<string, ConfigActivity>>();

  function noteOf(orgId: string, configId: string): ConfigActivity {
    const ofOrg = noted.get(orgId) ?? new Map<string, ConfigActivity>();
    noted.set(orgId, ofOrg);
    const known = ofOrg.get(configId);
    if (known) return known;
    const fresh: ConfigActivity = {
      configId,
      status: "accepted",
      eventAt: undefined,
      rejects: 0,
      rejectAt: undefined,
      rejectReason: undefined,
    };
    ofOrg.set(configId, fresh);
    return fresh;
  }

  return {
    accepted(orgId, configId, status) {
      Object.assign(noteOf(orgId, configId), { status, eventAt: new Date(), rejects: 0 });
    },
    rejected(orgId, configIds, reason) {
      for (const configId of configIds) {
        const note = noteOf(orgId, configId);
        const rejects = note.rejects + 1;
        Object.assign(note, { status: "rejected", rejects, rejectAt: new Date(), rejectReason: reason });
      }
    },
    async flush(now = new Date()) {
      const taken = noted;
      noted = new Map();
      const failures: unknown[] = [];
      for (const [orgId, ofOrg] of taken)
        await writeDown({ database, publisher, now }, orgId, [...ofOrg.values()]).catch((error: unknown) =>
          failures.push(error),
        );
      if (failures.length > 0) throw failures[0];
    },
  };
}

async function writeDown(
  { database, publisher, now }: { database: Database; publisher: Publisher; now: Date },
  orgId: string,
  activity: readonly ConfigActivity[],
): Promise<void> {
  if (activity.every(({ rejects }) => rejects === 0)) {
    await addActivity(database.org(orgId), activity, now);
    return;
  }
  await database.transaction(orgId, async (tx) => {
    for (const config of await addActivity(tx, activity, now)) {
      await publisher.publishIn(tx, { event: rejectingEvent(config, now) });
    }
  });
}

/** The same event all day, in UTC: whoever knows an organization's id can have calls refused between good ones. */
function rejectingEvent(
  { id, source, name, consecutive_rejects, last_reject_reason: reason }: RejectingConfig,
  now: Date,
): NotificationEvent {
  const at = now.toISOString();
  return {
    id: eventIdOf("webhook_config.rejecting", id, at.slice(0, 10)),
    type: "webhook_config.rejecting",
    created_at: at,
    data: { config_id: id, source, consecutive_rejects, ...present({ name, reason }) },
  };
}
