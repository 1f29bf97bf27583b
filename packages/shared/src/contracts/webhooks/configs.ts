import { Type as t, type Static } from "@sinclair/typebox";

import { defineBroadcast, defineRequest, words } from "../contract.ts";
import { sealed } from "../sealed.ts";
import { Actor, nameUpTo, NewId, page, PageInput, Timestamp, Uuid } from "../common.ts";
import { Source } from "./events.ts";

/** Outcome of the last call for a config. */
export const RECEIPTS = ["accepted", "duplicate", "ignored", "rejected"] as const;

/** Status of a code host's access token. */
const TokenStatus = t.Object({
  configured: t.Literal(true),
  name: t.String(),
  username: t.String({ description: "User who writes the comments" }),
  scopes: t.Array(t.String()),
  expires_at: t.String({
    format: "date-time",
    description: "Start (UTC) of the day on which the token expires",
  }),
  days_left: t.Integer(),
  last_checked_at: Timestamp,
  last_error: t.Optional(t.String()),
});

/** An allowed sender of webhooks to an organization, and its authentication. */
export const WebhookConfig = t.Object({
  id: Uuid,
  org_id: Uuid,
  source: Source,
  name: t.Optional(t.String()),
  secret_prefix: t.String({
    description: "The first 14 characters of the secret. Nothing else of it is stored in plain text",
  }),
  enabled: t.Boolean(),
  repo_path: t.Optional(t.String({ description: "Repository that events must name" })),
  provider_base_url: t.Optional(t.String()),
  url: t.String({ description: "URL to which the source sends events" }),
  api_token_status: t.Optional(TokenStatus),
  last_event_at: t.Optional(Timestamp),
  last_status: t.Optional(words(RECEIPTS)),
  consecutive_rejects: t.Integer({
    description: "Rejected calls since the last accepted one. Code hosts disable webhooks that keep failing",
  }),
  last_reject: t.Optional(t.Object({ at: Timestamp, reason: t.String() })),
  created_by: Actor,
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type WebhookConfig = Static<typeof WebhookConfig>;

/** A config with its secret, which is only shown on creation. */
export const WebhookConfigWithSecret = t.Composite([
  WebhookConfig,
  t.Object({
    raw_secret: sealed(
      t.String({
        description: "`whsec_` and 64 hex digits. Use the whole text as the key",
      }),
    ),
  }),
]);
export type WebhookConfigWithSecret = Static<typeof WebhookConfigWithSecret>;

const ApiToken = sealed(t.String({ minLength: 1, maxLength: 1_000, writeOnly: true }));

export const NewWebhookConfig = t.Object({
  source: Source,
  name: t.Optional(nameUpTo(80)),
  repo_path: t.Optional(t.String({ minLength: 1, maxLength: 500, examples: ["platform/network"] })),
  enabled: t.Optional(t.Boolean({ default: true })),
  api_token: t.Optional(ApiToken),
  provider_base_url: t.Optional(t.String({ minLength: 1, maxLength: 500, default: "https://gitlab.com" })),
});

export const WebhookConfigChanges = t.Object({
  enabled: t.Optional(t.Boolean()),
  api_token: t.Optional(ApiToken),
});

const DEFAULT_OVERLAP_HOURS = 24;
export const SecretRotation = t.Object({
  overlap_hours: t.Optional(t.Integer({ minimum: 0, maximum: 168, default: DEFAULT_OVERLAP_HOURS })),
});

/** Longer than the code host's timeout when a token is validated. */
const VALIDATED_MS = 20_000;
const One = { org_id: Uuid, config_id: Uuid };

export const CreateConfig = defineRequest("webhooks.configs.create", {
  input: t.Composite([t.Object({ org_id: Uuid, config_id: NewId, created_by: Actor }), NewWebhookConfig]),
  output: WebhookConfigWithSecret,
  timeoutMs: VALIDATED_MS,
});
export const ListConfigs = defineRequest("webhooks.configs.list", {
  input: t.Object({ ...PageInput, source: t.Optional(Source) }),
  output: page(WebhookConfig),
});
export const GetConfig = defineRequest("webhooks.configs.get", {
  input: t.Object(One),
  output: WebhookConfig,
});
export const UpdateConfig = defineRequest("webhooks.configs.update", {
  input: t.Composite([t.Object(One), WebhookConfigChanges]),
  output: WebhookConfig,
  timeoutMs: VALIDATED_MS,
});
export const DeleteConfig = defineRequest("webhooks.configs.delete", {
  input: t.Object(One),
  output: t.Object({}),
});
export const RotateSecret = defineRequest("webhooks.secrets.rotate", {
  input: t.Composite([t.Object({ ...One, rotation_id: NewId }), SecretRotation]),
  output: WebhookConfigWithSecret,
});

/** Announces that an organization's configs changed, by its id. */
export const ConfigsChanged = defineBroadcast("webhooks.configs.changed");

/** Deletes everything of a deleted organization. */
export const PurgeWebhooks = defineRequest("webhooks.orgs.purge", {
  input: t.Object({ org_id: Uuid }),
  output: t.Object({}),
  timeoutMs: 300_000,
});
