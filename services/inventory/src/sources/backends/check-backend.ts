import type { ShownBackend } from "@leeway/shared/contracts/inventory/backends";
import type { Egress } from "@leeway/shared/egress/egress";
import { AppError, invalidParameter } from "@leeway/shared/errors";

import { remoteUrl } from "./remote-backend.ts";

/** Whose accounts let the backends of clouds be read. */
const PROVIDERS: Readonly<Partial<Record<ShownBackend["type"], string>>> = {
  s3: "aws",
  gcs: "gcp",
  azurerm: "azure",
};

/**
 * What is wrong with a backend, as far as that can be told without reading it.
 * @param provider of the source's account, where it has one
 * @throws {AppError} `invalid_parameter`
 */
export async function checkBackend(
  egress: Egress,
  backend: ShownBackend,
  provider: string | undefined,
): Promise<void> {
  const needed = PROVIDERS[backend.type];
  if (needed !== undefined && provider !== needed)
    throw invalidParameter(
      "cloud_account_id",
      `must be an account of ${needed}, by whose credentials the backend ${backend.type} is read`,
    );
  if (backend.type === "http") await checkAddress(egress, "backend.address", backend.address ?? "");
  if (backend.type === "remote") await checkAddress(egress, "backend.hostname", remoteUrl(backend));
}

async function checkAddress(egress: Egress, field: string, url: string): Promise<void> {
  try {
    await egress.check(url);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const isRefused = error.code === "invalid_parameter";
    const message = isRefused
      ? error.message.replace(/^the address /, "")
      : "names a host that can't be resolved";
    throw invalidParameter(field, message);
  }
}
