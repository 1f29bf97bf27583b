import { forward, type Reply } from "@leeway/shared/bus/request";
import type { RequestContract } from "@leeway/shared/contracts/contract";
import { decode } from "@leeway/shared/values/decode";
import { isObject, text } from "@leeway/shared/values/json";
import { Type as t, type TObject, type TSchema } from "@sinclair/typebox";

import type { Gateway } from "../gateway.ts";
import { jsonBytes, NO_CONTENT, type Answer } from "./answer.ts";
import { endpoint, type Call, type Declaration, type Endpoint } from "./endpoint.ts";
import { ListQuery, pathOf, placeholders, searchOf } from "./parameters.ts";

type Fields = Record<string, TSchema>;
type Described = Omit<
  Declaration<TObject, TObject, TSchema>,
  "handle" | "params" | "query" | "patienceMs" | "fromReplica"
>;

interface Relay extends Described {
  /** Query parameters that replace the contract's own. */
  query?: Fields;
  /** Calls the service, if one request isn't enough. */
  exchange?: (gateway: Gateway, input: unknown) => Promise<Reply>;
  /** Returns members of the contract's input that don't come from path, query or body. */
  derive?: (call: Call, gateway: Gateway) => Promise<object> | object;
  /** Returns the path before the id of a created object. */
  location?: (orgId: string) => string;
}

/** Lifetime of an idle connection. Longer work extends its connection's timeout. */
const IDLE_MS = 70_000;

/**
 * Declares an operation that another service answers. The contract's input is built from path, query and body and
 * checked against the contract. The answer is returned unchanged.
 */
export function relay(contract: RequestContract<TObject>, relayed: Relay): Endpoint {
  const { query: ownQuery, exchange, derive, location, ...described } = relayed;
  const inputs: Fields = contract.input.properties;
  const path = placeholders(described.path).flatMap(([name]) => (name === "id" ? [] : [name]));
  const query = ownQuery ?? queryOf(inputs, path, described);

  async function ask(call: Call, gateway: Gateway): Promise<Reply> {
    const derived = derive ? await derive(call, gateway) : undefined;
    const given = Object.fromEntries(Object.entries(call.query).filter(([name]) => name in inputs));
    const input = { org_id: call.orgId, ...call.params, ...given, ...bodyOf(call), ...derived };
    const checked = decode(contract.input, input);
    return exchange ? exchange(gateway, checked) : forward(gateway.bus, contract, checked);
  }

  return endpoint({
    ...described,
    fromReplica: contract.fromReplica,
    success: { ...described.success, ...(location && { headers: ["Location"] }) },
    params: t.Object(pick(inputs, path)),
    query: t.Object(query),
    ...(contract.timeoutMs > IDLE_MS && { patienceMs: contract.timeoutMs }),
    async handle(call, gateway): Promise<Answer> {
      const reply = await ask(call, gateway);
      const { status } = described.success;
      if (status === 204) return NO_CONTENT;
      if (location)
        return jsonBytes(reply.body, status, { location: location(call.orgId) + (idIn(reply) ?? "") });
      return jsonBytes(reply.body, status, nextPage(call.request, reply));
    },
  });
}

/** Returns the members of a contract's input that come from the query, not from path, body or the gateway. */
function queryOf(inputs: Fields, path: readonly string[], { body, method }: Described): Fields {
  if (body || method !== "GET") return {};
  const brought = new Set([...path, "org_id", "limit", "cursor"]);
  const filters = Object.entries(inputs).filter(([name]) => !brought.has(name));
  return { ...("limit" in inputs && ListQuery), ...Object.fromEntries(filters) };
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fields[name] ?? t.String()]));
}

function bodyOf({ body }: Call): object {
  return isObject(body) ? body : {};
}

/** Returns the header with the URL of the next page (RFC 8288), with the same filters. */
export function nextPage(request: Request, { nextCursor }: { nextCursor?: string }): Record<string, string> {
  if (nextCursor === undefined) return {};
  const search = new URLSearchParams(searchOf(request.url));
  search.set("cursor", nextCursor);
  return { link: `<${pathOf(request.url)}?${search.toString()}>; rel="next"` };
}

function parsed({ body }: Reply): unknown {
  return JSON.parse(Buffer.from(body).toString("utf8"));
}

function idIn(reply: Reply): string | undefined {
  const answer = parsed(reply);
  return isObject(answer) ? text(answer, "id") : undefined;
}
