import { clean } from "../clean.ts";
import type { Text } from "../content.ts";
import { CONFIRMATION_DAYS } from "./links.ts";
import type { Mail } from "./transport.ts";

type Letter = Omit<Mail, "messageId" | "to">;

/** Builds a notification e-mail with a link to unsubscribe. */
export function letterOf(texts: readonly Text[], unsubscribeUrl: string): Letter {
  const footer = `Unsubscribe this address from this channel: ${unsubscribeUrl}`;
  return {
    subject: subjectOf(texts),
    text: [...texts.map(bodyOf), `-- \n${footer}`].join("\n\n"),
    headers: oneClick(unsubscribeUrl),
  };
}

/** Builds a test e-mail. Its subject is fixed, because a channel's name would let a tenant choose it. */
export function testLetterOf(texts: readonly Text[], unsubscribeUrl: string): Letter {
  return { ...letterOf(texts, unsubscribeUrl), subject: "[Leeway] Test of a notification channel" };
}

/**
 * Builds the e-mail that asks an address to confirm. Its text is fixed, so that tenants can't use it to send
 * messages.
 */
export function confirmationLetterOf({
  publicBaseUrl,
  confirmUrl,
  unsubscribeUrl,
}: {
  publicBaseUrl: string;
  confirmUrl: string;
  unsubscribeUrl: string;
}): Letter {
  return {
    subject: "[Leeway] Confirm your e-mail address",
    text: `An organization that uses Leeway at ${publicBaseUrl} wants to send notifications about its infrastructure to this address.

To receive them, open this link and confirm:
${confirmUrl}

The link works once and expires in ${CONFIRMATION_DAYS} days. If you don't expect this mail, ignore it: nothing else is sent
to this address until it confirms. To refuse:
${unsubscribeUrl}`,
    headers: oneClick(unsubscribeUrl),
  };
}

/** Returns the headers for the unsubscribe button of mail programs (RFC 2369, RFC 8058). */
function oneClick(unsubscribeUrl: string): Record<string, string> {
  return {
    "List-Unsubscribe": `<${unsubscribeUrl}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

/** Returns the subject on one line, so that untrusted text can't end the header. */
export function subjectOf(texts: readonly Text[]): string {
  const [first] = texts;
  if (texts.length !== 1 || !first) return `[Leeway] ${texts.length} notifications`;
  // In a header, `=?` starts an encoded word, which could hide any text.
  return clean(`[Leeway] ${first.title}`).replaceAll("=?", "= ?");
}

function bodyOf({ title, lines, url }: Text): string {
  return [title, ...lines.map((line) => `  ${line}`), ...(url ? [`  ${clean(url)}`] : [])].join("\n");
}
