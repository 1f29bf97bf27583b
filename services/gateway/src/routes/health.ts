import { Type as t } from "@sinclair/typebox";

import { json } from "../http/answer.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";

const live = endpoint({
  method: "GET",
  path: "/healthz",
  operationId: "getHealth",
  tag: "Service",
  summary: "Check that the process is running",
  description: "Returns 200 while the process is running.",
  who: "public",
  success: {
    status: 200,
    description: "The process is running",
    schema: t.Object({ status: t.Literal("ok") }),
    example: { status: "ok" },
  },
  handle: async () => json({ status: "ok" }),
});

/** Public health routes. Readiness and metrics reveal internals, so they have their own port: see `readiness.ts`. */
export const health: readonly Endpoint[] = [live];
