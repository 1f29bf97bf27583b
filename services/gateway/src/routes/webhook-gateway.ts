import { callWithBody } from "@leeway/shared/bus/request";
import { isUuid, words } from "@leeway/shared/contract";
import { Uuid } from "@leeway/shared/contracts/common";
import { ReceiveDelivery } from "@leeway/shared/contracts/webhooks/deliveries";
import { SOURCES, type Source } from "@leeway/shared/contracts/webhooks/events";
import { Type as t } from "@sinclair/typebox";

import type { Gateway } from "../gateway.ts";
import { json, type Answer } from "../http/answer.ts";
import { clientAddress } from "../http/client-address.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { pathOf } from "../http/parameters.ts";
import { withWebhookBody } from "../http/webhook-body.ts";
import { rateLimited } from "../limits/rate-limits.ts";
import { ID } from "../openapi/examples.ts";

/** Where each source says who it is; of several, the first that is there counts, right or wrong. */
const CREDENTIAL_HEADERS: Readonly<Record<Source, readonly string[]>> = {
  planner: ["x-planner-signature", "x-hub-signature-256"],
  vcs: ["x-vcs-token", "x-gitlab-token"],
};

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
  description: `Where a planner and a code host send their events to, verified by a webhook config's secret and by nothing else.
A planner signs: \`X-Planner-Signature: sha256=<hex>\` (or \`X-Hub-Signature-256\`), the HMAC-SHA-256 of the raw body under the whole
\`whsec_…\` text as it stands; it is not base64 and is not decoded. A code host sends the secret itself as \`X-Vcs-Token\` (or
\`X-Gitlab-Token\`). An event that is accepted is on disk; the same body within 24 hours is the same event, unless the first has failed.`,
  who: "public",
  params: t.Object({ source: words(SOURCES), org_id: Uuid }),
  raw: { description: "The event as the source sends it, at most 5 MiB" },
  success: {
    status: 202,
    description: "It is stored, was before, or is of no interest",
    headers: LIMIT_HEADERS,
    schema: t.Object({ status: words(["accepted", "duplicate", "ignored"]), delivery_id: Uuid }),
    example: { status: "accepted", delivery_id: ID.delivery },
  },
  otherwise: [
    {
      status: 401,
      description: "It can't be verified, for whatever reason",
      schema: Refusal,
      example: UNAUTHORIZED,
    },
    {
      status: 403,
      description: "It is of another repository than the config's",
      headers: LIMIT_HEADERS,
      schema: Refusal,
      example: REPOSITORY_MISMATCH,
    },
    { status: 404, description: "There is no such source", schema: Refusal, example: UNKNOWN_PROVIDER },
  ],
  handle: async ({ request, connection, headers }, gateway) => {
    const [, , name, orgId = ""] = pathOf(request.url).split("/");
    const source = SOURCES.find((known) => known === name);
    if (source === undefined) return json(UNKNOWN_PROVIDER, 404);
    const sender = clientAddress(request, connection, gateway.trustedProxies);
    return withWebhookBody({ request, sender }, gateway.webhookBodies, async (body) => {
      if (!isUuid(orgId)) return json(UNAUTHORIZED, 401);
      const call = { request, headers, source, orgId: orgId.toLowerCase() };
      return gateway.senders.within(sender, () => verifiedAnswer(gateway, call, body));
    });
  },
});

interface Call {
  request: Request;
  /** Of the answer, however it ends. */
  headers: Record<string, string>;
  source: Source;
  orgId: string;
}

/** Only what is verified counts towards the limit, and is told of it: else anybody could use it up. */
async function verifiedAnswer(
  { bus, limits, webhookLimit }: Gateway,
  { request, headers, source, orgId }: Call,
  body: Uint8Array,
): Promise<Answer> {
  const taken = limits.take(webhookLimit, `${source}:${orgId}`);
  const call = { org_id: orgId, source, ...credentialIn(request, source) };
  let isVerified = false;
  try {
    const receipt = await callWithBody(
      bus,
      ReceiveDelivery,
      taken.allowed ? call : { ...call, over_limit: true },
      body,
    );
    if (receipt.status === "unauthorized") return json(UNAUTHORIZED, 401);
    isVerified = true;
    Object.assign(headers, taken.headers);
    if (receipt.status === "over_limit") throw rateLimited(taken);
    return receipt.status === "repository_mismatch" ? json(REPOSITORY_MISMATCH, 403) : json(receipt, 202);
  } finally {
    if (!isVerified) taken.giveBack();
  }
}

function credentialIn({ headers }: Request, source: Source): { credential?: string } {
  const credential = CREDENTIAL_HEADERS[source]
    .map((name) => headers.get(name))
    .find((value) => value !== null);
  return typeof credential === "string" ? { credential } : {};
}

export const webhookGateway: readonly Endpoint[] = [receive];
