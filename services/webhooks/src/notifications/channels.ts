import type { Input, Output } from "@leeway/shared/contract";
import type {
  Channel,
  ChannelDelivery,
  ChannelWithSecret,
  CreateChannel,
  RedeliverMessage,
  TestChannel,
  UpdateChannel,
} from "@leeway/shared/contracts/webhooks/channels";
import { SealError } from "@leeway/shared/encryption/envelope";
import { AppError, invalidParameter } from "@leeway/shared/errors";
import { eventIdOf } from "@leeway/shared/event-id";
import { present } from "@leeway/shared/json";
import type { KeyRing } from "@leeway/shared/encryption/keyring";
import type { Platform } from "@leeway/shared/service";

import type { Senders } from "./send.ts";
import { makeSigningSecret } from "./signature.ts";
import {
  deleteChannel,
  getChannel,
  insertChannel,
  updateChannel,
  type StoredChannel,
} from "./store/channels.ts";
import { hastenGathered } from "./store/digests.ts";
import { getMessage, insertMessage, reopenMessage } from "./store/messages.ts";
import { checkedTarget, openTarget, sealTarget, shownTarget, type Target } from "./target.ts";
import { TEST_TYPE } from "./worker.ts";

export interface ChannelDependencies extends Platform {
  ring: KeyRing;
  senders: Senders;
  /** Has the outbox looked at now. */
  wakeNotifier: () => void;
}

/**
 * Makes a channel; one that was made before under its id is the same, with the secret that nobody was told.
 * @throws {AppError} `invalid_parameter` for a target that is refused; `conflict` when there are too many
 */
export async function createChannel(
  deps: ChannelDependencies,
  {
    org_id: orgId,
    channel_id: id = Bun.randomUUIDv7(),
    target: given,
    ...channel
  }: Input<typeof CreateChannel>,
): Promise<ChannelWithSecret> {
  const { kind, min_risk = "none", digest = "none", enabled = true } = channel;
  if (kind === "email" && !deps.senders.mail) {
    throw invalidParameter("kind", "can't be email: SMTP_URL and SMTP_FROM aren't set on this server");
  }
  const place = { orgId, channelId: id };
  const target = targetOf(kind, await checkedTarget(deps.senders.egress, kind, given));
  const sealed = sealTarget(deps.ring, place, target);
  const row = { ...channel, id, min_risk, digest, enabled, sealed };
  await deps.database.transaction(orgId, (tx) => insertChannel(tx, row));
  const made = await getChannel(deps.database.org(orgId), id);
  if (!made) throw new AppError("conflict", "the organization has 20 notification channels already");
  const kept = openTarget(deps.ring, place, made.sealed);
  const channelShown = shown(deps, orgId, made);
  return kept.kind === "webhook" ? { ...channelShown, secret: kept.secret } : channelShown;
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
 * Changes a channel. A webhook whose secret doesn't open any more signs with another one from its next target on: the
 * answer holds it.
 * @throws {AppError} `not_found`, `empty_update`; `invalid_parameter` for a target that is refused
 */
export async function changeChannel(
  deps: ChannelDependencies,
  { org_id: orgId, channel_id: id, ...changes }: Input<typeof UpdateChannel>,
): Promise<ChannelWithSecret> {
  if (Object.keys(changes).length === 0) throw new AppError("empty_update", "nothing to change was given");
  const { shown: channel, sealed: before } = await stored(deps, orgId, id);
  const { name, events, min_risk: minRisk, digest, enabled, target: given } = changes;
  let sealed: Buffer | undefined;
  let secret: string | undefined;
  if (given) {
    const place = { orgId, channelId: id };
    const fresh = targetOf(channel.kind, await checkedTarget(deps.senders.egress, channel.kind, given));
    const known = fresh.kind === "webhook" ? openedTarget(deps, place, before) : undefined;
    const target = known?.kind === "webhook" ? { ...fresh, secret: known.secret } : fresh;
    if (target.kind === "webhook" && !known) ({ secret } = target);
    sealed = sealTarget(deps.ring, place, target);
  }
  const update = { name, events, minRisk, digest, enabled, sealed };
  const isThere = await deps.database.transaction(orgId, async (tx) => {
    const isThere = await updateChannel(tx, id, update);
    if (digest) await hastenGathered(tx, id, digest);
    return isThere;
  });
  if (!isThere) throw noChannel();
  return { ...(await findChannel(deps, orgId, id)), ...present({ secret }) };
}

/** @throws {AppError} `not_found` */
export async function removeChannel(
  { database }: ChannelDependencies,
  orgId: string,
  channelId: string,
): Promise<void> {
  if (!(await deleteChannel(database.org(orgId), channelId))) throw noChannel();
}

/** Sends a channel a test, once, whether or not it is enabled. @throws {AppError} `not_found` */
export async function testChannel(
  deps: ChannelDependencies,
  { org_id: orgId, channel_id: channelId }: Input<typeof TestChannel>,
): Promise<Output<typeof TestChannel>> {
  await stored(deps, orgId, channelId);
  const id = Bun.randomUUIDv7();
  const message = { id, channelId, messageId: eventIdOf("test", id), type: TEST_TYPE, notificationIds: [] };
  await insertMessage(deps.database.org(orgId), message);
  deps.wakeNotifier();
  return { status: "accepted", delivery_id: id };
}

/** Sends a message once more, under the same id. @throws {AppError} `not_found` */
export async function redeliver(
  { database, wakeNotifier }: ChannelDependencies,
  { org_id: orgId, channel_id: channelId, delivery_id: id }: Input<typeof RedeliverMessage>,
): Promise<ChannelDelivery> {
  const sql = database.org(orgId);
  await reopenMessage(sql, { channelId, id });
  const message = await getMessage(sql, { channelId, id });
  if (!message) throw new AppError("not_found", "no such delivery");
  wakeNotifier();
  return message;
}

/** A channel as it is shown. */
export function shown(deps: ChannelDependencies, orgId: string, channel: StoredChannel): Channel {
  const { id: channelId, shown, sealed } = channel;
  const target = openedTarget(deps, { orgId, channelId }, sealed);
  return { ...shown, target: target ? shownTarget(target) : {} };
}

/** Undefined for a target that doesn't open any more. */
function openedTarget(
  { ring, log }: ChannelDependencies,
  place: { orgId: string; channelId: string },
  sealed: Uint8Array,
): Target | undefined {
  try {
    return openTarget(ring, place, sealed);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    log.error({ error, org_id: place.orgId, channel_id: place.channelId }, "a target doesn't open");
    return undefined;
  }
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

function targetOf(kind: Channel["kind"], checked: { url: string } | { to: string[] }): Target {
  if ("to" in checked) return { kind: "email", to: checked.to };
  if (kind === "webhook") return { kind, url: checked.url, secret: makeSigningSecret() };
  return { kind: kind === "teams" ? "teams" : "slack", url: checked.url };
}

function noChannel(): AppError {
  return new AppError("not_found", "no such notification channel");
}
