import { asciiLower } from "@leeway/shared/values/ascii";
import type { Input, Output } from "@leeway/shared/contracts/contract";
import type {
  AskRecipient,
  ConfirmRecipient,
  Recipient,
  UnsubscribeRecipient,
} from "@leeway/shared/contracts/webhooks/recipients";
import type { Database, Transaction } from "@leeway/shared/database/database";
import { sha256 } from "@leeway/shared/values/digest";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import { AppError } from "@leeway/shared/values/errors";
import { eventIdOf } from "@leeway/shared/values/event-id";

import { audit } from "../../audit.ts";
import { countConfirmation, type ConfirmationLimit } from "../store/mail-counts.ts";
import { insertMessage } from "../store/messages.ts";
import {
  confirmAddress,
  keepRecipients,
  subscribe,
  unsubscribe,
  type Statuses,
} from "../store/recipients.ts";
import { sealLeft } from "../target.ts";
import { addressKey, mailboxOf } from "./address.ts";
import type { Links } from "./links.ts";

/** Type of the message that asks an address to confirm. */
export const CONFIRMATION_TYPE = "channel.confirmation";
/** Type of the message that tests a channel. */
export const TEST_TYPE = "channel.test";

const MONTH_HOURS = 30 * 24;

interface Addressed {
  channelId: string;
  to: readonly string[];
}

/**
 * Replaces the addresses of a channel and asks those that must confirm.
 * @param members addresses that the identity provider has verified for members
 */
export async function setRecipients(
  tx: Transaction,
  ring: KeyRing,
  { channelId, to, members = [] }: Addressed & { members?: readonly string[] | undefined },
): Promise<void> {
  await keepRecipients(tx, channelId, to.map(addressKey));
  await addRecipients(tx, ring, { channelId, to, members });
}

/** Adds addresses to a channel and asks those that must confirm. */
export async function addRecipients(
  tx: Transaction,
  ring: KeyRing,
  { channelId, to, members = [] }: Addressed & { members?: readonly string[] },
): Promise<void> {
  const owned = new Set(members.map(asciiLower));
  // Different spellings of one address are one recipient.
  const addresses = new Map(to.map((address) => [addressKey(address).toString("hex"), address]));
  const subscribers = [...addresses].map(([key, address]) => ({
    key: Buffer.from(key, "hex"),
    isMember: owned.has(asciiLower(address)),
  }));
  const waiting = await subscribe(tx, channelId, subscribers);
  for (const key of waiting.map((one) => one.toString("hex")).toSorted()) {
    const address = addresses.get(key);
    if (address !== undefined) await ask(tx, ring, { channelId, address });
  }
}

/**
 * Adds a confirmation mail to the outbox.
 * @returns its id; undefined if the address was asked too often
 */
async function ask(
  tx: Transaction,
  ring: KeyRing,
  { channelId, address }: { channelId: string; address: string },
): Promise<string | undefined> {
  if (!(await countConfirmation(tx, limitsFor(tx.orgId, address)))) return undefined;
  const id = Bun.randomUUIDv7();
  await insertMessage(tx, {
    id,
    channelId,
    messageId: eventIdOf("confirmation", id),
    type: CONFIRMATION_TYPE,
    notificationIds: [],
    sealedLeft: sealLeft(ring, { orgId: tx.orgId, messageId: id }, [address]),
  });
  return id;
}

/** Returns the limits that protect an address from floods of confirmation mails, by one organization and overall. */
function limitsFor(orgId: string, address: string): ConfirmationLimit[] {
  const mailbox = mailboxOf(address);
  const own = sha256(JSON.stringify([orgId, mailbox]));
  const all = sha256(mailbox);
  return [
    { subject: own, hours: 1, most: 1 },
    { subject: own, hours: MONTH_HOURS, most: 3 },
    { subject: all, hours: 24, most: 3 },
    { subject: all, hours: MONTH_HOURS, most: 10 },
  ];
}

/**
 * Asks an address again.
 * @throws {AppError} `not_found`, `conflict`, `rate_limited`
 */
export async function askAgain(
  { database, ring }: { database: Database; ring: KeyRing },
  { org_id: orgId, channel_id: channelId, address }: Input<typeof AskRecipient>,
  recipients: readonly Recipient[],
): Promise<Output<typeof AskRecipient>> {
  const known = recipients.find((one) => asciiLower(one.address) === asciiLower(address));
  if (!known) throw new AppError("not_found", "the address isn't on this channel");
  if (known.status !== "waiting") throw new AppError("conflict", `the address is already ${known.status}`);
  const id = await database.transaction(orgId, async (tx) => {
    await subscribe(tx, channelId, [{ key: addressKey(address), isMember: false }]);
    const asked = await ask(tx, ring, { channelId, address: known.address });
    if (asked !== undefined) await audit(tx, { action: "notification_recipient.ask", targetId: channelId });
    return asked;
  });
  if (id === undefined) {
    const message = "this address was asked recently; the limit is once an hour and three times in 30 days";
    throw new AppError("rate_limited", message, { retryAfterSeconds: 60 * 60 });
  }
  return { status: "accepted", delivery_id: id };
}

/** Actor for audit entries, because a mail's link doesn't identify a person. */
const RECIPIENT = { type: "system", id: "e-mail recipient" } as const;

interface Answering {
  database: Database;
  links: Links;
}

/** Error for an invalid link. */
const NO_SUCH_LINK = new AppError("not_found", "this link has expired, was already used or is incomplete");

/**
 * Confirms the address that a link was sent to.
 * @throws {AppError} `not_found` for an invalid link
 */
export async function confirm(
  { database, links }: Answering,
  { token }: Input<typeof ConfirmRecipient>,
): Promise<void> {
  const link = links.readConfirm(token);
  if (!link) throw NO_SUCH_LINK;
  const channels = await database.transaction(link.orgId, async (tx) => {
    const confirmed = await confirmAddress(tx, link.confirmationId);
    for (const targetId of confirmed) {
      await audit(tx, { action: "notification_recipient.confirm", targetId, actor: RECIPIENT });
    }
    return confirmed;
  });
  if (channels.length === 0) throw NO_SUCH_LINK;
}

/**
 * Unsubscribes the address that a mail was sent to from its channel. Repeating it has no effect.
 * @throws {AppError} `not_found` for a forged link
 */
export async function endSubscription(
  { database, links }: Answering,
  { token }: Input<typeof UnsubscribeRecipient>,
): Promise<void> {
  const link = links.readUnsubscribe(token);
  if (!link) throw NO_SUCH_LINK;
  const { orgId, channelId, addressKey: key } = link;
  await database.transaction(orgId, async (tx) => {
    if (!(await unsubscribe(tx, { channelId, key }))) return;
    await audit(tx, { action: "notification_recipient.unsubscribe", targetId: channelId, actor: RECIPIENT });
  });
}

/** Returns the addresses of a channel with their status. */
export function recipientsOf(to: readonly string[], statuses: Statuses): Recipient[] {
  return to.map((address) => ({
    address,
    status: statuses.get(addressKey(address).toString("hex")) ?? "waiting",
  }));
}
