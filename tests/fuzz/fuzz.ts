import { isObject } from "@leeway/shared/values/json";
import fc from "fast-check";

import { ENDPOINTS } from "../../services/gateway/src/endpoints.ts";
import type { Endpoint } from "../../services/gateway/src/http/endpoint.ts";
import { placeholders } from "../../services/gateway/src/http/parameters.ts";
import { undocumented } from "../../services/gateway/test/support/documented.ts";
import type { Answered } from "../../services/gateway/test/support/gateway.ts";
import { ndjson, tfstate } from "../../services/inventory/test/kit.ts";
import type { Stack } from "../isolation/stack.ts";
import type { Tenant } from "../isolation/tenant.ts";
import { fitting, odd } from "./values.ts";

/** Operations that would end the test early. */
/** Deletes the tenant, or streams without an end. */
const LEFT_OUT = new Set(["deleteOrganization", "followOrganization"]);
/** Codes of 5xx answers about a missing or failing dependency, and of readiness. */
const NOT_OURS = new Set(["registry_not_configured", "provider_unavailable", "not_ready"]);
/** Ids kept per kind and organization. Older ones have mostly been deleted. */
const MAX_KNOWN = 30;

export interface FuzzReport {
  requests: number;
  /** Number of answers by operation and status. */
  statuses: Map<string, Map<number, number>>;
  /** Wrong answers, each kind once. */
  wrong: Map<string, string>;
}

/**
 * Sends valid and nearly valid requests with ids from earlier answers, until `until` returns true. Checks that each
 * answer is documented and that none is an internal error.
 */
export async function fuzz(
  stack: Stack,
  tenants: readonly Tenant[],
  { seed, workers, until }: { seed: number; workers: number; until(requests: number): boolean },
): Promise<FuzzReport> {
  const endpoints = ENDPOINTS.filter(({ operationId, hidden }) => !LEFT_OUT.has(operationId) && !hidden);
  const often = endpoints.filter(({ method }) => method !== "DELETE");
  const known = knownIds(endpoints, tenants);
  const report: FuzzReport = { requests: 0, statuses: new Map(), wrong: new Map() };
  const draw = drawing([...endpoints, ...often, ...often, ...often], tenants, known, seed);

  async function work(): Promise<void> {
    while (!until(report.requests)) {
      const { endpoint, request } = draw();
      report.requests += 1;
      const { path, as, body } = request;
      const answered = await stack.ask(endpoint.method, path, { body, ...(as !== undefined && { as }) });
      note(report, endpoint, request, answered);
      known.learn(endpoint, request.tenant, answered);
    }
  }
  await Promise.all(Array.from({ length: workers }, work));
  return report;
}

interface ApiRequest {
  tenant: Tenant;
  path: string;
  as: string | undefined;
  body: unknown;
}

/** Returns a generator of requests. The same seed and the same answers give the same requests. */
function drawing(
  endpoints: readonly Endpoint[],
  tenants: readonly Tenant[],
  known: KnownIds,
  seed: number,
): () => { endpoint: Endpoint; request: ApiRequest } {
  const drawn = new Map<Endpoint, fc.Arbitrary<ApiRequest>>();
  let round = seed;
  return () => {
    round += 1;
    const [endpoint] = fc.sample(fc.constantFrom(...endpoints), { seed: round, numRuns: 1 });
    if (!endpoint) throw new Error("there is nothing to ask");
    const arbitrary = drawn.get(endpoint) ?? requestOf(endpoint, tenants, known);
    drawn.set(endpoint, arbitrary);
    const [request] = fc.sample(arbitrary, { seed: round, numRuns: 1 });
    if (!request) throw new Error("nothing was drawn");
    return { endpoint, request };
  };
}

/** Draws a request of one organization, mostly for its own data. */
function requestOf(
  endpoint: Endpoint,
  tenants: readonly Tenant[],
  known: KnownIds,
): fc.Arbitrary<ApiRequest> {
  const any = fc.constantFrom(...tenants);
  return any.chain((tenant) => {
    const { owner, id } = tenant;
    const strangers = fc.constantFrom(undefined, "leeway_guess", ...tenants.map((other) => other.key));
    return fc.record({
      tenant: fc.constant(tenant),
      path: pathOf(
        endpoint,
        mostly(
          fc.constant(id),
          any.map((other) => other.id),
        ),
        known.of(tenant),
      ),
      as: mostly(fc.oneof(fc.constant(owner), known.of(tenant)("api_key")), strangers),
      body: bodyOf(endpoint, known.of(tenant)("any")),
    });
  });
}

type IdsOf = (step: string) => fc.Arbitrary<string>;

function pathOf(
  { path, params, query }: Endpoint,
  org: fc.Arbitrary<string>,
  idsOf: IdsOf,
): fc.Arbitrary<string> {
  const names = placeholders(path).map(([name]) => name);
  const steps = names.map((name) => {
    if (name === "id") return org;
    const other = fc.oneof(fitting(params.properties[name], idsOf("any")), odd).map(asText);
    return mostly(idsOf(name), other);
  });
  const members = {
    limit: mostly<unknown>(fc.integer({ min: 1, max: 600 }), odd),
    ...mapped(query.properties, (one, name) => mostly(fitting(one, idsOf(name)), odd)),
  };
  const cursor = mostly(fc.constant({}), fc.record({ cursor: idsOf("next_cursor") }));
  const search = fc.tuple(fc.record(members, { requiredKeys: [] }), cursor);
  return fc.tuple(fc.tuple(...steps), search).map(([values, given]) => {
    const filled = names.reduce(
      (text, name, index) => text.replace(`:${name}`, () => encodeURIComponent(values[index] ?? "")),
      path,
    );
    const pairs = Object.entries({ ...given[0], ...given[1] }).map(([name, value]): [string, string] => [
      name,
      asText(value),
    ]);
    return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs).toString()}`;
  });
}

function bodyOf({ body, upload, bodyExample }: Endpoint, ids: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  if (upload) return uploads(bodyExample);
  if (!body) return fc.constant(undefined);
  const usual =
    bodyExample === undefined ? fitting(body, ids) : fc.oneof(fc.constant(bodyExample), fitting(body, ids));
  return mostly(usual, nearly(bodyExample));
}

/** Ids from answers, by organization and by the path step that takes them. */
interface KnownIds {
  of(tenant: Tenant): IdsOf;
  learn(endpoint: Endpoint, tenant: Tenant, answered: Answered): void;
}

function knownIds(endpoints: readonly Endpoint[], tenants: readonly Tenant[]): KnownIds {
  /** Step that names an item, by the path of its collection. */
  const stepBelow = new Map(
    endpoints.flatMap(({ path }) => {
      const [, collection = "", step = ""] = /^(.+)\/:(\w+)$/.exec(path) ?? [];
      return step === "" ? [] : [[collection, step]];
    }),
  );
  const byTenant = new Map(tenants.map((tenant) => [tenant.id, new Map<string, string[]>()]));

  function add(tenant: Tenant, step: string, id: unknown): void {
    if (typeof id !== "string") return;
    const steps = byTenant.get(tenant.id);
    for (const name of [step, "any"]) {
      const ids = steps?.get(name) ?? [];
      steps?.set(name, ids.includes(id) ? ids : [id, ...ids].slice(0, MAX_KNOWN));
    }
  }
  for (const tenant of tenants)
    for (const [name, id] of Object.entries(tenant.ids)) add(tenant, `${name}_id`, id);

  return {
    of: (tenant) => (step) =>
      fc.nat().map((index) => {
        const steps = byTenant.get(tenant.id);
        const ids = steps?.get(step) ?? steps?.get("any") ?? [];
        return ids[index % ids.length] ?? tenant.id;
      }),
    learn({ path }, tenant, { status, body }) {
      if (status >= 300 || !isObject(body)) return;
      const { next_cursor: cursor, key, data = [body] } = body;
      add(tenant, "next_cursor", cursor);
      add(tenant, "api_key", key);
      const rows: unknown[] = Array.isArray(data) ? data : [];
      for (const row of rows) {
        const { id, fingerprint = id } = Object(row);
        add(tenant, stepBelow.get(path) ?? "any", fingerprint);
      }
    },
  };
}

/** Draws from `usual` mostly, and from `other` now and then. */
function mostly<T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: other });
}

/** Draws an example with one member replaced by an odd value. */
function nearly(example: unknown): fc.Arbitrary<unknown> {
  if (typeof example !== "object" || example === null || Object.keys(example).length === 0) return odd;
  const name = fc.constantFrom(...Object.keys(example));
  return fc.tuple(name, odd).map(([member, value]) => ({ ...example, [member]: value }));
}

function uploads(example: unknown): fc.Arbitrary<unknown> {
  const whole = example === undefined ? "[]" : JSON.stringify(example);
  const cut = fc.nat(whole.length).map((end) => whole.slice(0, end));
  const document = fc.tuple(fc.nat(9), fc.nat(9)).map(([serial, queue]) => {
    const arn = `arn:aws:sqs:eu-west-1:111111111111:q${queue}`;
    const row = { provider_resource_id: arn, provider_type: "AWS::SQS::Queue" };
    const resource = { type: "aws_sqs_queue", name: `q${queue}`, attributes: { id: arn, arn } };
    return serial > 5 ? ndjson([row]) : JSON.stringify(tfstate([resource], { serial }));
  });
  return fc.oneof(
    fc.constant(whole),
    document,
    cut,
    fc.json(),
    fc.constantFrom("", "[]", "{}", "\u001F\u008B"),
  );
}

function mapped<T, U>(
  values: Readonly<Record<string, T>>,
  change: (value: T, name: string) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function isOurs({ status, body }: Answered): boolean {
  return status >= 500 && !NOT_OURS.has(body?.code ?? body?.status);
}

function note(report: FuzzReport, endpoint: Endpoint, request: ApiRequest, answered: Answered): void {
  const { operationId, method } = endpoint;
  const statuses = report.statuses.get(operationId) ?? new Map<number, number>();
  statuses.set(answered.status, (statuses.get(answered.status) ?? 0) + 1);
  report.statuses.set(operationId, statuses);
  const problem = isOurs(answered) ? `${answered.status} ${answered.text}` : undocumented(endpoint, answered);
  const kind = `${operationId} ${answered.status}`;
  if (problem === undefined || report.wrong.has(kind)) return;
  const sent = JSON.stringify(request.body)?.slice(0, 500);
  report.wrong.set(kind, `${problem.slice(0, 800)}: ${method} ${request.path.slice(0, 500)} ${sent}`);
}
