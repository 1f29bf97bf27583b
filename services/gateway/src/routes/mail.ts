import { call } from "@leeway/shared/bus/request";
import { ConfirmRecipient, UnsubscribeRecipient } from "@leeway/shared/contracts/webhooks/recipients";
import { sha256 } from "@leeway/shared/values/digest";
import { AppError } from "@leeway/shared/values/errors";
import { Type as t } from "@sinclair/typebox";

import type { Answer } from "../http/answer.ts";
import { clientAddress } from "../http/client-address.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";

const STYLE =
  "body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem}";
/** Content security policy: only the button works, and it posts to the page's own URL. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${sha256(STYLE).toString("base64")}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");
const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": POLICY,
  "referrer-policy": "no-referrer", // the URL contains the token
  "cross-origin-opener-policy": "same-origin",
  "x-robots-tag": "noindex",
};

/** Texts of a page. They are fixed, and contain no names chosen by a tenant. */
interface Page {
  title: string;
  text: string;
  button?: string;
}

const USED: Page = {
  title: "This link doesn't work",
  text: "It is incomplete, has expired or was already used. The organization can send another.",
};
const AWAY: Page = {
  title: "Leeway can't do this right now",
  text: "Open the link again in a minute.",
};

interface MailLink {
  name: "confirm" | "unsubscribe";
  question: Page;
  done: Page;
  contract: typeof ConfirmRecipient | typeof UnsubscribeRecipient;
}

const CONFIRM: MailLink = {
  name: "confirm",
  question: {
    title: "Receive notifications from Leeway?",
    text: "An organization wants to send notifications about its infrastructure to this address. If you don't expect this, close the page: nothing will be sent.",
    button: "Confirm this address",
  },
  done: {
    title: "This address is confirmed",
    text: "It receives notifications from now on. Each one contains a link to unsubscribe.",
  },
  contract: ConfirmRecipient,
};

const UNSUBSCRIBE: MailLink = {
  name: "unsubscribe",
  question: {
    title: "Unsubscribe?",
    text: "This address will receive nothing more from this notification channel.",
    button: "Unsubscribe",
  },
  done: {
    title: "You are unsubscribed",
    text: "This address receives nothing more from this notification channel.",
  },
  contract: UnsubscribeRecipient,
};

/** Query of the pages. They need no sign-in: only the token in the link counts. */
const Query = t.Object({ token: t.Optional(t.String({ maxLength: 1_000 })) });

/**
 * Creates the pages of an email link. Opening the link only asks, because programs that check links open it, too; the
 * button decides.
 */
function pagesOf({ name, question, done, contract }: MailLink): Endpoint[] {
  const shared = {
    path: `/mail/${name}`,
    tag: "Service",
    description: "",
    who: "public",
    hidden: true,
    query: Query,
    success: { status: 200, description: "The page", mediaType: "text/html" },
  } as const;
  const show = endpoint({
    ...shared,
    method: "GET",
    operationId: `${name}MailPage`,
    summary: question.title,
    handle: async () => page(question),
  });
  const act = endpoint({
    ...shared,
    method: "POST",
    operationId: `${name}Mail`,
    summary: done.title,
    async handle({ request, connection, query: { token = "" } }, gateway) {
      const sender = clientAddress(request, connection, gateway.trustedProxies);
      try {
        await gateway.senders.within({ sender }, () => call(gateway.bus, contract, { token }));
        return page(done);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return error.code === "unavailable" ? page(AWAY, 503) : page(USED, 404);
      }
    },
  });
  return [show, act];
}

/** Pages that emails link to, to confirm or end a subscription. */
export const mailPages: readonly Endpoint[] = [...pagesOf(CONFIRM), ...pagesOf(UNSUBSCRIBE)];

function page({ title, text, button }: Page, status = 200): Answer {
  const form = button === undefined ? "" : `<form method="post"><button>${button}</button></form>\n`;
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${title}</h1>
<p>${text}</p>
${form}</body>
</html>
`;
  return { status, headers: HEADERS, body };
}
