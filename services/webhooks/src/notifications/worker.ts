import { withContext } from "@leeway/shared/context";
import type { OrgStatements, Transaction } from "@leeway/shared/database/database";
import { SealError } from "@leeway/shared/encryption/envelope";
import { eventIdOf } from "@leeway/shared/event-id";
import { member, text } from "@leeway/shared/json";
import type { KeyRing } from "@leeway/shared/encryption/keyring";
import { counter } from "@leeway/shared/telemetry/metrics";
import { repeat, type Repeated } from "@leeway/shared/repeat";
import type { Platform } from "@leeway/shared/service";

import type { Told } from "./content.ts";
import type { Publisher } from "./publish.ts";
import { pageOf } from "./page.ts";
import { sendMessage, type Failure, type Senders, type Sent } from "./send.ts";
import { disableChannel, lockChannel, noteDelivered, noteGivenUp } from "./store/channels.ts";
import {
  failWaiting,
  holdBack,
  leasedMessage,
  leaseMessages,
  noteAttempt,
  type LeasedMessage,
} from "./store/messages.ts";
import { lockPublishing, notificationsOf, type Notification } from "./store/notifications.ts";
import { openLeft, openTarget, sealLeft, type Target } from "./target.ts";

const EVERY_MS = 1_000;
/** So many receivers that hang, of as many organizations by four, hold up nobody else. */
const MOST_AT_ONCE = 256;
const MOST_OF_ORG = 4;
/** Longer than an attempt takes: a process that died gives its messages up. */
const LEASE_SECONDS = 60;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Waits after an attempt that failed; the one after the last is given up. */
const LADDER_SECONDS: readonly number[] = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR];
const MOST_JITTER = 0.1;
const MOST_GIVEN_UP = 10;

const sent = counter("notifications_sent_total", "Attempts to send a notification", ["kind", "outcome"]);

export interface NotifierDependencies extends Platform {
  ring: KeyRing;
  senders: Senders;
  publisher: Publisher;
  /** Where the dashboard is. */
  publicBaseUrl: string;
  /** Waits in place of the worker's own, for tests. */
  ladderSeconds?: readonly number[] | undefined;
}

/** Sends what waits in the outbox, each message by one process at a time. */
export function startNotifier(deps: NotifierDependencies): Repeated {
  const { database, log } = deps;
  const holder = crypto.randomUUID();
  const underWay = new Set<Promise<void>>();

  async function sweep(): Promise<void> {
    const limit = MOST_AT_ONCE - underWay.size;
    if (limit <= 0) return;
    const options = { holder, seconds: LEASE_SECONDS, mostOfOrg: MOST_OF_ORG, limit };
    for (const { org_id: orgId, id } of await leaseMessages(database.system, options)) {
      const work = withContext({ requestId: crypto.randomUUID() }, () => attempt(deps, orgId, { id, holder }))
        .catch((error: unknown) => log.warn({ error, org_id: orgId }, "a notification will be tried again"))
        .finally(() => {
          underWay.delete(work);
          loop.wake();
        });
      underWay.add(work);
    }
  }

  const loop = repeat({ name: "notifications", everyMs: EVERY_MS, log, work: sweep });
  return {
    wake: () => loop.wake(),
    async stop() {
      await loop.stop();
      await Promise.allSettled(underWay);
    },
  };
}

async function attempt(
  deps: NotifierDependencies,
  orgId: string,
  { id, holder }: { id: string; holder: string },
): Promise<void> {
  const message = await leasedMessage(deps.database.org(orgId), id, holder);
  if (!message) return;
  const outcome = await send(deps, orgId, message);
  sent.inc({ kind: message.kind, outcome: outcome.delivered ? "delivered" : "failed" });
  await deps.database.transaction(orgId, (tx) => settle(deps, tx, { message, holder, outcome }));
}

async function send(deps: NotifierDependencies, orgId: string, message: LeasedMessage): Promise<Sent> {
  if (!message.enabled && message.type !== TEST_TYPE) {
    return { delivered: false, reason: "the channel is disabled" };
  }
  try {
    const target = targetOf(deps, orgId, message);
    if (target.kind === "email" && target.to.length === 0) return { delivered: true, reason: NOBODY_LEFT };
    const createdAt = message.created_at.toISOString();
    const organization = { publicBaseUrl: deps.publicBaseUrl, orgId };
    const stored = await toldBy(deps.database.org(orgId), message);
    const told = stored.map((one) => ({ ...one, url: one.url ?? pageOf(organization, one) }));
    const { message_id: messageId, type } = message;
    return await sendMessage(deps.senders, target, { orgId, messageId, type, createdAt, told });
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    deps.log.error({ error, org_id: orgId, channel_id: message.channel_id }, "a target doesn't open");
    return { delivered: false, reason: "the channel's target can't be decrypted" };
  }
}

const NOBODY_LEFT = "the addresses that it hadn't reached were taken from the channel";

/** Where a message goes: an e-mail that has reached some of the channel's recipients, to those of them that are left. */
function targetOf({ ring }: NotifierDependencies, orgId: string, message: LeasedMessage): Target {
  const { id: messageId, channel_id: channelId, sealed_target, sealed_left } = message;
  const target = openTarget(ring, { orgId, channelId }, sealed_target);
  if (target.kind !== "email" || !sealed_left) return target;
  const left = new Set(openLeft(ring, { orgId, messageId }, sealed_left));
  return { ...target, to: target.to.filter((address) => left.has(address)) };
}

/** The type of the message by which a channel is tried. */
export const TEST_TYPE = "channel.test";

async function toldBy(sql: OrgStatements, message: LeasedMessage): Promise<Told[]> {
  const { type, message_id: id, created_at, channel_id, name } = message;
  if (type === TEST_TYPE) {
    return [{ id, type, createdAt: created_at.toISOString(), data: { channel_id, name } }];
  }
  return (await notificationsOf(sql, message.notification_ids)).map(toldOf);
}

function toldOf({ id, type, created_at, content }: Notification): Told {
  const parsed = JSON.parse(content);
  const data = member(parsed, "data") ?? {};
  return { id, type, createdAt: created_at.toISOString(), data, url: text(parsed, "url") };
}

interface Settled {
  message: LeasedMessage;
  holder: string;
  outcome: Sent;
}

/** Takes locks in the order of whoever publishes or removes a channel: publishing, a channel, its messages. */
async function settle(
  deps: NotifierDependencies,
  tx: Transaction,
  { message, holder, outcome }: Settled,
): Promise<void> {
  const { id, channel_id: channelId, type } = message;
  if (!outcome.delivered && !isGoodEnough(deps, message, outcome))
    return settleFailed(deps, tx, { message, holder, failure: outcome });
  await lockChannel(tx, channelId);
  if (!(await noteAttempt(tx, { ...outcome, delivered: true, id, holder }))) return;
  await noteDelivered(tx, channelId, { endsRow: type !== TEST_TYPE });
}

/** An e-mail that has reached some of its recipients isn't lost, though no more attempts follow for the others. */
function isGoodEnough(deps: NotifierDependencies, message: LeasedMessage, failure: Failure): boolean {
  const isPart = failure.left !== undefined || message.sealed_left !== null;
  return isPart && waitAfter(deps, message, failure) === undefined;
}

type Failed = Omit<Settled, "outcome"> & { failure: Failure };

async function settleFailed(deps: NotifierDependencies, tx: Transaction, failed: Failed): Promise<void> {
  const { message, holder, failure } = failed;
  const retrySeconds = waitAfter(deps, message, failure);
  if (retrySeconds !== undefined) return postpone(deps, tx, failed, retrySeconds);
  await lockPublishing(tx);
  await lockChannel(tx, message.channel_id);
  if (!(await noteAttempt(tx, { ...failure, id: message.id, holder }))) return;
  if (failure.gone) return disable(deps, tx, message, "the receiver answered 410: it is gone");
  if (message.type !== TEST_TYPE && message.enabled) await countGivenUp(deps, tx, message, failure.reason);
}

/** Has a message tried again; where its receiver asks for a pause, with all that waits for the channel. */
async function postpone(
  { ring }: NotifierDependencies,
  tx: Transaction,
  { message, holder, failure }: Failed,
  retrySeconds: number,
): Promise<void> {
  const { id, channel_id: channelId } = message;
  const { retryAfterSeconds: pause = 0, left } = failure;
  const sealedLeft = left && sealLeft(ring, { orgId: tx.orgId, messageId: id }, left);
  if (pause > 0) await lockChannel(tx, channelId);
  const isNoted = await noteAttempt(tx, { ...failure, id, holder, retrySeconds, sealedLeft });
  if (isNoted && pause > 0) await holdBack(tx, channelId, pause);
}

async function countGivenUp(
  deps: NotifierDependencies,
  tx: Transaction,
  message: LeasedMessage,
  reason: string,
): Promise<void> {
  const failures = await noteGivenUp(tx, message.channel_id);
  if (failures < MOST_GIVEN_UP) return;
  await disable(deps, tx, message, `${failures} messages in a row were given up; at last: ${reason}`);
}

/** How long to wait for the next attempt; undefined when there is none. */
function waitAfter(
  { ladderSeconds = LADDER_SECONDS }: NotifierDependencies,
  { attempts, enabled, type }: LeasedMessage,
  { gone, retryAfterSeconds = 0 }: Failure,
): number | undefined {
  if (gone || !enabled || type === TEST_TYPE) return undefined;
  const wait = ladderSeconds[attempts];
  return wait === undefined
    ? undefined
    : Math.max(wait * (1 + MOST_JITTER * Math.random()), retryAfterSeconds);
}

/** Disables a channel, whose lock the transaction has, and tells the organization's others. */
async function disable(
  { log, publisher }: NotifierDependencies,
  tx: Transaction,
  { channel_id, kind, name }: LeasedMessage,
  reason: string,
): Promise<void> {
  const disabledAt = (await disableChannel(tx, channel_id, reason))?.toISOString();
  if (disabledAt === undefined) return;
  await failWaiting(tx, channel_id, "the channel was disabled");
  log.warn({ org_id: tx.orgId, channel_id, reason }, "a notification channel was disabled");
  await publisher.publishIn(tx, {
    event: {
      id: eventIdOf("notification_channel.disabled", channel_id, disabledAt),
      type: "notification_channel.disabled",
      created_at: disabledAt,
      data: { channel_id, kind, name, reason, disabled_at: disabledAt },
    },
  });
}
