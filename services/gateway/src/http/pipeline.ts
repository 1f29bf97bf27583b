import { decode } from "@leeway/shared/decode";

import type { Gateway } from "../gateway.ts";
import { authorize, identify, limit, organizationOf, type Visit } from "./access.ts";
import type { Answer } from "./answer.ts";
import { decodeBody, readBody } from "./body.ts";
import type { Call, Endpoint } from "./endpoint.ts";
import { idempotently } from "./idempotency.ts";
import { pathOf, placeholders, readQuery, readStep, searchOf } from "./parameters.ts";

const ORGANIZATION = "id";
const EMPTY = new Uint8Array(0);
const NOTHING = {};

/** Takes a request through every check, in the order that the documentation promises, to its handler. */
export type Run = (visit: Visit) => Promise<Answer>;

export function createRun(endpoint: Endpoint, gateway: Gateway): Run {
  const steps = placeholders(endpoint.path);
  const orgStep = steps.find(([name]) => name === ORGANIZATION)?.[1];
  const readParams = paramsReader(endpoint, steps);
  const takesQuery = Object.keys(endpoint.query.properties).length > 0;
  const patienceSeconds = Math.ceil((endpoint.patienceMs ?? 0) / 1000);

  return async (visit) => {
    const { request } = visit;
    const path = steps.length === 0 ? [] : pathOf(request.url).split("/");
    visit.caller = await identify(endpoint.who, visit, gateway);
    limit(visit, gateway);
    if (orgStep !== undefined) visit.orgId = organizationOf(path[orgStep] ?? "");
    authorize(endpoint, visit);
    const params = readParams(path);
    const query = takesQuery ? readQuery(endpoint.query, searchOf(request.url)) : NOTHING;
    const { body, bytes } = await readJson(endpoint, request);
    if (patienceSeconds > 0) visit.connection?.timeout(request, patienceSeconds);

    const call: Call = { request, caller: visit.caller, orgId: visit.orgId, params, query, body };
    const work = () => endpoint.handle(call, gateway);
    if (!endpoint.creates) return work();
    return idempotently(gateway, { ...call, body: bytes }, work, () => {
      visit.headers["idempotent-replayed"] = "true";
    });
  };
}

/** What the path says beside the organization. */
function paramsReader(
  { params, raw }: Endpoint,
  steps: [name: string, at: number][],
): (path: string[]) => Record<string, unknown> {
  const named = steps.filter(([name]) => name !== ORGANIZATION);
  if (named.length === 0 || raw) return () => NOTHING;
  return (path) => {
    const values = named.map(([name, at]) => [name, readStep(name, path[at] ?? "")]);
    return decode(params, Object.fromEntries(values));
  };
}

async function readJson(
  { body, method }: Endpoint,
  request: Request,
): Promise<{ body: unknown; bytes: Uint8Array }> {
  if (!body) return { body: undefined, bytes: EMPTY };
  const bytes = await readBody(request);
  return { body: decodeBody(body, bytes, method), bytes };
}
