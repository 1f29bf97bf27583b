import { integer, optional, type Variable } from "@leeway/shared/platform/config";
import nodemailer from "nodemailer";

/** Timeout for the server's greeting, which many servers delay on purpose. */
const GREETED_MS = 20_000;
/**
 * Timeout for all mails of a message, less than its lease. Servers scan a mail before accepting it; a mail that is
 * given up during that is delivered twice.
 */
const TIMEOUT_MS = 45_000;
/** Connections for one message, so that a server that scans each mail slowly still gets all of them in time. */
const MAX_CONNECTIONS = 4;
const FROM = /^(?:[^<>@\r\n]{0,100} )?<?[^\s@"<>]{1,64}@[^\s@"<>]{1,190}>?$/;

const SMTP_URL: Variable<string | undefined> = {
  describe:
    "Mail server as `smtp[s]://[user:password@]host[:port]`; without it, there are no e-mail channels",
  fallback: "none",
  parse: (raw) => {
    if (raw !== undefined && !/^smtps?:$/.test(URL.parse(raw)?.protocol ?? ""))
      throw new Error("must be an smtp or smtps URL");
    return raw;
  },
};

const SMTP_FROM: Variable<string | undefined> = {
  ...optional("Sender of e-mails, such as `Leeway <leeway@example.com>`"),
  parse: (raw) => {
    if (raw !== undefined && !FROM.test(raw))
      throw new Error("must be an e-mail address, optionally with a name");
    return raw;
  },
};

/** Environment variables for the mail server of e-mail channels. */
export const MAIL_VARIABLES = {
  SMTP_URL,
  SMTP_FROM,
  MAIL_BUDGET_PER_DAY: integer(
    "E-mails per organization and day (UTC), counted by recipient; 0 for no limit",
    1000,
  ),
};

export interface MailSettings {
  url: string;
  from: string;
  /** Maximum number of mails per organization and day (UTC), each to one address. */
  maxPerDay: number;
}

interface MailValues {
  SMTP_URL: string | undefined;
  SMTP_FROM: string | undefined;
  MAIL_BUDGET_PER_DAY: number;
}

/**
 * Returns the mail settings, or undefined if e-mail is off.
 * @throws {Error} if only one of the two variables is set
 */
export function mailOf(values: MailValues): MailSettings | undefined {
  const { SMTP_URL: url, SMTP_FROM: from, MAIL_BUDGET_PER_DAY: maxPerDay } = values;
  if (url === undefined && from === undefined) return undefined;
  if (url === undefined || from === undefined)
    throw new Error("configuration: set both SMTP_URL and SMTP_FROM, or neither");
  return { url, from, maxPerDay };
}

/** One mail to one address. */
export interface Mail {
  /** The same for every attempt. */
  messageId: string;
  to: string;
  subject: string;
  text: string;
  headers: Record<string, string>;
}

/** Outcome of a mail. Without a code, the server couldn't be reached or was too slow. */
export type Posted = { taken: true } | { taken: false; code?: number };

/** Sends mails, a few at a time. Returns an outcome for each mail, in the same order. */
export async function sendMails({ url, from }: MailSettings, mails: readonly Mail[]): Promise<Posted[]> {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    maxRequeues: 0,
    connectionTimeout: GREETED_MS,
    greetingTimeout: GREETED_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { promise: late, resolve } = Promise.withResolvers<Posted>();
  const timer = setTimeout(resolve, TIMEOUT_MS, { taken: false });
  const send = ({ messageId, to, subject, text, headers }: Mail): Promise<Posted> =>
    transport
      .sendMail({
        from,
        // A plain string would be parsed as a list of addresses.
        to: [{ name: "", address: to }],
        subject,
        text,
        messageId: `<${messageId}@leeway>`,
        headers: { "Auto-Submitted": "auto-generated", ...headers },
      })
      .then((): Posted => ({ taken: true }), refusalOf);
  try {
    return await Promise.all(mails.map((mail) => Promise.race([send(mail), late])));
  } finally {
    clearTimeout(timer);
    transport.close();
  }
}

function refusalOf(error: unknown): Posted {
  const code: unknown = error instanceof Error ? Reflect.get(error, "responseCode") : undefined;
  return { taken: false, ...(typeof code === "number" && { code }) };
}
