import { RETENTION } from "@leeway/shared/contracts/retention";
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

import { actorOf } from "../auth/caller.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
import { DELIVERY, pageOf, WEBHOOK_CONFIG, WEBHOOK_CONFIG_WITH_SECRET } from "../examples/common.ts";

const TAG = "Webhooks";
const COLLECTION = "/api/v2/orgs/:id/webhooks";
const ONE = `${COLLECTION}/:config_id`;

const list = relay(ListConfigs, {
  method: "GET",
  path: COLLECTION,
  operationId: "listWebhookConfigs",
  tag: TAG,
  summary: "List webhook configs",
  description: "Lists allowed senders of webhooks without their secrets, oldest first.",
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
    "The response contains the secret, which is shown only once. A config of a code host (`vcs`) needs an `api_token` with scope `api` and an expiry. Leeway checks the token on the host before it saves anything.",
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
  location: (orgId) => `/api/v2/orgs/${orgId}/webhooks/`,
});

const get = relay(GetConfig, {
  method: "GET",
  path: ONE,
  operationId: "getWebhookConfig",
  tag: TAG,
  summary: "Get a webhook config",
  description: "Returns the config, with the outcome of its last calls and the status of its token.",
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
    "Enables or disables the config, or replaces its `api_token`, which Leeway checks on the code host first. A disabled config accepts no events.",
  who: "admin",
  body: WebhookConfigChanges,
  bodyExample: { enabled: false },
  success: { status: 200, description: "The config", schema: UpdateConfig.output, example: WEBHOOK_CONFIG },
  errors: ["empty_update"],
  limit: ({ trialLimit }) => trialLimit,
});

const remove = relay(DeleteConfig, {
  method: "DELETE",
  path: ONE,
  operationId: "deleteWebhookConfig",
  tag: TAG,
  summary: "Delete a webhook config",
  description: "Deletes the config. Its secret is no longer accepted.",
  who: "admin",
  success: { status: 204, description: "Deleted" },
});

const rotate = relay(RotateSecret, {
  method: "POST",
  path: `${ONE}/rotate-secret`,
  operationId: "rotateWebhookSecret",
  tag: TAG,
  summary: "Rotate a webhook secret",
  description:
    "Creates a new secret, shown only once. The previous secret stays valid for `overlap_hours`; one left by an earlier rotation ends now.",
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
});

const listDeliveries = relay(ListDeliveries, {
  method: "GET",
  path: `${ONE}/deliveries`,
  operationId: "listWebhookDeliveries",
  tag: TAG,
  summary: "List deliveries",
  description: `Lists verified calls of the last ${RETENTION.deliveries.days} days, newest first, with their outcomes and reasons.`,
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
  description: `Processes the delivery again. Bodies are kept for ${RETENTION.bodies.days} days.`,
  who: "admin",
  success: {
    status: 202,
    description: "The delivery",
    schema: ReplayDelivery.output,
    example: DELIVERY,
  },
  errors: ["conflict"],
  creates: true,
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
