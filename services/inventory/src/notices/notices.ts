import { call } from "@leeway/shared/bus/request";
import type { Input } from "@leeway/shared/contracts/contract";
import { PublishNotification } from "@leeway/shared/contracts/webhooks/channels";
import type { Transaction } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/values/errors";
import { createOutbox, type Outbox } from "@leeway/shared/service/outbox";
import type { Platform } from "@leeway/shared/service/service";

import { deleteNotice, insertNotice, leaseNotices, nameOfAccount, oldestNotices } from "./store.ts";

/** An event for the organization's notification channels. */
export type Publication = Omit<Input<typeof PublishNotification>, "org_id">;

const SWEEP_MS = 1_000;
/** Longer than publishing takes. Notices that weren't accepted by then are published again. */
const LEASE_SECONDS = 15;
const MAX_AT_ONCE = 100;
const HOPELESS: ReadonlySet<string> = new Set(["invalid_parameter", "payload_too_large"]);

/**
 * Stores an event for an organization's channels. It is published only if the transaction is committed. The account
 * is optional.
 */
export async function notify(
  tx: Transaction,
  accountId: string | undefined,
  { event, ...publication }: Publication,
): Promise<void> {
  const account_name = accountId && (await nameOfAccount(tx, accountId));
  await insertNotice(
    tx,
    JSON.stringify({ ...publication, event: { ...event, data: { account_name, ...event.data } } }),
  );
}

/** Creates the outbox of the stored events. */
export function createNotices(platform: Platform): Outbox<{ id: string }> {
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
      for (const { id, publication } of await oldestNotices(sql, { last, limit: MAX_AT_ONCE })) {
        await publish(platform, orgId, publication);
        await deleteNotice(sql, id);
      }
    },
  });
}

/** Publishes an event. One that can never be accepted is logged and then treated as accepted. */
async function publish({ bus, log }: Platform, orgId: string, publication: string): Promise<void> {
  try {
    await call(bus, PublishNotification, { org_id: orgId, ...JSON.parse(publication) });
  } catch (error) {
    const isHopeless = error instanceof AppError && HOPELESS.has(error.code);
    if (!isHopeless) throw error;
    log.error({ error, org_id: orgId }, "a notification was rejected; it is dropped");
  }
}
