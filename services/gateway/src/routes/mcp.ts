import { ANALYZE_TOOL, SERVER_TOOLS, type ServerTool } from "@leeway/shared/mcp/tools";
import { AppError, invalidParameter } from "@leeway/shared/values/errors";
import { isObject } from "@leeway/shared/values/json";
import { parseJson } from "@leeway/shared/values/strict-json/json-text";
import { Type as t } from "@sinclair/typebox";

import { version } from "../../package.json" with { type: "json" };
import { writeAudit } from "../audit/store/audit-log.ts";
import { actorOf } from "../auth/caller.ts";
import type { Gateway } from "../gateway.ts";
import { isSmall, readBody } from "../http/body.ts";
import { endpoint, type Call, type Endpoint } from "../http/endpoint.ts";
import { askAs } from "../mcp/ask-as.ts";

const TOOLS: readonly ServerTool[] = [...SERVER_TOOLS, ANALYZE_TOOL];
/** Limit on a call, which may wait for the analysis of a plan. */
const PATIENCE_MS = 60_000;

/**
 * Creates the route of the Model Context Protocol (streamable HTTP, without sessions). Its tools are requests to
 * `endpoints`, so roles, limits and checks are those of the API.
 */
export function mcp(endpoints: readonly Endpoint[]): Endpoint[] {
  const post = endpoint({
    method: "POST",
    path: "/mcp",
    operationId: "callMcp",
    tag: "Service",
    summary: "Serve tools to a language model",
    description: "",
    who: "viewer",
    hidden: true,
    raw: { description: "A message of the Model Context Protocol" },
    success: {
      status: 200,
      description: "The answer",
      schema: t.Object({ jsonrpc: t.String(), id: t.Integer(), result: t.Object({}) }),
      example: { jsonrpc: "2.0", id: 1, result: {} },
    },
    patienceMs: PATIENCE_MS,
    async handle(call, gateway) {
      const message = await messageIn(call, gateway);
      // Loaded on first use, because the libraries take many megabytes.
      const { createMcpServer } = await import("@leeway/shared/mcp/server");
      const { WebStandardStreamableHTTPServerTransport } =
        await import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js");
      const server = createMcpServer({
        version,
        tools: TOOLS,
        call: (tool, input) => audited(tool, input, { call, gateway, endpoints }),
        messageOf: (error) => {
          if (error instanceof AppError) return error.message;
          gateway.log.error({ error }, "a tool failed");
          return "this call failed; try again later";
        },
      });
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      await server.connect(transport);
      try {
        const { method, url, headers } = call.request;
        const response = await transport.handleRequest(new Request(url, { method, headers }), {
          parsedBody: message,
        });
        const type = response.headers.get("content-type");
        const body = await response.text();
        return { status: response.status, headers: type === null ? {} : { "content-type": type }, body };
      } finally {
        await server.close();
      }
    },
  });
  return [post];
}

/** Reads one message. Several in one request would evade the limits on requests. */
async function messageIn({ request, orgId }: Call, { uploads }: Gateway): Promise<unknown> {
  const read = () => readBody(request);
  const bytes = await (isSmall(request) ? read() : uploads.within(orgId, read));
  const value = valueOf(bytes);
  if (isObject(value)) return value;
  throw invalidParameter("body", "must be one JSON-RPC message");
}

/** Parses a body. The interface's own error for bodies without a code isn't for this path. */
function valueOf(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes).value;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "invalid_body") throw error;
    throw invalidParameter("body", `must be one JSON-RPC message: ${error.message}`);
  }
}

/** Calls a tool and records it, whatever the outcome. */
async function audited(
  tool: ServerTool,
  input: unknown,
  { call, gateway, endpoints }: { call: Call; gateway: Gateway; endpoints: readonly Endpoint[] },
): Promise<string> {
  const record = (ok: boolean): Promise<void> =>
    gateway.database.transaction(call.orgId, (tx) => {
      const details = { tool: tool.name, ok };
      return writeAudit(tx, { actor: actorOf(call.caller), action: "tool.call", details });
    });
  try {
    const answer = await tool.run(input, askAs(call, gateway, endpoints));
    await record(true);
    return JSON.stringify(answer, null, 1);
  } catch (error) {
    await record(false);
    throw error;
  }
}
