import { afterAll } from "bun:test";

import { startMailServer, type MailServer, type ReceivedMail } from "./mail-server.ts";
import { notifying, type Org } from "./notifying.ts";

/** Starts a mail server and a service that uses it, for the tests of one file. */
export async function mailing({ maxPerDay = 0 }: { maxPerDay?: number } = {}) {
  const mailServer: MailServer = await startMailServer();
  afterAll(() => mailServer.stop());
  const from = "Leeway <leeway@example.com>";
  const service = notifying({ mail: () => ({ url: mailServer.url, from, maxPerDay }) });

  /** Creates an e-mail channel of a new organization. By default all its addresses belong to verified members. */
  const newMail = (to: string[], members: string[] = to): Promise<Org> =>
    service.newOrg({
      kind: "email",
      target: { to },
      ...(members.length > 0 && { member_addresses: members }),
    });

  const statusesOf = async (org: Org): Promise<Record<string, string>> =>
    Object.fromEntries(
      ((await service.channelOf(org)).recipients ?? []).map(({ address, status }) => [address, status]),
    );

  return {
    service,
    mailServer,
    newMail,
    statusesOf,
    /** Returns the recipients of the mails after the first `before`, in order. */
    reachedSince: (before: number): string[] => mailServer.mails.slice(before).flatMap(({ to }) => to),
    /** Waits until an address has `count` mails and returns them. */
    async mailsTo(address: string, count: number): Promise<ReceivedMail[]> {
      for (;;) {
        const found = mailServer.mails.filter(({ to }) => to.includes(address));
        if (found.length >= count) return found;
        await Bun.sleep(5);
      }
    },
  };
}

export function headOf(mail: ReceivedMail | undefined): string {
  return unfolded(mail).split("\r\n\r\n")[0] ?? "";
}

/** Returns the token of a link in a mail. */
export function tokenIn(mail: ReceivedMail | undefined, kind: "confirm" | "unsubscribe"): string {
  return new RegExp(`/mail/${kind}\\?token=([\\w.-]+)`).exec(unfolded(mail))?.[1] ?? "";
}

/** Returns a mail without the line breaks that wrapped it. */
function unfolded(mail: ReceivedMail | undefined): string {
  const [head = "", ...body] = (mail?.data ?? "").split("\r\n\r\n");
  const text = body.join("\r\n\r\n").replaceAll("=\r\n", "").replaceAll("=3D", "=");
  return [head.replaceAll(/\r\n[ \t]+/g, " "), text].join("\r\n\r\n");
}
