import { setImmediate } from "node:timers/promises";

import type { Semaphore } from "@leeway/shared/concurrency/semaphore";
import { actingAs, toItsEnd } from "@leeway/shared/platform/context";
import type { BodyReference } from "@leeway/shared/contracts/common";
import { decode } from "@leeway/shared/values/decode";
import { isObject } from "@leeway/shared/values/json";

import { actorOf } from "../auth/caller.ts";
import { show } from "../freshness/show.ts";
import type { Gateway } from "../gateway.ts";
import {
  authorize,
  identify,
  limit,
  limitOperation,
  limitOrganization,
  organizationNamed,
  organizationOf,
  type Visit,
} from "./access.ts";
import { withoutAliases } from "./aliases.ts";
import { announceChange } from "./announce-change.ts";
import type { Answer } from "./answer.ts";
import { decodeBody, isSmall, readBody } from "./body.ts";
import { isUnscoped, isVersioned, type Call, type Endpoint } from "./endpoint.ts";
import { idempotently } from "./idempotency.ts";
import { pathOf, placeholders, readQuery, readStep, refuseUnknown, searchOf } from "./parameters.ts";
import { takeUpload } from "./upload.ts";
import { handlerOf } from "./whole-list.ts";

const ORGANIZATION = "id";
const EMPTY = new Uint8Array(0);
const NOTHING = {};
/** Extra lifetime of a connection after the work, for its answer. */
const MARGIN_MS = 5_000;

/** Takes a request through every check, in the documented order, to its handler. */
export type Run = (visit: Visit) => Promise<Answer>;

export function createRun(endpoint: Endpoint, gateway: Gateway): Run {
  const steps = placeholders(endpoint.path);
  const orgStep = steps.find(([name]) => name === ORGANIZATION)?.[1];
  const unscoped = isUnscoped(endpoint);
  const readParams = paramsReader(endpoint, steps);
  const readParameters = queryReader(endpoint);
  const handle = handlerOf(endpoint);
  const admit = (visit: Visit): void => {
    authorize(endpoint, visit);
    limitOrganization(visit, gateway);
    if (endpoint.limit) limitOperation(visit, gateway, endpoint.limit(gateway));
  };

  return async (visit) => {
    const { request } = visit;
    const path = steps.length === 0 ? [] : pathOf(request.url).split("/");
    visit.caller = await identify(endpoint.who, visit, gateway);
    limit(visit, gateway);
    if (orgStep !== undefined) visit.orgId = organizationOf(path[orgStep] ?? "");
    if (!unscoped) admit(visit);
    const params = readParams(path);
    const query = readParameters(searchOf(request.url));
    keepOpen(endpoint, visit);
    const { body, upload, bytes } = await receive(endpoint, visit, gateway);
    if (unscoped) {
      visit.orgId = organizationNamed(visit, body);
      admit(visit);
    }

    const { caller, connection, orgId, headers } = visit;
    const call: Call = {
      request,
      connection,
      attemptId: Bun.randomUUIDv7(),
      caller,
      orgId,
      params,
      query,
      body,
      headers,
      ...(upload && { upload }),
    };
    const work = (): Promise<Answer> =>
      endpoint.creates
        ? toItsEnd(() => once(endpoint, gateway, { visit, call, bytes }))
        : handle(call, gateway);
    const shown = () => show(gateway.positions, endpoint, orgId, work);
    const answer = await (caller.type === "anonymous" ? shown() : actingAs(actorOf(caller), shown));
    announceChange(endpoint, { orgId, status: answer.status }, gateway);
    return answer;
  };
}

/**
 * Returns the reader of a path's parameters, except the organization. Our own ids become lower-case, as in stored
 * records.
 */
function paramsReader(
  { params, raw }: Endpoint,
  steps: [name: string, at: number][],
): (path: string[]) => Record<string, unknown> {
  const named = steps.filter(([name]) => name !== ORGANIZATION);
  if (named.length === 0 || raw) return () => NOTHING;
  return (path) => {
    const values = named.map(([name, at]) => {
      const step = readStep(name, path[at] ?? "");
      return [name, params.properties[name]?.["format"] === "uuid" ? step.toLowerCase() : step];
    });
    return decode(params, Object.fromEntries(values));
  };
}

function queryReader(endpoint: Endpoint): (search: string) => Record<string, unknown> {
  const { query, aliases } = endpoint;
  const isStrict = isVersioned(endpoint);
  const takesNone = Object.keys(query.properties).length === 0;
  return (search) => {
    if (isStrict) refuseUnknown(query, search);
    return takesNone ? NOTHING : withoutAliases(readQuery(query, search), aliases.query);
  };
}

function keepOpen({ patienceMs }: Endpoint, { connection, request }: Visit): void {
  if (patienceMs !== undefined) connection?.timeout(request, Math.ceil((patienceMs + MARGIN_MS) / 1000));
}

interface Received {
  body?: unknown;
  upload?: BodyReference;
  /** Identifies the body. */
  bytes: Uint8Array;
}

async function receive(
  endpoint: Endpoint,
  { request, caller, orgId }: Visit,
  { bodies, uploads, decoding }: Gateway,
): Promise<Received> {
  const { body, upload, raw, method, creates, aliases } = endpoint;
  if (upload) {
    const hash = new Bun.CryptoHasher("sha256");
    const onPart = (part: Uint8Array) => void hash.update(part);
    const { maxBytes, owner } = upload;
    const stored = await uploads.within(orgId, () =>
      takeUpload(request, { bodies: bodies[owner], maxBytes, ...(creates && { onPart }) }),
    );
    return { upload: stored, bytes: hash.digest() };
  }
  if (!body) {
    // Otherwise two megabytes of it stay in memory until the answer.
    if (!raw) request.body?.cancel().catch(() => undefined); // its sender may be gone
    return { bytes: EMPTY };
  }
  const read = () => readBody(request);
  const decoded = (bytes: Uint8Array): unknown => {
    const value: unknown = decodeBody(body, bytes, method);
    return isObject(value) ? withoutAliases(value, aliases.body) : value;
  };
  if (isSmall(request)) {
    const bytes = await read();
    return { body: decoded(bytes), bytes };
  }
  const bytes = await uploads.within(orgId || caller.id, read);
  return { body: await oneByOne(decoding, () => decoded(bytes)), bytes };
}

/** Runs CPU-heavy `work` one at a time, after requests that have arrived in the meantime. */
function oneByOne<T>(slots: Semaphore, work: () => T): Promise<T> {
  return slots.within(async () => {
    await setImmediate();
    return work();
  });
}

/** Handles a request that creates something, or repeats an earlier answer. Clients may disconnect and retry. */
async function once(
  endpoint: Endpoint,
  gateway: Gateway,
  { visit, call, bytes }: { visit: Visit; call: Call; bytes: Uint8Array },
): Promise<Answer> {
  let isHandled = false;
  const work = (attemptId: string): Promise<Answer> => {
    isHandled = true;
    return endpoint.handle({ ...call, attemptId }, gateway);
  };
  try {
    return await idempotently(gateway, { ...call, body: bytes }, work, () => {
      visit.headers["idempotent-replayed"] = "true";
    });
  } finally {
    // No service knows about this upload, so none would delete it.
    if (call.upload && endpoint.upload && !isHandled)
      await gateway.bodies[endpoint.upload.owner].delete(call.upload.ref);
  }
}
