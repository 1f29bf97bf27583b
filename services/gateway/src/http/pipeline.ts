import { setImmediate } from "node:timers/promises";

import { toItsEnd } from "@leeway/shared/context";
import type { BodyReference } from "@leeway/shared/contracts/common";
import { decode } from "@leeway/shared/decode";
import type { Slots } from "@leeway/shared/fairness/slots";

import type { Gateway } from "../gateway.ts";
import {
  authorize,
  identify,
  limit,
  limitOperation,
  organizationNamed,
  organizationOf,
  type Visit,
} from "./access.ts";
import type { Answer } from "./answer.ts";
import { decodeBody, isSmall, readBody } from "./body.ts";
import { isUnscoped, type Call, type Endpoint } from "./endpoint.ts";
import { idempotently } from "./idempotency.ts";
import { pathOf, placeholders, readQuery, readStep, searchOf } from "./parameters.ts";
import { takeUpload } from "./upload.ts";

const ORGANIZATION = "id";
const EMPTY = new Uint8Array(0);
const NOTHING = {};
/** What a connection lives on beyond the work, for its answer. */
const MARGIN_MS = 5_000;

/** Takes a request through every check, in the order that the documentation promises, to its handler. */
export type Run = (visit: Visit) => Promise<Answer>;

export function createRun(endpoint: Endpoint, gateway: Gateway): Run {
  const steps = placeholders(endpoint.path);
  const orgStep = steps.find(([name]) => name === ORGANIZATION)?.[1];
  const unscoped = isUnscoped(endpoint);
  const readParams = paramsReader(endpoint, steps);
  const takesQuery = Object.keys(endpoint.query.properties).length > 0;
  const admit = (visit: Visit): void => {
    authorize(endpoint, visit);
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
    const query = takesQuery ? readQuery(endpoint.query, searchOf(request.url)) : NOTHING;
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
    return endpoint.creates
      ? toItsEnd(() => once(endpoint, gateway, { visit, call, bytes }))
      : endpoint.handle(call, gateway);
  };
}

/** What the path says beside the organization; our own ids in lower case, as they are in what is written down of them. */
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

function keepOpen({ patienceMs }: Endpoint, { connection, request }: Visit): void {
  if (patienceMs !== undefined) connection?.timeout(request, Math.ceil((patienceMs + MARGIN_MS) / 1000));
}

interface Received {
  body?: unknown;
  upload?: BodyReference;
  /** What tells the body from another. */
  bytes: Uint8Array;
}

async function receive(
  endpoint: Endpoint,
  { request, caller, orgId }: Visit,
  { bodies, uploads, decoding }: Gateway,
): Promise<Received> {
  const { body, upload, raw, method, creates } = endpoint;
  if (upload) {
    const hash = new Bun.CryptoHasher("sha256");
    const onPart = (part: Uint8Array) => void hash.update(part);
    const { mostBytes } = upload;
    const stored = await uploads.within(orgId, () =>
      takeUpload(request, { bodies, mostBytes, ...(creates && { onPart }) }),
    );
    return { upload: stored, bytes: hash.digest() };
  }
  if (!body) {
    // Else two megabytes of it are in memory until the answer.
    if (!raw) request.body?.cancel().catch(() => undefined); // its sender may be gone
    return { bytes: EMPTY };
  }
  const read = () => readBody(request);
  if (isSmall(request)) {
    const bytes = await read();
    return { body: decodeBody(body, bytes, method), bytes };
  }
  const bytes = await uploads.within(orgId || caller.id, read);
  return { body: await oneByOne(decoding, () => decodeBody(body, bytes, method)), bytes };
}

/** Does `work`, which takes the processor for a while, after whatever came meanwhile. */
async function oneByOne<T>(slots: Slots, work: () => T): Promise<T> {
  await slots.take();
  try {
    await setImmediate();
    return work();
  } finally {
    slots.give();
  }
}

/** Handles a request that makes something, or repeats the answer to its like. Its client may leave, and come again. */
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
    // Nobody has been told of it, who would delete it.
    if (call.upload && !isHandled) await gateway.bodies.delete(call.upload.ref);
  }
}
