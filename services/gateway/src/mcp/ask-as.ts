import type { AskApi } from "@leeway/shared/mcp/tools";
import { isObject, type JsonObject } from "@leeway/shared/values/json";

import { ANONYMOUS } from "../auth/caller.ts";
import type { Gateway } from "../gateway.ts";
import { noSuchPath } from "../http/access.ts";
import type { Call, Endpoint } from "../http/endpoint.ts";
import { createRun } from "../http/pipeline.ts";

/**
 * Returns a function that sends requests to the API as the caller of `call`: with the same credentials, through every
 * check, in the same organization.
 */
export function askAs(call: Call, gateway: Gateway, endpoints: readonly Endpoint[]): AskApi {
  const authorization = call.request.headers.get("authorization") ?? "";
  return async ({ method, path, query = {}, body }) => {
    const found = endpoints.find((each) => each.method === method && isAt(each.path, path));
    if (!found) throw noSuchPath();
    const search = new URLSearchParams(query).toString();
    const url = new URL(`/api/v2/orgs/${call.orgId}/${path}?${search}`, "http://gateway.internal");
    const text = body && JSON.stringify(body);
    const request = new Request(url.href, {
      method,
      signal: call.request.signal,
      headers: {
        authorization,
        ...(text !== undefined && {
          "content-type": "application/json",
          "content-length": String(Buffer.byteLength(text)),
        }),
      },
      ...(text !== undefined && { body: text }),
    });
    const { connection } = call;
    const visit = { request, connection, caller: ANONYMOUS, orgId: "", headers: {} };
    const answer = await createRun(found, gateway)(visit);
    return objectIn(answer.body ?? "{}");
  };
}

function objectIn(body: string | Uint8Array): JsonObject {
  const value: unknown = JSON.parse(typeof body === "string" ? body : Buffer.from(body).toString("utf8"));
  if (!isObject(value)) throw new Error("the API answered with something else than an object");
  return value;
}

/** Returns whether a path below the organization is one of a route. */
function isAt(route: string, path: string): boolean {
  const steps = route.split("/");
  const given = `/api/v2/orgs/:id/${path}`.split("/");
  return (
    steps.length === given.length &&
    steps.every((step, at) => step === given[at] || (step.startsWith(":") && step !== ":id"))
  );
}
