import type { ShownBackend } from "@leeway/shared/contracts/inventory/backends";
import type { Egress } from "@leeway/shared/security/egress/egress";

import type { KeptState } from "../connector.ts";
import { fetchFrom, foreignBackend, objectPath } from "../rest/fetch-from.ts";
import type { TokenSource } from "../rest/token-source.ts";

interface StorageSource {
  egress: Egress;
  tokens: TokenSource;
  endpoint: string;
}

/** Reads a state from Cloud Storage; returns undefined if its edition is still `known`. */
export async function fetchState(
  { egress, tokens, endpoint }: StorageSource,
  { type, bucket = "", key = "" }: ShownBackend,
  known: string | undefined,
  signal: AbortSignal,
): Promise<KeptState | undefined> {
  if (type !== "gcs") throw foreignBackend(type);
  const url = `${endpoint}/${bucket}/${objectPath(key)}`;
  const refusal = `storage.objects.get is missing on the bucket ${bucket}`;
  return fetchFrom(egress, { url, tokens, refusal }, known, signal);
}
