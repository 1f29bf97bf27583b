import { CHANGE_TOPICS } from "@leeway/shared/contracts/gateway/changes";

import { isStillMember } from "../http/access.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";
import { serverSentEvent } from "../streams/event-stream.ts";

const follow = endpoint({
  method: "GET",
  path: "/api/v2/orgs/:id/events",
  operationId: "followOrganization",
  tag: "Organizations",
  summary: "Follow what changes",
  description: `Server-sent events: \`ready\` at once, then \`changed\` with the \`topics\` (${CHANGE_TOPICS.map((topic) => `\`${topic}\``).join(", ")}) whose answers may have changed, at most one event a second. \`new_changes\` is the number of drift changes that are new or have new values. \`reload\` means that changes were missed, so everything may have changed. A client that reconnects to the same gateway with \`Last-Event-ID\` gets what it missed. Lines starting with a colon keep the connection alive. Each gateway allows 10 streams per caller, 200 per organization and 2,000 in total. The stream ends within ten seconds when the caller loses access or signs out.`,
  who: "viewer",
  success: {
    status: 200,
    description: "Events until either side closes the stream",
    mediaType: "text/event-stream",
    example: serverSentEvent("changed", JSON.stringify({ topics: ["drift"], new_changes: 12 })),
  },
  errors: ["unavailable"],
  async handle({ request, orgId, caller }, gateway) {
    const headers = { "content-type": "text/event-stream", "x-accel-buffering": "no" };
    if (request.method === "HEAD") return { status: 200, headers, body: null };
    const stream = gateway.organizationEvents.follow({
      orgId,
      callerId: caller.id,
      lastEventId: request.headers.get("last-event-id"),
      isAllowed: () => isStillMember(request, orgId, gateway),
      signal: request.signal,
    });
    return { status: 200, headers, body: null, stream };
  },
});

export const organizationEvents: readonly Endpoint[] = [follow];
