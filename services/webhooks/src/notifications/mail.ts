import { optional, type Variable } from "@leeway/shared/config";
import nodemailer from "nodemailer";

import { clean, type Text } from "./content.ts";

/** Until the server greets: many let who comes wait for a while. */
const GREETED_MS = 20_000;
/**
 * For all of it, less than a message is leased for. Servers look a mail through before they take it: one that is given up
 * then comes twice.
 */
const TIMEOUT_MS = 45_000;
/** The least code of what a mail server refuses for good. */
const PERMANENT = 500;
const FROM = /^(?:[^<>@\r\n]{0,100} )?<?[^\s@"<>]{1,64}@[^\s@"<>]{1,190}>?$/;

const SMTP_URL: Variable<string | undefined> = {
  describe: "Mail server, `smtp[s]://[user:password@]host[:port]`; without it there are no e-mail channels",
  fallback: "none",
  parse: (raw) => {
    if (raw !== undefined && !/^smtps?:$/.test(URL.parse(raw)?.protocol ?? ""))
      throw new Error("must be an smtp or smtps URL");
    return raw;
  },
};

const SMTP_FROM: Variable<string | undefined> = {
  ...optional("Whom e-mails are from: `Leeway <leeway@example.com>`"),
  parse: (raw) => {
    if (raw !== undefined && !FROM.test(raw)) throw new Error("must be an e-mail address");
    return raw;
  },
};

/** The mail server that e-mail channels go through. */
export const MAIL_VARIABLES = { SMTP_URL, SMTP_FROM };

export interface MailSettings {
  url: string;
  from: string;
}

/** Where e-mails go out, or undefined where they don't. @throws {Error} when half of it is missing */
export function mailOf({
  SMTP_URL: url,
  SMTP_FROM: from,
}: {
  SMTP_URL: string | undefined;
  SMTP_FROM: string | undefined;
}): MailSettings | undefined {
  if (url === undefined && from === undefined) return undefined;
  if (url === undefined || from === undefined)
    throw new Error("configuration: SMTP_URL and SMTP_FROM are set together or not at all");
  return { url, from };
}

interface Mail {
  /** The same each time it is sent. */
  messageId: string;
  to: readonly string[];
  texts: readonly Text[];
}

/** Of an e-mail that was sent, whom the mail server refused. */
interface Refused {
  count: number;
  /** Of them, those that it only put off. */
  later: string[];
}

/**
 * Sends an e-mail to all of its recipients at once.
 * @returns whom the mail server refused, where it took others
 * @throws what the mail server, or its absence, says
 */
export async function sendMail(
  { url, from }: MailSettings,
  { messageId, to, texts }: Mail,
): Promise<Refused> {
  const transport = nodemailer.createTransport({
    url,
    connectionTimeout: GREETED_MS,
    greetingTimeout: GREETED_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("the mail server takes too long")), TIMEOUT_MS);
  try {
    const sending = transport.sendMail({
      from,
      // Not as text, which would be read as a list.
      to: to.map((address) => ({ name: "", address })),
      subject: subjectOf(texts),
      text: texts.map(bodyOf).join("\n\n"),
      messageId: `<${messageId}@leeway>`,
      headers: { "Auto-Submitted": "auto-generated" },
    });
    const { rejected, rejectedErrors = [] } = await Promise.race([sending, late]);
    const later = rejectedErrors.flatMap(({ recipient, responseCode = PERMANENT }) =>
      responseCode < PERMANENT && recipient !== undefined ? [recipient] : [],
    );
    return { count: rejected.length, later };
  } finally {
    clearTimeout(timer);
    transport.close();
  }
}

/** A subject in one line: what others wrote can't end the header. */
export function subjectOf(texts: readonly Text[]): string {
  const [first] = texts;
  if (texts.length !== 1 || !first) return `[Leeway] ${texts.length} notifications`;
  const named = first.facts.find(([label]) => label === "name" || label === "account name");
  // In a header `=?` begins what is to be decoded, whatever that hides.
  return clean(`[Leeway] ${first.title}${named ? `: ${named[1]}` : ""}`).replaceAll("=?", "= ?");
}

function bodyOf({ title, facts, url }: Text): string {
  return [
    title,
    ...facts.map(([label, value]) => `  ${label}: ${value}`),
    ...(url ? [`  ${clean(url)}`] : []),
  ].join("\n");
}
