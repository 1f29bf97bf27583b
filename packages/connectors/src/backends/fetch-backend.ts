import type { ShownBackend } from "@leeway/shared/contracts/inventory/backends";
import type { Egress } from "@leeway/shared/security/egress/egress";

import type { Connector, KeptState } from "../connector.ts";
import { fetchFrom } from "../rest/fetch-from.ts";
import { fetchFromWorkspace } from "./remote-backend.ts";

/** A backend, with its password or token. */
export interface ReadableBackend {
  backend: ShownBackend;
  /** Decrypts the secret when called; undefined if there is none. @throws {SealError} */
  secret(): string | undefined;
  /** The backend's name for the known state's edition; undefined if the state must be read again. */
  edition: string | undefined;
}

/**
 * Fetches the state of a backend; returns undefined if its edition is still the known one.
 * @param connectorOf opens the cloud account that has a backend in a bucket
 */
export async function fetchBackend(
  egress: Egress,
  { backend, secret, edition }: ReadableBackend,
  connectorOf: () => Promise<Connector>,
  signal: AbortSignal,
): Promise<KeptState | undefined> {
  switch (backend.type) {
    case "http":
      return fetchOverHttp(egress, { backend, password: secret() }, edition, signal);
    case "remote":
      return fetchFromWorkspace(egress, { backend, token: secret() ?? "" }, edition, signal);
    case "s3":
    case "gcs":
    case "azurerm":
      return (await connectorOf()).fetchState(backend, edition, signal);
  }
}

/** Fetches a state from the user's own address, as stored by Terraform's `http` backend, for example in GitLab. */
function fetchOverHttp(
  egress: Egress,
  { backend, password }: { backend: ShownBackend; password: string | undefined },
  known: string | undefined,
  signal: AbortSignal,
): Promise<KeptState | undefined> {
  const { address = "", username = "" } = backend;
  const basic = Buffer.from(`${username}:${password ?? ""}`).toString("base64");
  const place = {
    url: address,
    ...((username !== "" || password !== undefined) && { headers: { authorization: `Basic ${basic}` } }),
    refusal: "the user and password are wrong or may not read the state",
  };
  return fetchFrom(egress, place, known, signal);
}
