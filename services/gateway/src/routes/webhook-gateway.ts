import type { BusConnection } from "@leeway/shared/bus/connection";
import { callWithBody } from "@leeway/shared/bus/request";
import { isUuid, words, type Input } from "@leeway/shared/contracts/contract";
import { Uuid } from "@leeway/shared/contracts/common";
import { ReceiveDelivery, type Receipt } from "@leeway/shared/contracts/webhooks/deliveries";
import { senderOf, SOURCES, type Source } from "@leeway/shared/contracts/webhooks/events";
import { AppError } from "@leeway/shared/values/errors";
import { present } from "@leeway/shared/values/json";
import { Type as t } from "@sinclair/typebox";

import type { Gateway } from "../gateway.ts";
import { json, type Answer } from "../http/answer.ts";
import { clientAddress } from "../http/client-address.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { pathOf } from "../http/parameters.ts";
import { withWebhookBody } from "../http/webhook-body.ts";
import { rateLimited } from "../limits/rate-limits.ts";
import { ID } from "../examples/common.ts";

const UNAUTHORIZED = { error: "unauthorized", message: "invalid signature" };
const REPOSITORY_MISMATCH = { error: "repository_mismatch" };
const UNKNOWN_PROVIDER = { error: "unknown provider", message: "unknown provider" };

const LIMIT_HEADERS = ["RateLimit-Policy", "RateLimit"];
const Refusal = t.Object({ error: t.String(), message: t.Optional(t.String()) });

const receive = endpoint({
  method: "POST",
  path: "/webhooks/:source/:org_id",
  takesSlash: true,
  operationId: "receiveWebhook",
  tag: "Webhooks",
  summary: "Receive an event",
  description: `Receives events from a planner or code host, authenticated only by a webhook config's secret.\nA planner signs: \`X-Planner-Signature: sha256=<hex>\` (or \`X-Hub-Signature-256\`), the HMAC-SHA-256 of the raw body. The key is the whole \`whsec_…\` text; don't decode it. A code host sends the secret itself as \`X-Vcs-Token\` (or \`X-Gitlab-Token\`). An accepted event is on disk. The same body within 24 hours is the same event, unless the first one failed.`,
  who: "public",
  params: t.Object({ source: words(SOURCES), org_id: Uuid }),
  raw: { description: "The event as the source sends it, at most 5 MiB" },
  success: {
    status: 202,
    description: "Stored, already stored before, or not of interest",
    headers: LIMIT_HEADERS,
    schema: t.Object({ status: words(["accepted", "duplicate", "ignored"]), delivery_id: Uuid }),
    example: { status: "accepted", delivery_id: ID.delivery },
  },
  otherwise: [
    {
      status: 401,
      description: "Authentication failed, for any reason",
      schema: Refusal,
      example: UNAUTHORIZED,
    },
    {
      status: 403,
      description: "The event belongs to another repository than the config",
      headers: LIMIT_HEADERS,
      schema: Refusal,
      example: REPOSITORY_MISMATCH,
    },
    { status: 404, description: "The source doesn't exist", schema: Refusal, example: UNKNOWN_PROVIDER },
  ],
  handle: async ({ request, connection, headers }, gateway) => {
    const [, , name, orgId = ""] = pathOf(request.url).split("/");
    const source = SOURCES.find((known) => known === name);
    if (source === undefined) return json(UNKNOWN_PROVIDER, 404);
    const sender = clientAddress(request, connection, gateway.trustedProxies);
    return withWebhookBody({ request, sender }, gateway.webhookBodies, async (body) => {
      if (!isUuid(orgId)) return json(UNAUTHORIZED, 401);
      const call = { request, headers, source, sender, orgId: orgId.toLowerCase() };
      return gateway.senders.within(call, () => verifiedAnswer(gateway, call, body));
    });
  },
});

interface Call {
  request: Request;
  /** Headers of the response, also after an error. */
  headers: Record<string, string>;
  source: Source;
  /** Address or network of the sender. */
  sender: string;
  orgId: string;
}

/**
 * Passes a call on. Only verified calls count towards the limit and get its headers; otherwise anyone could use it
 * up.
 */
async function verifiedAnswer(
  { bus, limits, webhookLimit, activity }: Gateway,
  { request, headers, source, sender, orgId }: Call,
  body: Uint8Array,
): Promise<Answer> {
  const taken = limits.take(webhookLimit, `${source}:${orgId}`);
  const overLimit = taken.allowed ? {} : ({ over_limit: true } as const);
  const call = { org_id: orgId, source, ...credentialIn(request, source), ...overLimit };
  let isVerified = false;
  try {
    const receipt = await received(bus, { ...call, sender }, body);
    if (receipt.status === "unauthorized") return json(UNAUTHORIZED, 401);
    isVerified = true;
    activity.note(orgId);
    Object.assign(headers, taken.headers);
    if (receipt.status === "over_limit") throw rateLimited(taken);
    return receipt.status === "repository_mismatch" ? json(REPOSITORY_MISMATCH, 403) : json(receipt, 202);
  } finally {
    if (!isVerified) taken.refund();
  }
}

/** Passes a call to the webhooks service. An older one rejects `sender`, so the call is repeated without it. */
async function received(
  bus: BusConnection,
  { sender, ...call }: Input<typeof ReceiveDelivery>,
  body: Uint8Array,
): Promise<Receipt> {
  try {
    return await callWithBody(bus, ReceiveDelivery, { ...call, ...present({ sender }) }, body);
  } catch (error) {
    if (!(error instanceof AppError && error.code === "invalid_parameter")) throw error;
    return callWithBody(bus, ReceiveDelivery, call, body);
  }
}

function credentialIn({ headers }: Request, source: Source): { credential?: string } {
  const credential = senderOf(source)
    .headers.map((name) => headers.get(name))
    .find((value) => value !== null);
  return typeof credential === "string" ? { credential } : {};
}

export const webhookGateway: readonly Endpoint[] = [receive];
