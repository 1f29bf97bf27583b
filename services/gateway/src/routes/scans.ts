import {
  CancelScan,
  CreateScan,
  GetScan,
  ListScans,
  NewScan,
} from "@leeway/shared/contracts/inventory/scans";

import { Type as t } from "@sinclair/typebox";

import { actorOf } from "../auth/caller.ts";
import { isStillMember } from "../http/access.ts";
import { NO_CONTENT } from "../http/answer.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { relay } from "../http/relay.ts";
import { FINISHED_SCAN, pageOf, SCAN } from "../openapi/examples.ts";
import { serverSentEvent } from "../streams/event-stream.ts";
import { LAST_EVENT_ID } from "../streams/scan-events.ts";

const TAG = "Scans";
const COLLECTION = "/api/v2/orgs/:id/scans";
const ONE = `${COLLECTION}/:scan_id`;

const list = relay(ListScans, {
  method: "GET",
  path: COLLECTION,
  operationId: "listScans",
  tag: TAG,
  summary: "List scans",
  description: "Newest first, pushed listings among them.",
  who: "viewer",
  success: {
    status: 200,
    description: "The scans",
    schema: ListScans.output,
    example: pageOf(FINISHED_SCAN),
  },
  errors: ["invalid_cursor"],
});

const create = relay(CreateScan, {
  method: "POST",
  path: COLLECTION,
  operationId: "createScan",
  tag: TAG,
  summary: "Start a scan",
  description:
    "Asks an account's cloud, with the account's credentials; without `account_id`, those of every account that has credentials, and `also_started` names the other scans. `drift` asks no cloud: it takes accounts that were scanned before, with credentials or without. What can't be seen stays as it was, and the scan ends `partial`. With `regions` only these are looked at.",
  who: "admin",
  body: NewScan,
  bodyExample: { account_id: SCAN.account_id },
  success: { status: 202, description: "The queued scan", schema: CreateScan.output, example: SCAN },
  errors: ["no_credentials", "registry_not_configured", "scan_in_progress"],
  creates: true,
  derive: ({ caller, attemptId }) => ({ scan_id: attemptId, requested_by: actorOf(caller) }),
  audit: "scan.create",
  location: (orgId) => `/api/v2/orgs/${orgId}/scans/`,
});

const get = relay(GetScan, {
  method: "GET",
  path: ONE,
  operationId: "getScan",
  tag: TAG,
  summary: "Get a scan",
  description: "The scan with its counts, each there once its phase is done.",
  who: "viewer",
  success: { status: 200, description: "The scan", schema: GetScan.output, example: FINISHED_SCAN },
});

const cancel = relay(CancelScan, {
  method: "POST",
  path: `${ONE}/cancel`,
  operationId: "cancelScan",
  tag: TAG,
  summary: "Cancel a scan",
  description:
    "Stops a scan that is queued or running; what it has found so far is dropped. In the phase `drift` it is too late: what it has found is the inventory.",
  who: "admin",
  success: {
    status: 202,
    description: "The scan",
    schema: CancelScan.output,
    example: { ...SCAN, status: "canceled" },
  },
  errors: ["not_cancelable"],
  audit: "scan.cancel",
});

const follow = endpoint({
  method: "GET",
  path: `${ONE}/events`,
  operationId: "followScan",
  tag: TAG,
  summary: "Follow a scan",
  description: `Server-sent events: \`scan\` with the scan as it is, at once and about a second after each change, and \`end\` with it as
it has ended, after which the stream ends. Lines that begin with a colon keep the connection alive. A client that comes back begins
with the scan as it is then; with \`Last-Event-ID: ${LAST_EVENT_ID}\` it is told 204, that there is nothing more. An organization can
have 50 streams open at each gateway, and no more than are free of its 500. Ends when the caller's access does.`,
  who: "viewer",
  params: t.Object({ scan_id: GetScan.input.properties.scan_id }),
  success: {
    status: 200,
    description: "Events until the scan has ended",
    mediaType: "text/event-stream",
    example: serverSentEvent("scan", JSON.stringify(SCAN)),
  },
  otherwise: [{ status: 204, description: "The scan has ended, and the client has been told" }],
  errors: ["not_found", "unavailable"],
  async handle({ request, orgId, params }, gateway) {
    if (request.headers.get("last-event-id") === LAST_EVENT_ID) return NO_CONTENT;
    const stream = await gateway.scanEvents.follow({
      orgId,
      scanId: params.scan_id,
      isAllowed: () => isStillMember(request, orgId, gateway),
      signal: request.signal,
    });
    if (request.method === "HEAD") await stream.cancel();
    const headers = { "content-type": "text/event-stream", "x-accel-buffering": "no" };
    return { status: 200, headers, body: null, ...(request.method !== "HEAD" && { stream }) };
  },
});

export const scans: readonly Endpoint[] = [list, create, get, follow, cancel];
