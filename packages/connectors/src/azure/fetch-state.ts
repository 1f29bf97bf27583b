import type { ShownBackend } from "@leeway/shared/contracts/inventory/backends";
import type { Egress } from "@leeway/shared/security/egress/egress";

import type { KeptState } from "../connector.ts";
import { fetchFrom, foreignBackend, objectPath } from "../rest/fetch-from.ts";
import type { TokenSource } from "../rest/token-source.ts";

/** Audience of tokens for blobs, and an API version that accepts them. */
export const STORAGE = "https://storage.azure.com";
const VERSION = { "x-ms-version": "2023-11-03" };

interface BlobSource {
  egress: Egress;
  /** Tokens for {@link STORAGE}. */
  tokens: TokenSource;
  /** URL of a storage account; its name replaces the star. */
  endpoint: string;
}

/** Reads a state from a blob; returns undefined if its edition is still `known`. */
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
