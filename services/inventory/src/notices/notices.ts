import { call } from "@leeway/shared/bus/request";
import type { Input } from "@leeway/shared/contract";
import { PublishNotification } from "@leeway/shared/contracts/webhooks/channels";
import type { Transaction } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/errors";
import type { Platform } from "@leeway/shared/service";

import { deleteNotice, insertNotice, leaseNotices, nameOfAccount, oldestNotices } from "./store.ts";

/** An event for the organization's notification channels. */
export type Publication = Omit<Input<typeof PublishNotification>, "org_id">;

/** Longer than publishing takes: what isn't taken by then is tried again. */
const LEASE_SECONDS = 15;
const MOST_AT_ONCE = 100;
const HOPELESS: ReadonlySet<string> = new Set(["invalid_parameter", "payload_too_large"]);

/** Tells an organization's channels of something, about an account where there is one, exactly when the transaction is done. */
export async function tell(
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

/** Publishes what is to be told, in the order in which it happened; what isn't taken stays for the next time. */
export async function publishNotices(platform: Platform): Promise<void> {
  const { database, bus } = platform;
  if (!bus.connected) return;
  const leased = await leaseNotices(database.system, { seconds: LEASE_SECONDS, limit: MOST_AT_ONCE });
  const byOrg = Map.groupBy(leased, ({ org_id }) => org_id);
  await Promise.all(Array.from(byOrg, ([orgId, own]) => publishOf(platform, orgId, own)));
}

/**
 * Publishes what one organization is to be told: where that isn't taken, others don't wait for it. What came before, but
 * wasn't taken or is on its way with another process, goes first: twice does no harm, and `resolved` mustn't overtake
 * `detected`.
 */
async function publishOf(
  platform: Platform,
  orgId: string,
  leased: readonly { id: string }[],
): Promise<void> {
  const sql = platform.database.org(orgId);
  const last = leased.reduce((latest, { id }) => (id > latest ? id : latest), "");
  try {
    for (const { id, publication } of await oldestNotices(sql, { last, limit: MOST_AT_ONCE })) {
      await publish(platform, orgId, publication);
      await deleteNotice(sql, id);
    }
  } catch (error) {
    platform.log.warn({ error, org_id: orgId }, "notifications will be published again");
  }
}

/** What its owner will never take is logged, and is as good as taken. */
async function publish({ bus, log }: Platform, orgId: string, publication: string): Promise<void> {
  try {
    await call(bus, PublishNotification, { org_id: orgId, ...JSON.parse(publication) });
  } catch (error) {
    const isHopeless = error instanceof AppError && HOPELESS.has(error.code);
    if (!isHopeless) throw error;
    log.error({ error, org_id: orgId }, "a notification can't be published");
  }
}
