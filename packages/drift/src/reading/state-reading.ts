import { cloudOfType } from "@leeway/clouds/clouds";
import { readState, type StateHead } from "@leeway/clouds/states/read-state";
import { createTextHash } from "@leeway/clouds/states/text-hash";
import { inflated } from "@leeway/shared/values/inflated";

import { comparableAttributes } from "../comparable-attributes.ts";
import { declaredLines } from "./declared-line.ts";

/** Limit of a state's size, inflated. */
const MAX_BYTES = 256 << 20;

/** The declarations of a state, as text for COPY, in compressed chunks. */
export interface WholeState {
  head: StateHead;
  chunks: Uint8Array[];
}

/** Reads a state chunk by chunk, gzipped or not. */
export class StateReading {
  readonly #body = new TransformStream<Uint8Array, Uint8Array>();
  readonly #writer = this.#body.writable.getWriter();
  readonly #whole: Promise<WholeState | undefined>;

  /** @param known SHA-256 of a text that needn't be read; see `TextHash` */
  constructor(known?: Uint8Array) {
    const body = inflated(this.#body.readable, MAX_BYTES);
    this.#whole = known ? readUnlessKnown(body, known) : readWhole(body);
    this.#whole.catch(() => undefined); // thrown where it is awaited
  }

  /** @throws {AppError} `unsupported_format`, `state_encrypted`, `payload_too_large` */
  async read(chunk: Uint8Array): Promise<void> {
    const written = this.#writer.write(chunk).catch(() => this.#whole);
    await Promise.race([written, this.#whole]);
  }

  /** @returns undefined if the state has the known hash @throws {AppError} as `read` */
  close(): Promise<WholeState | undefined> {
    this.#writer.close().catch(() => undefined); // the reader throws what is wrong with the state
    return this.#whole;
  }
}

/** Reads a state only after its hash. Until then, its text is kept compressed. */
async function readUnlessKnown(
  body: AsyncIterable<Uint8Array>,
  known: Uint8Array,
): Promise<WholeState | undefined> {
  const hash = createTextHash();
  const kept: Uint8Array[] = [];
  for await (const chunk of body) {
    hash.update(chunk);
    kept.push(await Bun.zstdCompress(chunk, { level: 1 }));
  }
  return Buffer.from(known).equals(hash.digest().text) ? undefined : readWhole(decompressed(kept));
}

async function* decompressed(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) yield Bun.zstdDecompress(chunk);
}

/** Reads a state to its end. The lines are compressed, because all of them wait for the end. */
async function readWhole(body: AsyncIterable<Uint8Array>): Promise<WholeState> {
  const chunks: Uint8Array[] = [];
  const lines: string[] = [];
  const flush = async (): Promise<void> => {
    if (lines.length > 0)
      chunks.push(await Bun.zstdCompress(`${lines.splice(0).join("\n")}\n`, { level: 1 }));
  };
  const head = await readState(body, {
    take(resource) {
      const cloud = cloudOfType(resource.type);
      lines.push(...declaredLines(resource, cloud, comparableAttributes(resource, cloud)));
    },
    drain: flush,
  });
  await flush();
  return { head, chunks };
}
