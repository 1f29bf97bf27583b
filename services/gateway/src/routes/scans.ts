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
import { FINISHED_SCAN, pageOf, SCAN } from "../examples/common.ts";
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
  description: "Lists scans and pushed listings, newest first.",
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
    "Scans an account with its credentials. Without `account_id`, scans every account with credentials; `also_started` lists the other scans. The kind `drift` only compares accounts that were scanned before, and needs no credentials. Resources that can't be read are kept, and the scan ends as `partial`. `regions` limits the scan to some regions.",
  who: "admin",
  body: NewScan,
  bodyExample: { account_id: SCAN.account_id },
  success: { status: 202, description: "The queued scan", schema: CreateScan.output, example: SCAN },
  errors: ["no_credentials", "registry_not_configured", "scan_in_progress"],
  creates: true,
  derive: ({ caller, attemptId }) => ({ scan_id: attemptId, requested_by: actorOf(caller) }),
  location: (orgId) => `/api/v2/orgs/${orgId}/scans/`,
});

const get = relay(GetScan, {
  method: "GET",
  path: ONE,
  operationId: "getScan",
  tag: TAG,
  summary: "Get a scan",
  description: "Returns the scan. Each count appears when its phase is done.",
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
    "Cancels a queued or running scan and discards what it found. A scan in the phase `drift` can't be canceled, because its inventory is already stored.",
  who: "admin",
  success: {
    status: 202,
    description: "The scan",
    schema: CancelScan.output,
    example: { ...SCAN, status: "canceled" },
  },
  errors: ["not_cancelable"],
});

const follow = endpoint({
  method: "GET",
  path: `${ONE}/events`,
  operationId: "followScan",
  tag: TAG,
  summary: "Follow a scan",
  description: `Server-sent events: \`scan\` with the current scan, at once and about a second after each change, then \`end\` with the final scan. Lines starting with a colon keep the connection alive. A client that reconnects gets the current scan; with \`Last-Event-ID: ${LAST_EVENT_ID}\` it gets 204, because nothing follows. Each gateway allows 50 streams per organization and 500 in total, and no organization may open more than are still free. The stream ends when the caller loses access.`,
  who: "viewer",
  params: t.Object({ scan_id: GetScan.input.properties.scan_id }),
  success: {
    status: 200,
    description: "Events until the scan has ended",
    mediaType: "text/event-stream",
    example: serverSentEvent("scan", JSON.stringify(SCAN)),
  },
  otherwise: [{ status: 204, description: "The scan has ended, and the client received its last event" }],
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
