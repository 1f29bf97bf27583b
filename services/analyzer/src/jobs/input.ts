import { openBytes, seal, type SealedPlace } from "@leeway/shared/encryption/envelope";
import type { KeyRing } from "@leeway/shared/encryption/keyring";

/** A job's input as it is stored, JSON: packed and encrypted. A plan shall be masked already. */
export function sealInput(ring: KeyRing, orgId: string, jobId: string, input: string): Buffer {
  return pack(ring, { orgId, table: "analyzer.inputs", rowId: jobId }, input);
}

/** The text of what {@link sealInput} was given. @throws {SealError} */
export function openInput(ring: KeyRing, orgId: string, jobId: string, sealed: Uint8Array): string {
  return unpack(ring, { orgId, table: "analyzer.inputs", rowId: jobId }, sealed);
}

/** A result that nobody but its caller shall read. */
export function sealResult(ring: KeyRing, orgId: string, jobId: string, result: string): Buffer {
  return pack(ring, { orgId, table: "analyzer.jobs", rowId: jobId }, result);
}

/** The text of what {@link sealResult} was given. @throws {SealError} */
export function openResult(ring: KeyRing, orgId: string, jobId: string, sealed: Uint8Array): string {
  return unpack(ring, { orgId, table: "analyzer.jobs", rowId: jobId }, sealed);
}

function pack(ring: KeyRing, place: SealedPlace, text: string): Buffer {
  return seal(ring, place, Bun.zstdCompressSync(Buffer.from(text), { level: 1 }));
}

function unpack(ring: KeyRing, place: SealedPlace, sealed: Uint8Array): string {
  return Bun.zstdDecompressSync(openBytes(ring, place, sealed)).toString("utf8");
}
