import {
  CreateConfig,
  DeleteConfig,
  GetConfig,
  ListConfigs,
  NewWebhookConfig,
  RotateSecret,
  SecretRotation,
  UpdateConfig,
  WebhookConfigChanges,
} from "@leeway/shared/contracts/webhooks/configs";
import { ListDeliveries, ReplayDelivery } from "@leeway/shared/contracts/webhooks/deliveries";

import { factsOf } from "../audited.ts";
import { actorOf } from "../auth/caller.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
import { DELIVERY, pageOf, WEBHOOK_CONFIG, WEBHOOK_CONFIG_WITH_SECRET } from "../openapi/examples.ts";

const TAG = "Webhooks";
const COLLECTION = "/api/v2/orgs/:id/webhooks";
const ONE = `${COLLECTION}/:config_id`;

const list = relay(ListConfigs, {
  method: "GET",
  path: COLLECTION,
  operationId: "listWebhookConfigs",
  tag: TAG,
  summary: "List webhook configs",
  description: "Who may send events, without their secrets; the oldest first.",
  who: "viewer",
  success: {
    status: 200,
    description: "The configs",
    schema: ListConfigs.output,
    example: pageOf(WEBHOOK_CONFIG),
  },
  errors: ["invalid_cursor"],
});

const create = relay(CreateConfig, {
  method: "POST",
  path: COLLECTION,
  operationId: "createWebhookConfig",
  tag: TAG,
  summary: "Create a webhook config",
  description:
    "The answer holds the secret, which is shown this once. A config of a code host (`vcs`) needs an `api_token` with scope `api` and an expiry; it is tried on the host before anything is saved.",
  who: "admin",
  body: NewWebhookConfig,
  bodyExample: { source: WEBHOOK_CONFIG.source, name: WEBHOOK_CONFIG.name },
  success: {
    status: 201,
    description: "The config and its secret",
    schema: CreateConfig.output,
    example: WEBHOOK_CONFIG_WITH_SECRET,
  },
  errors: ["conflict"],
  limit: ({ trialLimit }) => trialLimit,
  creates: true,
  derive: ({ caller, attemptId }) => ({ config_id: attemptId, created_by: actorOf(caller) }),
  audit: "webhook_config.create",
  auditDetails: factsOf("source", "name", "enabled"),
  location: (orgId) => `/api/v2/orgs/${orgId}/webhooks/`,
});

const get = relay(GetConfig, {
  method: "GET",
  path: ONE,
  operationId: "getWebhookConfig",
  tag: TAG,
  summary: "Get a webhook config",
  description: "The config, with what became of its last calls and what is known of its token.",
  who: "viewer",
  success: { status: 200, description: "The config", schema: GetConfig.output, example: WEBHOOK_CONFIG },
});

const update = relay(UpdateConfig, {
  method: "PATCH",
  path: ONE,
  operationId: "updateWebhookConfig",
  tag: TAG,
  summary: "Change a webhook config",
  description:
    "Switches it on or off, or gives it another `api_token`, which is tried on the code host first. A config that is off verifies nothing.",
  who: "admin",
  body: WebhookConfigChanges,
  bodyExample: { enabled: false },
  success: { status: 200, description: "The config", schema: UpdateConfig.output, example: WEBHOOK_CONFIG },
  errors: ["empty_update"],
  limit: ({ trialLimit }) => trialLimit,
  audit: "webhook_config.update",
  auditDetails: factsOf("source", "name", "enabled"),
});

const remove = relay(DeleteConfig, {
  method: "DELETE",
  path: ONE,
  operationId: "deleteWebhookConfig",
  tag: TAG,
  summary: "Delete a webhook config",
  description: "Its secret verifies nothing from then on.",
  who: "admin",
  success: { status: 204, description: "It is gone" },
  audit: "webhook_config.delete",
  auditDetails: factsOf("source", "name", "enabled"),
  deletes: GetConfig,
});

const rotate = relay(RotateSecret, {
  method: "POST",
  path: `${ONE}/rotate-secret`,
  operationId: "rotateWebhookSecret",
  tag: TAG,
  summary: "Rotate a webhook secret",
  description:
    "Gives the config a new secret, shown this once. The one before stays good for `overlap_hours`; one that an earlier rotation left ends now.",
  who: "admin",
  body: SecretRotation,
  bodyExample: { overlap_hours: 24 },
  success: {
    status: 200,
    description: "The config and its secret",
    schema: RotateSecret.output,
    example: WEBHOOK_CONFIG_WITH_SECRET,
  },
  creates: true,
  derive: ({ attemptId }) => ({ rotation_id: attemptId }),
  audit: "webhook_config.rotate",
});

const listDeliveries = relay(ListDeliveries, {
  method: "GET",
  path: `${ONE}/deliveries`,
  operationId: "listWebhookDeliveries",
  tag: TAG,
  summary: "List deliveries",
  description: "The verified calls of the last 30 days, newest first, with what became of them and why.",
  who: "admin",
  success: {
    status: 200,
    description: "The deliveries",
    schema: ListDeliveries.output,
    example: pageOf(DELIVERY),
  },
  errors: ["invalid_cursor"],
});

const replay = relay(ReplayDelivery, {
  method: "POST",
  path: `${ONE}/deliveries/:delivery_id/replay`,
  operationId: "replayWebhookDelivery",
  tag: TAG,
  summary: "Replay a delivery",
  description: "Has it worked off once more. Bodies are kept for seven days.",
  who: "admin",
  success: {
    status: 202,
    description: "The delivery",
    schema: ReplayDelivery.output,
    example: DELIVERY,
  },
  errors: ["conflict"],
  creates: true,
  audit: "webhook_delivery.replay",
});

export const webhookConfigs: readonly Endpoint[] = [
  list,
  create,
  get,
  update,
  remove,
  rotate,
  listDeliveries,
  replay,
];
