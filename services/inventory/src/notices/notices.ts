import { call } from "@leeway/shared/bus/request";
import type { Input, Output } from "@leeway/shared/contracts/contract";
import { PublishNotification } from "@leeway/shared/contracts/webhooks/channels";
import type { OrgStatements, Transaction } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/values/errors";
import { createOutbox, type Outbox } from "@leeway/shared/service/outbox";
import type { Platform } from "@leeway/shared/service/service";

import { deleteNotice, insertNotice, leaseNotices, nameOfAccount, oldestNotices } from "./store.ts";

/** An event for the organization's notification channels. */
export type Publication = Omit<Input<typeof PublishNotification>, "org_id">;

/** A stored event. */
export interface Notice {
  publication: Publication;
  /** Fingerprints of all changes that it reports. */
  fingerprints: readonly string[];
  created_at: Date;
}

/** Returns what views select of an event. */
type NewsOfViews = (sql: OrgStatements, notice: Notice, viewIds: readonly string[]) => Promise<Publication[]>;

const SWEEP_MS = 1_000;
/** Longer than publishing takes. Notices that weren't accepted by then are published again. */
const LEASE_SECONDS = 15;
const MAX_AT_ONCE = 100;
const HOPELESS: ReadonlySet<string> = new Set(["invalid_parameter", "payload_too_large"]);

/**
 * Stores an event for an organization's channels. It is published only if the transaction is committed. The account
 * is optional. `fingerprints` are those of all reported changes.
 */
export async function notify(
  tx: Transaction,
  accountId: string | undefined,
  { event, ...publication }: Publication,
  fingerprints: readonly string[] = [],
): Promise<void> {
  const account_name = accountId && (await nameOfAccount(tx, accountId));
  await insertNotice(
    tx,
    JSON.stringify({ ...publication, event: { ...event, data: { account_name, ...event.data } } }),
    fingerprints,
  );
}

/** Creates the outbox of the stored events. */
export function createNotices(platform: Platform, newsOfViews: NewsOfViews): Outbox<{ id: string }> {
  const { database } = platform;
  return createOutbox<{ id: string }>(platform, {
    name: "notices",
    everyMs: SWEEP_MS,
    limit: MAX_AT_ONCE,
    claim: () => leaseNotices(database.system, { seconds: LEASE_SECONDS, limit: MAX_AT_ONCE }),
    batches: (leased) => [[...leased]],
    // Earlier events that weren't accepted, or that another process is publishing, go first: `resolved` mustn't
    // overtake `detected`, and a repeated event does no harm.
    async send(orgId, leased) {
      const sql = database.org(orgId);
      const last = leased.reduce((latest, { id }) => (id > latest ? id : latest), "");
      for (const { id, ...stored } of await oldestNotices(sql, { last, limit: MAX_AT_ONCE })) {
        const notice = { ...stored, publication: JSON.parse(stored.publication) };
        const published = await publish(platform, orgId, notice.publication);
        const viewIds = published?.view_ids ?? [];
        const selected = viewIds.length > 0 ? await newsOfViews(sql, notice, viewIds) : [];
        for (const publication of selected) await publish(platform, orgId, publication);
        await deleteNotice(sql, id);
      }
    },
  });
}

/** Publishes an event. One that can never be accepted is logged and then treated as accepted. */
async function publish(
  { bus, log }: Platform,
  orgId: string,
  publication: Publication,
): Promise<Output<typeof PublishNotification> | undefined> {
  try {
    return await call(bus, PublishNotification, { org_id: orgId, ...publication });
  } catch (error) {
    const isHopeless = error instanceof AppError && HOPELESS.has(error.code);
    if (!isHopeless) throw error;
    log.error({ error, org_id: orgId }, "a notification was rejected; it is dropped");
    return undefined;
  }
}
