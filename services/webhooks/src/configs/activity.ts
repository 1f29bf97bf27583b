import type { NotificationEvent } from "@leeway/shared/contracts/webhooks/channels";
import type { Database } from "@leeway/shared/database/database";

import { eventIdOf } from "@leeway/shared/values/event-id";
import { present } from "@leeway/shared/values/json";

import type { Publisher } from "../notifications/publish.ts";
import { addActivity, type ConfigActivity } from "./store/activity.ts";
import { countRejects, noteGoodSenders, type RejectedSender, type SenderActivity } from "./store/senders.ts";

type Accepted = "accepted" | "duplicate" | "ignored";

/** Maximum of senders tracked per organization between two writes. */
const MAX_SENDERS = 1_000;

/**
 * Records how calls to configs end. Updating rows on each call would rewrite the same rows many times a second. So
 * results are buffered and written regularly; a crash loses about a second of them.
 */
export interface Activity {
  accepted(orgId: string, configId: string, call: { status: Accepted; sender: string | undefined }): void;
  rejected(
    orgId: string,
    configIds: readonly string[],
    call: { reason: string; sender: string | undefined },
  ): void;
  /**
   * Writes the buffered results; a failure for one organization doesn't affect others.
   * @param now by the caller's clock
   * @throws the first error
   */
  flush(now?: Date): Promise<void>;
}

interface Noted {
  configs: Map<string, ConfigActivity>;
  senders: Map<string, SenderActivity>;
}

export function createActivity(database: Database, publisher: Publisher): Activity {
  let noted = new Map<string, Noted>();

  function notedOf(orgId: string): Noted {
    const ofOrg = noted.get(orgId) ?? { configs: new Map(), senders: new Map() };
    noted.set(orgId, ofOrg);
    return ofOrg;
  }

  return {
    accepted(orgId, configId, { status, sender }) {
      Object.assign(configOf(notedOf(orgId), configId), { status, eventAt: new Date(), rejects: 0 });
      Object.assign(senderOf(notedOf(orgId), configId, sender) ?? {}, { isGood: true, rejects: 0 });
    },
    rejected(orgId, configIds, { reason, sender }) {
      for (const configId of configIds) {
        const note = configOf(notedOf(orgId), configId);
        const rejects = note.rejects + 1;
        Object.assign(note, { status: "rejected", rejects, rejectAt: new Date(), rejectReason: reason });
        const own = senderOf(notedOf(orgId), configId, sender);
        if (own) own.rejects += 1;
      }
    },
    async flush(now = new Date()) {
      const taken = noted;
      noted = new Map();
      const failures: unknown[] = [];
      for (const [orgId, ofOrg] of taken)
        await writeDown({ database, publisher, now }, orgId, ofOrg).catch((error: unknown) =>
          failures.push(error),
        );
      if (failures.length > 0) throw failures[0];
    },
  };
}

function configOf({ configs }: Noted, configId: string): ConfigActivity {
  const fresh: ConfigActivity = {
    configId,
    status: "accepted",
    eventAt: undefined,
    rejects: 0,
    rejectAt: undefined,
    rejectReason: undefined,
  };
  const note = configs.get(configId) ?? fresh;
  configs.set(configId, note);
  return note;
}

function senderOf(
  { senders }: Noted,
  configId: string,
  sender: string | undefined,
): SenderActivity | undefined {
  if (sender === undefined) return undefined;
  const key = `${configId} ${sender}`;
  const known = senders.get(key);
  if (known || senders.size >= MAX_SENDERS) return known;
  const fresh = { configId, sender, isGood: false, rejects: 0 };
  senders.set(key, fresh);
  return fresh;
}

async function writeDown(
  { database, publisher, now }: { database: Database; publisher: Publisher; now: Date },
  orgId: string,
  { configs, senders }: Noted,
): Promise<void> {
  const good = [...senders.values()].filter(({ isGood }) => isGood);
  const rejected = [...senders.values()].filter(({ rejects }) => rejects > 0);
  await database.transaction(orgId, async (tx) => {
    await addActivity(tx, [...configs.values()]);
    if (good.length > 0) await noteGoodSenders(tx, good);
    if (rejected.length === 0) return;
    for (const sender of await countRejects(tx, rejected, now)) {
      await publisher.publishIn(tx, { event: rejectingEvent(sender, now) });
    }
  });
}

/**
 * Creates the event for a sender whose calls are rejected. Its id is the same all day (UTC), so the worst sender of a
 * config represents the others.
 */
function rejectingEvent(
  { config_id: id, sender, source, name, rejects, last_reject_reason: reason }: RejectedSender,
  now: Date,
): NotificationEvent {
  const at = now.toISOString();
  return {
    id: eventIdOf("webhook_config.rejecting", id, at.slice(0, 10)),
    type: "webhook_config.rejecting",
    created_at: at,
    data: { config_id: id, source, sender, consecutive_rejects: rejects, ...present({ name, reason }) },
  };
}
