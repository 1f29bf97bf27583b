import { RETENTION } from "@leeway/shared/contracts/retention";
import { openBytes, seal, type SealedPlace } from "@leeway/shared/security/encryption/envelope";
import type { KeyRing } from "@leeway/shared/security/encryption/keyring";
import { AppError } from "@leeway/shared/values/errors";

/** Compresses and encrypts a job's input (JSON). A plan must be masked already. */
export function sealInput(ring: KeyRing, orgId: string, jobId: string, input: string): Buffer {
  return pack(ring, { orgId, table: "analyzer.inputs", rowId: jobId }, input);
}

/** Decrypts an input that {@link sealInput} sealed. @throws {SealError} */
export function openInput(ring: KeyRing, orgId: string, jobId: string, sealed: Uint8Array): string {
  return unpack(ring, { orgId, table: "analyzer.inputs", rowId: jobId }, sealed);
}

/** Returns the masked plan of a job, as JSON. @throws {AppError} `not_found` */
export function openPlan(
  ring: KeyRing,
  { orgId, id, input }: { orgId: string; id: string; input: Uint8Array | undefined },
): string {
  if (!input)
    throw new AppError(
      "not_found",
      `the plan has been deleted; plans are kept for ${RETENTION.inputs.days} days`,
    );
  return openInput(ring, orgId, id, input);
}

/** Compresses and encrypts a result that only its caller may read. */
export function sealResult(ring: KeyRing, orgId: string, jobId: string, result: string): Buffer {
  return pack(ring, { orgId, table: "analyzer.jobs", rowId: jobId }, result);
}

/** Decrypts a result that {@link sealResult} sealed. @throws {SealError} */
export function openResult(ring: KeyRing, orgId: string, jobId: string, sealed: Uint8Array): string {
  return unpack(ring, { orgId, table: "analyzer.jobs", rowId: jobId }, sealed);
}

function pack(ring: KeyRing, place: SealedPlace, text: string): Buffer {
  return seal(ring, place, Bun.zstdCompressSync(Buffer.from(text), { level: 1 }));
}

function unpack(ring: KeyRing, place: SealedPlace, sealed: Uint8Array): string {
  return Bun.zstdDecompressSync(openBytes(ring, place, sealed)).toString("utf8");
}
