import { openBytes, seal, type SealedPlace } from "@leeway/shared/envelope";
import type { KeyRing } from "@leeway/shared/keyring";

const TABLE = "analyzer.inputs";

/** A job's input as it is stored, JSON: packed and encrypted. It shall be masked already. */
export function sealInput(ring: KeyRing, orgId: string, jobId: string, input: string): Buffer {
  const packed = Bun.zstdCompressSync(Buffer.from(input), { level: 1 });
  return seal(ring, placeOf(orgId, jobId), packed);
}

/** The text of what {@link sealInput} was given. @throws {SealError} */
export function openInput(ring: KeyRing, orgId: string, jobId: string, sealed: Uint8Array): string {
  return Bun.zstdDecompressSync(openBytes(ring, placeOf(orgId, jobId), sealed)).toString("utf8");
}

function placeOf(orgId: string, jobId: string): SealedPlace {
  return { orgId, table: TABLE, rowId: jobId };
}
