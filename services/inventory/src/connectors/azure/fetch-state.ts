import type { ShownBackend } from "@leeway/shared/contracts/inventory/backends";
import type { Egress } from "@leeway/shared/egress/egress";

import type { KeptState } from "../connector.ts";
import { fetchFrom, foreignBackend, objectPath } from "../rest/fetch-from.ts";
import type { TokenSource } from "../rest/token-source.ts";

/** Whom a token to read blobs is for, and a version of the API that takes one. */
export const STORAGE = "https://storage.azure.com";
const VERSION = { "x-ms-version": "2023-11-03" };

interface BlobSource {
  egress: Egress;
  /** Of {@link STORAGE}. */
  tokens: TokenSource;
  /** Of one storage account, whose name stands for the star. */
  endpoint: string;
}

/** Reads a state from a blob; undefined where it is still the one called `known`. */
export async function fetchState(
  { egress, tokens, endpoint }: BlobSource,
  { type, storage_account_name: account = "", container_name: container = "", key = "" }: ShownBackend,
  known: string | undefined,
  signal: AbortSignal,
): Promise<KeptState | undefined> {
  if (type !== "azurerm") throw foreignBackend(type);
  const url = `${endpoint.replace("*", account)}/${container}/${objectPath(key)}`;
  const refusal = `Storage Blob Data Reader is missing on the container ${container} of ${account}`;
  return fetchFrom(egress, { url, headers: VERSION, tokens, refusal }, known, signal);
}
