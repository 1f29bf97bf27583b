import { withContext } from "@leeway/shared/platform/context";
import type { OrgStatements, Transaction } from "@leeway/shared/database/database";
import { SealError } from "@leeway/shared/security/encryption/envelope";
import { eventIdOf } from "@leeway/shared/values/event-id";
import { member, text } from "@leeway/shared/values/json";
import { counter } from "@leeway/shared/platform/telemetry/metrics";
import { repeat, type Repeated } from "@leeway/shared/platform/repeat";
import type { Platform } from "@leeway/shared/service/service";

import { audit } from "../audit.ts";
import type { PublishedEvent } from "./content.ts";
import type { Failure, SendDependencies, Sent } from "./kind.ts";
import { kindOf } from "./kinds/kinds.ts";
import { CONFIRMATION_TYPE, TEST_TYPE } from "./mail/recipients.ts";
import type { Publisher } from "./publish.ts";
import { pageOf } from "./page.ts";
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
import { openLeft, openTarget, sealLeft } from "./target.ts";

const EVERY_MS = 1_000;
/** Limits on concurrent attempts. Hanging receivers of up to 64 organizations, four each, don't delay the others. */
const MAX_AT_ONCE = 256;
const MAX_OF_ORG = 4;
/** Longer than an attempt takes. The messages of a crashed process become free after it. */
const LEASE_SECONDS = 60;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Waits after failed attempts. A message whose last attempt fails is given up. */
const LADDER_SECONDS: readonly number[] = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR];
const MAX_JITTER = 0.1;
const MAX_GIVEN_UP = 10;

const sent = counter("notifications_sent_total", "Attempts to send a notification, by outcome", [
  "kind",
  "outcome",
]);

export interface NotifierDependencies extends Platform, SendDependencies {
  publisher: Publisher;
  /** Waits for tests, instead of {@link LADDER_SECONDS}. */
  ladderSeconds?: readonly number[] | undefined;
}

/** Sends pending messages of the outbox, each by one process at a time. */
export function startNotifier(deps: NotifierDependencies): Repeated {
  const { database, log } = deps;
  const holder = crypto.randomUUID();
  const underWay = new Set<Promise<void>>();

  async function sweep(): Promise<void> {
    const limit = MAX_AT_ONCE - underWay.size;
    if (limit <= 0) return;
    const options = { holder, seconds: LEASE_SECONDS, maxOfOrg: MAX_OF_ORG, limit };
    for (const { org_id: orgId, id } of await leaseMessages(database.system, options)) {
      const work = withContext({ requestId: crypto.randomUUID() }, () => attempt(deps, orgId, { id, holder }))
        .catch((error: unknown) =>
          log.warn({ error, org_id: orgId }, "couldn't send notifications; retrying"),
        )
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
  if (!message.enabled && !isOurs(message)) {
    return { delivered: false, reason: "the channel is disabled" };
  }
  const kind = kindOf(message.kind);
  if (!kind) return { delivered: false, reason: `this server doesn't know channels of kind ${message.kind}` };
  try {
    const { id, channel_id: channelId, message_id: messageId, type, sealed_target, sealed_left } = message;
    const target = kind.restore(openTarget(deps.ring, { orgId, channelId }, sealed_target));
    const left = sealed_left ? openLeft(deps.ring, { orgId, messageId: id }, sealed_left) : undefined;
    const createdAt = message.created_at.toISOString();
    const events = await eventsOf(deps, orgId, message);
    return await target.send(deps, { orgId, channelId, messageId, type, createdAt, events, left });
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    deps.log.error(
      { error, org_id: orgId, channel_id: message.channel_id },
      "a channel's target can't be decrypted",
    );
    return { delivered: false, reason: "the channel's target can't be decrypted" };
  }
}

/** Returns the events of a message, each with the page that shows it. */
async function eventsOf(
  { database, publicBaseUrl }: NotifierDependencies,
  orgId: string,
  message: LeasedMessage,
): Promise<PublishedEvent[]> {
  const stored = await storedEvents(database.org(orgId), message);
  return stored.map((event) => ({ ...event, url: event.url ?? pageOf({ publicBaseUrl, orgId }, event) }));
}

/** Checks for a message without an event, which doesn't affect the channel's state. */
function isOurs({ type }: LeasedMessage): boolean {
  return type === TEST_TYPE || type === CONFIRMATION_TYPE;
}

async function storedEvents(sql: OrgStatements, message: LeasedMessage): Promise<PublishedEvent[]> {
  const { type, message_id: id, created_at, channel_id, name } = message;
  if (type === TEST_TYPE) {
    return [{ id, type, createdAt: created_at.toISOString(), data: { channel_id, name } }];
  }
  return (await notificationsOf(sql, message.notification_ids)).map(eventOf);
}

function eventOf({ id, type, created_at, content }: Notification): PublishedEvent {
  const parsed = JSON.parse(content);
  const data = member(parsed, "data") ?? {};
  return { id, type, createdAt: created_at.toISOString(), data, url: text(parsed, "url") };
}

interface Settled {
  message: LeasedMessage;
  holder: string;
  outcome: Sent;
}

/**
 * Stores the outcome of an attempt. Takes locks in the same order as publishing or deleting a channel does:
 * publishing, channel, messages.
 */
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
  if (type !== CONFIRMATION_TYPE) await noteDelivered(tx, channelId, { endsRow: type !== TEST_TYPE });
}

/** Checks whether an e-mail reached some of its recipients and has no attempts left, which counts as delivered. */
function isGoodEnough(deps: NotifierDependencies, message: LeasedMessage, failure: Failure): boolean {
  if (message.type === CONFIRMATION_TYPE) return false;
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
  if (failure.gone) return disable(deps, tx, message, "the receiver answered 410 Gone");
  if (!isOurs(message) && message.enabled && !failure.isFinal)
    await countGivenUp(deps, tx, message, failure.reason);
}

/** Schedules a retry. If the receiver asked for a pause, delays all of the channel's messages. */
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
  if (failures < MAX_GIVEN_UP) return;
  await disable(deps, tx, message, `${failures} consecutive messages failed; last error: ${reason}`);
}

/** Returns the wait before the next attempt; undefined if there is none. */
function waitAfter(
  { ladderSeconds = LADDER_SECONDS }: NotifierDependencies,
  { attempts, enabled, type }: LeasedMessage,
  { gone, isFinal, retryAfterSeconds = 0 }: Failure,
): number | undefined {
  if (gone || isFinal || type === TEST_TYPE || (!enabled && type !== CONFIRMATION_TYPE)) return undefined;
  const wait = ladderSeconds[attempts];
  return wait === undefined
    ? undefined
    : Math.max(wait * (1 + MAX_JITTER * Math.random()), retryAfterSeconds);
}

/** Disables a channel, which the transaction has locked, and notifies the organization's other channels. */
async function disable(
  { log, publisher }: NotifierDependencies,
  tx: Transaction,
  { channel_id, kind, name }: LeasedMessage,
  reason: string,
): Promise<void> {
  const disabledAt = (await disableChannel(tx, channel_id, reason))?.toISOString();
  if (disabledAt === undefined) return;
  const details = { kind, name, reason };
  await audit(tx, { action: "notification_channel.disable", targetId: channel_id, details });
  await failWaiting(tx, channel_id, "the channel was disabled");
  log.warn({ org_id: tx.orgId, channel_id, reason }, "disabled a notification channel");
  await publisher.publishIn(tx, {
    event: {
      id: eventIdOf("notification_channel.disabled", channel_id, disabledAt),
      type: "notification_channel.disabled",
      created_at: disabledAt,
      data: { channel_id, kind, name, reason, disabled_at: disabledAt },
    },
  });
}
