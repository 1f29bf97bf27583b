import type { Database, OrgStatements } from "@leeway/shared/database/database";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import { present } from "@leeway/shared/values/json";

import { textOf } from "../content.ts";
import type { Failure, Outgoing, Sent } from "../kind.ts";
import { refundMails, takeMails } from "../store/mail-counts.ts";
import { openConfirmation, statusesOf } from "../store/recipients.ts";
import { addressKey } from "./address.ts";
import { confirmationLetterOf, letterOf, testLetterOf } from "./letters.ts";
import type { Links } from "./links.ts";
import { addRecipients, CONFIRMATION_TYPE, TEST_TYPE } from "./recipients.ts";
import { sendMails, type Mail, type MailSettings, type Posted } from "./transport.ts";

/** Lowest SMTP code of a permanent rejection. */
const PERMANENT = 500;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Settings for sending e-mail. */
export interface MailDependencies {
  database: Database;
  ring: KeyRing;
  links: Links;
  publicBaseUrl: string;
  /** Absent if this server sends no e-mail. */
  mail: MailSettings | undefined;
}

/** Sends a message to its confirmed addresses, or a confirmation to an address that hasn't answered. */
export async function deliverMail(
  deps: MailDependencies,
  to: readonly string[],
  message: Outgoing,
): Promise<Sent> {
  const { mail } = deps;
  if (!mail)
    return {
      delivered: false,
      reason: "this server doesn't send e-mail; the operator must set SMTP_URL and SMTP_FROM",
    };
  const isConfirmation = message.type === CONFIRMATION_TYPE;
  const mails = await (isConfirmation
    ? confirmationOf(deps, to, message)
    : notificationsOf(deps, to, message));
  if (!Array.isArray(mails)) return mails;
  const sent = await sendWithin(deps.database.org(message.orgId), mail, mails);
  // A nonexistent address isn't tried seven times.
  const isOver = isConfirmation && (sent.status ?? 0) >= PERMANENT;
  return isOver && !sent.delivered ? { ...sent, isFinal: true } : sent;
}

async function confirmationOf(
  { database, links, publicBaseUrl }: MailDependencies,
  [address]: readonly string[],
  { orgId, channelId, messageId }: Outgoing,
): Promise<Mail[] | Sent> {
  if (address === undefined)
    return { delivered: false, reason: "the address was removed from the channel", isFinal: true };
  const key = addressKey(address);
  const confirmationId = await openConfirmation(database.org(orgId), { channelId, key });
  if (confirmationId === undefined) return { delivered: true, reason: "this address has already answered" };
  const letter = confirmationLetterOf({
    publicBaseUrl,
    confirmUrl: links.confirmUrl({ orgId, confirmationId }),
    unsubscribeUrl: links.unsubscribeUrl({ orgId, channelId, addressKey: key }),
  });
  return [{ messageId, to: address, ...letter }];
}

async function notificationsOf(
  deps: MailDependencies,
  to: readonly string[],
  { orgId, channelId, messageId, type, events }: Outgoing,
): Promise<Mail[] | Failure> {
  const confirmed = await confirmedOf(deps, { orgId, channelId, to });
  if (confirmed.length === 0) return { delivered: false, reason: NOBODY_CONFIRMED, isFinal: true };
  const texts = events.map(textOf);
  return confirmed.map((address) => {
    const subscription = { orgId, channelId, addressKey: addressKey(address) };
    const unsubscribeUrl = deps.links.unsubscribeUrl(subscription);
    const letter = type === TEST_TYPE ? testLetterOf(texts, unsubscribeUrl) : letterOf(texts, unsubscribeUrl);
    return { messageId, to: address, ...letter };
  });
}

const NOBODY_CONFIRMED = "no address of this channel has confirmed yet";

/**
 * Returns the confirmed addresses of a channel. Addresses that were never asked, as in channels from older versions,
 * are asked now.
 */
async function confirmedOf(
  { database, ring }: MailDependencies,
  { orgId, channelId, to }: { orgId: string; channelId: string; to: readonly string[] },
): Promise<string[]> {
  const statuses = await statusesOf(database.org(orgId), channelId);
  const statusOf = (address: string) => statuses.get(addressKey(address).toString("hex"));
  const unasked = to.filter((address) => statusOf(address) === undefined);
  if (unasked.length > 0) {
    await database.transaction(orgId, (tx) => addRecipients(tx, ring, { channelId, to: unasked }));
  }
  return to.filter((address) => statusOf(address) === "confirmed");
}

/** Sends as many mails as the organization's daily budget allows. */
async function sendWithin(sql: OrgStatements, mail: MailSettings, mails: readonly Mail[]): Promise<Sent> {
  const { maxPerDay } = mail;
  const got = maxPerDay === 0 ? mails.length : await takeMails(sql, mails.length, maxPerDay);
  const posted = got === 0 ? [] : await sendMails(mail, mails.slice(0, got));
  const unsent = posted.filter(({ taken }) => !taken).length;
  if (unsent > 0 && maxPerDay > 0) await refundMails(sql, unsent);
  return outcomeOf(mails, posted, maxPerDay);
}

/** Summarizes the outcomes of a message's mails, including those that exceed the budget. */
function outcomeOf(mails: readonly Mail[], posted: readonly Posted[], maxPerDay: number): Sent {
  const refused = posted.filter((one) => !one.taken);
  const kept = mails.slice(posted.length).map(({ to }) => to);
  if (kept.length > 0) {
    const reason = `the organization's limit of ${maxPerDay} e-mails a day is reached; the remaining ones are sent after 00:00 UTC`;
    const isPart = refused.length < posted.length;
    const left = isPart ? [...leftOf(mails, posted), ...kept] : undefined;
    return { delivered: false, reason, ...present({ left }), retryAfterSeconds: secondsUntilTomorrow() };
  }
  const [first] = refused;
  if (!first) return { delivered: true };
  if (refused.length === posted.length) return failureOf(first);
  const left = leftOf(mails, posted);
  const reason = `the mail server rejected ${refused.length} of ${posted.length} addresses`;
  return left.length > 0 ? { delivered: false, reason, left } : { delivered: true, reason };
}

/** Returns the addresses that a later attempt may reach. */
function leftOf(mails: readonly Mail[], posted: readonly Posted[]): string[] {
  return posted.flatMap((one, index) => {
    const to = mails[index]?.to;
    const isOver = one.taken || (one.code ?? 0) >= PERMANENT;
    return isOver || to === undefined ? [] : [to];
  });
}

/** Describes a failure by its code only, because the mail server's text could contain anything. */
function failureOf(posted: Posted): Failure {
  const code = posted.taken ? undefined : posted.code;
  if (code === undefined) return { delivered: false, reason: "can't reach the mail server" };
  return { delivered: false, reason: `the mail server answered ${code}`, status: code };
}

function secondsUntilTomorrow(now = Date.now()): number {
  return Math.ceil((DAY_MS - (now % DAY_MS)) / 1000);
}
