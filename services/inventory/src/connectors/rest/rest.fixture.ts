import type { JsonObject } from "@leeway/shared/json";

import type { Cloud, ListedResource } from "../../clouds/cloud.ts";
import { CLOUDS } from "../../clouds/clouds.ts";
import { readListing } from "../../listings/read-listing.ts";
import type { Clock } from "./clock.ts";

/** Time that passes only by waiting. */
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

/** The resources that pushing the documents would bring. */
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

/** What comes before a fake cloud's own answer: an answer of a test's, or nothing. */
export type Interference = (request: Request) => Response | Promise<Response> | undefined;

/** An answer as a JSON API gives it. */
export function answer(status: number, body: JsonObject, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}

/** `rows` in pages of `size`; `token` leads to the next one. */
export function pageOf(
  rows: readonly JsonObject[],
  size: number,
  token: string | null | undefined,
): { rows: JsonObject[]; next?: string } {
  const from = Number(token?.replace("after-", "") ?? 0);
  const to = from + size;
  return { rows: rows.slice(from, to), ...(to < rows.length && { next: `after-${to}` }) };
}

/** An answer that comes a byte at a time, for ever. */
export function trickle(): Response {
  return endless(async () => {
    await Bun.sleep(20);
    return new Uint8Array(1);
  });
}

/** An answer that comes as fast as it is taken, for ever. */
export function flood(): Response {
  return endless(async () => new Uint8Array(1 << 16));
}

function endless(next: () => Promise<Uint8Array>): Response {
  const body = new ReadableStream({ pull: async (controller) => controller.enqueue(await next()) });
  return new Response(body);
}

/** A promise that nobody keeps: a server that hangs. */
export function hang(): Promise<Response> {
  return new Promise<Response>(() => undefined);
}
