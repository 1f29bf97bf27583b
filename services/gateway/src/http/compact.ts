import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import { weightsOf } from "./accepted.ts";
import type { Answer } from "./answer.ts";
import type { Run } from "./pipeline.ts";

/** The headers of a smaller answer are most of it. */
const MIN_BYTES = 256;

/** Encodings, the preferred one first. All run in other threads, at a level that takes a millisecond for 100 KB. */
const ENCODINGS: readonly [name: string, encode: (bytes: Uint8Array) => Promise<Uint8Array>][] = [
  ["zstd", (bytes) => Bun.zstdCompress(bytes, { level: 3 })],
  ["br", (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
  ["gzip", (bytes) => promisify(gzip)(bytes, { level: 5 })],
];

/**
 * Compresses the JSON that `run` answers, and answers 304 to a client that has it. Only for reads of the API: they
 * contain no secrets, so the length of a compressed answer reveals none (BREACH).
 */
export function compactly(run: Run): Run {
  return async (visit) => {
    const answer = await run(visit);
    if (!isCompactable(answer)) return answer;
    const bytes = typeof answer.body === "string" ? Buffer.from(answer.body) : answer.body;
    const etag = `W/"${Bun.hash.wyhash(bytes).toString(36)}"`; // weak, because all encodings share it
    const { headers } = visit.request;
    const known = { ...answer.headers, etag, vary: "Accept, Accept-Encoding, Authorization, Cookie" };
    if (headers.get("if-none-match")?.includes(etag)) return { status: 304, headers: known, body: null };
    return { ...answer, headers: known, ...(await encoded(bytes, headers.get("accept-encoding"), known)) };
  };
}

function isCompactable(answer: Answer): answer is Answer & { body: string | Uint8Array } {
  const { status, body, stream, headers } = answer;
  const isPlain = headers["etag"] === undefined && headers["content-encoding"] === undefined;
  return (
    status === 200 && body !== null && !stream && isPlain && headers["content-type"] === "application/json"
  );
}

async function encoded(
  bytes: Uint8Array,
  accepted: string | null,
  headers: Answer["headers"],
): Promise<Partial<Answer>> {
  if (bytes.length < MIN_BYTES || accepted === null) return { body: bytes };
  const weights = weightsOf(accepted);
  const weightOf = (name: string): number => weights.get(name) ?? weights.get("*") ?? 0;
  const [best] = ENCODINGS.filter(([name]) => weightOf(name) > 0).toSorted(
    ([one], [other]) => weightOf(other) - weightOf(one),
  );
  if (!best) return { body: bytes };
  const [name, encode] = best;
  return { body: await encode(bytes), headers: { ...headers, "content-encoding": name } };
}
