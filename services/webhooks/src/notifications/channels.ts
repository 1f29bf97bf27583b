import { call } from "@leeway/shared/bus/request";
import { CheckView } from "@leeway/shared/contracts/inventory/views";
import { namesOf } from "@leeway/shared/service/audit/write-audit";
import type { Input, Output } from "@leeway/shared/contracts/contract";
import type {
  Channel,
  ChannelDelivery,
  ChannelTarget,
  ChannelWithSecret,
  CreateChannel,
  RedeliverMessage,
  TestChannel,
  UpdateChannel,
} from "@leeway/shared/contracts/webhooks/channels";
import type { AskRecipient } from "@leeway/shared/contracts/webhooks/recipients";
import type { Transaction } from "@leeway/shared/database/database";
import { SealError } from "@leeway/shared/security/encryption/envelope";
import { AppError } from "@leeway/shared/values/errors";
import { eventIdOf } from "@leeway/shared/values/event-id";
import { present } from "@leeway/shared/values/json";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import type { Platform } from "@leeway/shared/service/service";

import { audit } from "../audit.ts";
import type { Links } from "./mail/links.ts";
import { askAgain, CONFIRMATION_TYPE, recipientsOf, setRecipients, TEST_TYPE } from "./mail/recipients.ts";
import type { Kind, Senders, Target } from "./kind.ts";
import { kindOf, KINDS } from "./kinds/kinds.ts";
import {
  deleteChannel,
  getChannel,
  insertChannel,
  lockChannel,
  updateChannel,
  type StoredChannel,
} from "./store/channels.ts";
import { hastenGathered } from "./store/digests.ts";
import { countMessages, getMessage, insertMessage, reopenMessage } from "./store/messages.ts";
import { openTarget, sealTarget } from "./target.ts";

export interface ChannelDependencies extends Platform {
  ring: KeyRing;
  senders: Senders;
  links: Links;
  /** Makes the worker check the outbox now. */
  wakeNotifier: () => void;
}

/**
 * Creates a channel. If the id exists already, returns that channel with its unrevealed secret.
 * @throws {AppError} `invalid_parameter` for a target or view that is refused; `conflict` if there are too many channels
 */
export async function createChannel(
  deps: ChannelDependencies,
  {
    org_id: orgId,
    channel_id: id = Bun.randomUUIDv7(),
    target: given,
    member_addresses: members,
    ...channel
  }: Input<typeof CreateChannel>,
): Promise<ChannelWithSecret> {
  const { kind, min_risk = "none", digest = "none", enabled = true } = channel;
  const place = { orgId, channelId: id };
  await checkView(deps, orgId, channel.view_id);
  const target = await KINDS[kind].check(deps.senders, given);
  const sealed = sealTarget(deps.ring, place, target.stored);
  const row = { ...channel, id, min_risk, digest, enabled, sealed };
  await deps.database.transaction(orgId, async (tx) => {
    if (!(await insertChannel(tx, row))) return;
    const details = { kind, name: channel.name, enabled };
    await audit(tx, { action: "notification_channel.create", targetId: id, details });
    if (target.to) await setRecipients(tx, deps.ring, { channelId: id, to: target.to, members });
  });
  deps.wakeNotifier();
  const made = await getChannel(deps.database.org(orgId), id);
  if (!made)
    throw new AppError("conflict", "the organization already has 20 notification channels; delete one first");
  const { secret } = openedTarget(deps, orgId, made) ?? {};
  return { ...shown(deps, orgId, made), ...present({ secret }) };
}

/** @throws {AppError} `not_found` */
export async function findChannel(
  deps: ChannelDependencies,
  orgId: string,
  channelId: string,
): Promise<Channel> {
  return shown(deps, orgId, await stored(deps, orgId, channelId));
}

/**
 * Changes a channel. If a webhook's secret can no longer be decrypted, its next target gets a new one, which the
 * result contains.
 * @throws {AppError} `not_found`, `empty_update`; `invalid_parameter` for a target or view that is refused
 */
export async function changeChannel(
  deps: ChannelDependencies,
  { org_id: orgId, channel_id: id, member_addresses: members, ...changes }: Input<typeof UpdateChannel>,
): Promise<ChannelWithSecret> {
  if (Object.keys(changes).length === 0)
    throw new AppError("empty_update", "the request changes nothing; provide at least one field to update");
  const before = await stored(deps, orgId, id);
  const channel = before.shown;
  const { name, events, min_risk: minRisk, view_id: viewId, digest, enabled, target: given } = changes;
  await checkView(deps, orgId, viewId);
  const moved = given && (await newTarget(deps, orgId, before, given));
  const { sealed, secret, to } = moved ?? {};
  const update = { name, events, minRisk, viewId, digest, enabled, sealed };
  const isThere = await deps.database.transaction(orgId, async (tx) => {
    const isThere = await updateChannel(tx, id, update);
    if (!isThere) return false;
    const details = {
      kind: channel.kind,
      name: name ?? channel.name,
      enabled: enabled ?? channel.enabled,
      changed: namesOf(changes),
    };
    await audit(tx, { action: "notification_channel.update", targetId: id, details });
    if (digest) await hastenGathered(tx, id, digest);
    if (to) await setRecipients(tx, deps.ring, { channelId: id, to, members });
    return isThere;
  });
  if (!isThere) throw noChannel();
  if (to) deps.wakeNotifier();
  return { ...(await findChannel(deps, orgId, id)), ...present({ secret }) };
}

/** @throws {AppError} `invalid_parameter` for a view by which a channel can't filter */
async function checkView(
  { bus }: ChannelDependencies,
  org_id: string,
  view_id: string | null | undefined,
): Promise<void> {
  if (typeof view_id === "string") await call(bus, CheckView, { org_id, view_id });
}

interface Moved {
  sealed: Buffer;
  /** Set for a new signing secret, if the previous one can't be decrypted. */
  secret?: string;
  /** Addresses that must confirm. */
  to?: readonly string[];
}

/** @throws {AppError} `invalid_parameter` for a target that is refused */
async function newTarget(
  deps: ChannelDependencies,
  orgId: string,
  channel: StoredChannel,
  given: ChannelTarget,
): Promise<Moved> {
  const before = openedTarget(deps, orgId, channel);
  const target = await kindOfStored(channel).check(deps.senders, given, before);
  const sealed = sealTarget(deps.ring, { orgId, channelId: channel.id }, target.stored);
  return { sealed, ...present({ secret: before ? undefined : target.secret, to: target.to }) };
}

/** @throws {AppError} `not_found` */
export async function removeChannel(
  { database }: ChannelDependencies,
  orgId: string,
  channelId: string,
): Promise<void> {
  await database.transaction(orgId, async (tx) => {
    const channel = await getChannel(tx, channelId);
    if (!channel || !(await deleteChannel(tx, channelId))) throw noChannel();
    const { kind, name, enabled } = channel.shown;
    await audit(tx, {
      action: "notification_channel.delete",
      targetId: channelId,
      details: { kind, name, enabled },
    });
  });
}

/**
 * Sends one test to a channel, even if it is disabled.
 * @throws {AppError} `not_found`; `rate_limited` for the sixth e-mail within an hour
 */
export async function testChannel(
  deps: ChannelDependencies,
  { org_id: orgId, channel_id: channelId }: Input<typeof TestChannel>,
): Promise<Output<typeof TestChannel>> {
  const { testLimit } = kindOfStored(await stored(deps, orgId, channelId));
  const id = Bun.randomUUIDv7();
  const message = { id, channelId, messageId: eventIdOf("test", id), type: TEST_TYPE, notificationIds: [] };
  await deps.database.transaction(orgId, async (tx) => {
    await lockChannel(tx, channelId);
    if (testLimit) await limitTests(tx, channelId, testLimit);
    await insertMessage(tx, message);
    const details = { delivery_id: id };
    await audit(tx, { action: "notification_channel.test", targetId: channelId, details });
  });
  deps.wakeNotifier();
  return { status: "accepted", delivery_id: id };
}

async function limitTests(
  tx: Transaction,
  channelId: string,
  { perHour, message }: NonNullable<Kind["testLimit"]>,
): Promise<void> {
  if ((await countMessages(tx, { channelId, type: TEST_TYPE })) < perHour) return;
  throw new AppError("rate_limited", message, { retryAfterSeconds: 60 * 60 });
}

/**
 * Sends a message again, under the same id.
 * @throws {AppError} `not_found`, `conflict`
 */
export async function redeliver(
  deps: ChannelDependencies,
  { org_id: orgId, channel_id: channelId, delivery_id: id }: Input<typeof RedeliverMessage>,
): Promise<ChannelDelivery> {
  const before = await getMessage(deps.database.org(orgId), { channelId, id });
  if (!before) throw new AppError("not_found", "the delivery doesn't exist");
  if (kindOfStored(await stored(deps, orgId, channelId)).testLimit) refuseRepeat(before.type);
  const message = await deps.database.transaction(orgId, async (tx) => {
    if (await reopenMessage(tx, { channelId, id })) {
      const details = { channel_id: channelId };
      await audit(tx, { action: "notification_delivery.redeliver", targetId: id, details });
    }
    return getMessage(tx, { channelId, id });
  });
  deps.wakeNotifier();
  return message ?? before;
}

/**
 * Refuses to repeat tests and confirmations that are limited, because their limits apply where they are requested.
 * @throws {AppError} `conflict`
 */
function refuseRepeat(type: string): void {
  if (type === TEST_TYPE) throw new AppError("conflict", "tests can't be redelivered; send another test");
  if (type !== CONFIRMATION_TYPE) return;
  throw new AppError("conflict", "confirmations can't be redelivered; ask the address again");
}

/**
 * Asks an address of a channel again to confirm.
 * @throws {AppError} `not_found`, `conflict`, `rate_limited`
 */
export async function askRecipient(
  deps: ChannelDependencies,
  input: Input<typeof AskRecipient>,
): Promise<Output<typeof AskRecipient>> {
  const { recipients = [] } = await findChannel(deps, input.org_id, input.channel_id);
  const asked = await askAgain(deps, input, recipients);
  deps.wakeNotifier();
  return asked;
}

/** Returns the visible part of a channel. */
export function shown(deps: ChannelDependencies, orgId: string, channel: StoredChannel): Channel {
  const target = openedTarget(deps, orgId, channel);
  const recipients = target?.to && recipientsOf(target.to, channel.statuses);
  return { ...channel.shown, target: target?.shown ?? {}, ...present({ recipients }) };
}

/** Decrypts a target; undefined if that is no longer possible, or if its kind is unknown. */
function openedTarget(
  { ring, log }: ChannelDependencies,
  orgId: string,
  { id: channelId, shown: { kind }, sealed }: StoredChannel,
): Target | undefined {
  try {
    return kindOf(kind)?.restore(openTarget(ring, { orgId, channelId }, sealed));
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    log.error({ error, org_id: orgId, channel_id: channelId }, "a channel's target can't be decrypted");
    return undefined;
  }
}

/** @throws {AppError} `unavailable` for a kind that only a newer version of this service knows */
function kindOfStored({ shown: { kind: name } }: StoredChannel): Kind {
  const kind = kindOf(name);
  if (!kind) throw new AppError("unavailable", `this server doesn't know channels of kind ${name} yet`);
  return kind;
}

async function stored(
  { database }: ChannelDependencies,
  orgId: string,
  channelId: string,
): Promise<StoredChannel> {
  const channel = await getChannel(database.org(orgId), channelId);
  if (!channel) throw noChannel();
  return channel;
}

function noChannel(): AppError {
  return new AppError("not_found", "the notification channel doesn't exist");
}
