import type { ShownBackend } from "@leeway/shared/contracts/inventory/backends";
import type { Egress } from "@leeway/shared/security/egress/egress";
import { AppError, invalidParameter } from "@leeway/shared/values/errors";

import { remoteUrl } from "./remote-backend.ts";

/** Provider of the account whose credentials read a cloud's backend. */
const PROVIDERS: Readonly<Partial<Record<ShownBackend["type"], string>>> = {
  s3: "aws",
  gcs: "gcp",
  azurerm: "azure",
};

/**
 * Checks a backend without reading it.
 * @param provider of the source's account, if it has one
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
      `must be an account of ${needed}, because the backend ${backend.type} is read with its credentials`,
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
      : "has a host name that can't be resolved";
    throw invalidParameter(field, message);
  }
}
