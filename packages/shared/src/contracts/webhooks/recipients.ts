import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../contract.ts";
import { sealed } from "../sealed.ts";
import { Email, Uuid } from "../common.ts";

const RecipientStatus = words(["waiting", "confirmed", "unsubscribed"]);
export type RecipientStatus = Static<typeof RecipientStatus>;

/** An address of an e-mail channel. */
export const Recipient = t.Object({
  address: Email,
  status: t.Unsafe<RecipientStatus>({
    ...RecipientStatus,
    description:
      "Only `confirmed` addresses receive notifications. A `waiting` address was sent a confirmation link",
  }),
});
export type Recipient = Static<typeof Recipient>;

/** Sends the confirmation mail again. */
export const AskRecipient = defineRequest("webhooks.recipients.ask", {
  input: t.Object({ org_id: Uuid, channel_id: Uuid, address: Email }),
  output: t.Object({ status: t.Literal("accepted"), delivery_id: Uuid }),
});

const Token = sealed(t.String({ minLength: 1, maxLength: 1_000 }));
/** Confirms the address that a link was mailed to. The signed token names the organization. */
export const ConfirmRecipient = defineRequest("webhooks.recipients.confirm", {
  input: t.Object({ token: Token }),
  output: t.Object({}),
});
/** Removes the address that a mail was sent to from its channel. The signed token names the organization. */
export const UnsubscribeRecipient = defineRequest("webhooks.recipients.unsubscribe", {
  input: t.Object({ token: Token }),
  output: t.Object({}),
});
