import { forward, type Reply } from "@leeway/shared/bus/request";
import type { RequestContract } from "@leeway/shared/contract";
import { decode } from "@leeway/shared/decode";
import { isObject, text } from "@leeway/shared/json";
import { Type as t, type TObject, type TSchema } from "@sinclair/typebox";

import { audited, type Outcome } from "../audited.ts";
import type { Gateway } from "../gateway.ts";
import type { AuditAction, AuditDetails } from "../identity.ts";
import { jsonBytes, NO_CONTENT, type Answer } from "./answer.ts";
import { endpoint, type Call, type Declaration, type Endpoint } from "./endpoint.ts";
import { ListQuery, pathOf, placeholders, searchOf } from "./parameters.ts";

type Fields = Record<string, TSchema>;
type Described = Omit<Declaration<TObject, TObject, TSchema>, "handle" | "params" | "query" | "patienceMs">;

interface Relay extends Described {
  /** Parameters of the query in place of the contract's own. */
  query?: Fields;
  /** How the owner is asked, where one request isn't all. */
  exchange?: (gateway: Gateway, input: unknown) => Promise<Reply>;
  /** Members of the contract's input that come from none of path, query and body. */
  derive?: (call: Call, gateway: Gateway) => Promise<object> | object;
  audit?: AuditAction;
  /** Facts of the answer for the audit log. */
  auditDetails?: (answer: unknown) => AuditDetails;
  /** How what is deleted is asked for before, for its facts: nobody could look them up after. */
  deletes?: RequestContract<TObject>;
  /** Where what was made is to be found: the path in front of its id. */
  location?: (orgId: string) => string;
}

/** What an idle connection survives; work that may take longer keeps its connection open. */
const IDLE_MS = 70_000;

/**
 * An operation that another service answers. The contract's input is put together from path, query and
 * body, checked against the contract, and what comes back is passed on as it is.
 */
export function relay(contract: RequestContract<TObject>, relayed: Relay): Endpoint {
  const { query: ownQuery, exchange, derive, audit, auditDetails, deletes, location, ...described } = relayed;
  const inputs: Fields = contract.input.properties;
  const path = placeholders(described.path).flatMap(([name]) => (name === "id" ? [] : [name]));
  const query = ownQuery ?? queryOf(inputs, path, described);
  const targetStep = path.at(-1);
  const reads = described.method === "GET";

  async function ask(call: Call, gateway: Gateway): Promise<Reply> {
    const derived = derive ? await derive(call, gateway) : undefined;
    const given = Object.fromEntries(Object.entries(call.query).filter(([name]) => name in inputs));
    const input = { org_id: call.orgId, ...call.params, ...given, ...bodyOf(call), ...derived };
    const checked = decode(contract.input, input);
    return exchange ? exchange(gateway, checked) : forward(gateway.bus, contract, checked);
  }

  async function change(call: Call, gateway: Gateway): Promise<Reply> {
    if (!audit) return ask(call, gateway);
    const given: unknown = targetStep === undefined ? undefined : Reflect.get(call.params, targetStep);
    const targetId = typeof given === "string" ? given : undefined;
    const describe = (reply: Reply): Outcome => {
      const id = targetId ?? idIn(reply);
      return {
        ...(id !== undefined && { targetId: id }),
        ...(auditDetails && { details: auditDetails(parsed(reply)) }),
      };
    };
    const entry = {
      caller: call.caller,
      orgId: call.orgId,
      action: audit,
      ...(targetId !== undefined && { targetId }),
      details: await detailsBefore({ method: described.method, deletes, auditDetails }, call, gateway),
    };
    return audited(gateway, entry, () => ask(call, gateway), describe);
  }

  return endpoint({
    ...described,
    success: { ...described.success, ...(location && { headers: ["Location"] }) },
    params: t.Object(pick(inputs, path)),
    query: t.Object(query),
    ...(contract.timeoutMs > IDLE_MS && { patienceMs: contract.timeoutMs }),
    async handle(call, gateway): Promise<Answer> {
      const reply = reads ? await ask(call, gateway) : await change(call, gateway);
      const { status } = described.success;
      if (status === 204) return NO_CONTENT;
      if (location)
        return jsonBytes(reply.body, status, { location: location(call.orgId) + (idIn(reply) ?? "") });
      return jsonBytes(reply.body, status, nextPage(call.request, reply));
    },
  });
}

/** What tells of a change before it is made. */
type Before = { [K in "method" | "deletes" | "auditDetails"]: Relay[K] | undefined };

/** What the audit log can be told before a change is made. */
async function detailsBefore(
  { method, deletes, auditDetails }: Before,
  call: Call,
  { bus }: Gateway,
): Promise<AuditDetails> {
  // Of what a secret was changed to nothing shows, but that it was.
  if (method === "PATCH") return { changed: Object.keys(bodyOf(call)).join(", ") };
  if (!deletes) return {};
  const reply = forward(bus, deletes, decode(deletes.input, { org_id: call.orgId, ...call.params }));
  // What can't be shown any more may be deleted all the same.
  return reply.then((found) => auditDetails?.(parsed(found)) ?? {}).catch(() => ({}));
}

/** The members of a contract's input that the query brings: neither the path nor the body nor we ourselves. */
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

/** The header that leads to the next page (RFC 8288), with the same filters. */
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
