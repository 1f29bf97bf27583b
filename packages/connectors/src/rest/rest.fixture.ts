import type { Cloud, ListedResource } from "@leeway/clouds/cloud";
import { CLOUDS } from "@leeway/clouds/clouds";
import { readListing } from "@leeway/clouds/listings/read-listing";
import type { JsonObject } from "@leeway/shared/values/json";

import type { Clock } from "./clock.ts";

/** Returns a clock that advances only when a caller sleeps. */
export function manualClock(): Clock & { waits: number[] } {
  let now = Date.now();
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    async sleep(ms, signal) {
      signal.throwIfAborted();
      waits.push(ms);
      now += ms;
    },
  };
}

/** Returns the resources that the documents contain when they are pushed. */
export async function pushed(cloud: Cloud, documents: readonly JsonObject[]): Promise<ListedResource[]> {
  const rows: ListedResource[] = [];
  const body = new Blob(documents.map((document) => `${JSON.stringify(document)}\n`)).stream();
  await readListing(body, {
    formats: cloud.formats,
    clouds: CLOUDS,
    take: (row) => rows.push(row),
  });
  return rows;
}

/** Test's own answer, which replaces that of the fake cloud if defined. */
export type Interference = (request: Request) => Response | Promise<Response> | undefined;

/** Returns a JSON API's answer. */
export function answer(status: number, body: JsonObject, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}

/** Returns one page of `rows`, with `size` rows; `token` leads to the next page. */
export function pageOf(
  rows: readonly JsonObject[],
  size: number,
  token: string | null | undefined,
): { rows: JsonObject[]; next?: string } {
  const from = Number(token?.replace("after-", "") ?? 0);
  const to = from + size;
  return { rows: rows.slice(from, to), ...(to < rows.length && { next: `after-${to}` }) };
}

/** Returns an answer that sends one byte at a time, forever. */
export function trickle(): Response {
  return endless(async () => {
    await Bun.sleep(20);
    return new Uint8Array(1);
  });
}

/** Returns an answer that sends data as fast as it is read, forever. */
export function flood(): Response {
  return endless(async () => new Uint8Array(1 << 16));
}

function endless(next: () => Promise<Uint8Array>): Response {
  const body = new ReadableStream({ pull: async (controller) => controller.enqueue(await next()) });
  return new Response(body);
}

/** Returns a promise that never settles, like a server that hangs. */
export function hang(): Promise<Response> {
  return new Promise<Response>(() => undefined);
}
