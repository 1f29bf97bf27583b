import type { Input } from "@leeway/shared/contract";
import type { AccessPolicy, GetAccessPolicy } from "@leeway/shared/contracts/inventory/accounts";
import type { Database } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/errors";

import { findAccount } from "../accounts/accounts.ts";
import { organizationIdentity } from "../connectors/organization-identity.ts";
import type { AccessGuide, AccessRequest } from "./access-guide.ts";
import { awsAccess } from "./aws-access.ts";
import { azureAccess } from "./azure-access.ts";
import { gcpAccess } from "./gcp-access.ts";

const GUIDES: Readonly<Record<string, ((request: AccessRequest) => AccessGuide) | undefined>> = {
  aws: awsAccess,
  gcp: gcpAccess,
  azure: azureAccess,
};

/** What this installation is to clouds. */
export type Installation = Pick<AccessRequest, "issuer" | "awsPrincipal">;

/**
 * The least that an account's cloud has to allow, and to whom, to paste.
 * @throws {AppError} `not_found`, for an account too whose provider isn't read by its own API
 */
export async function accessPolicy(
  { database, installation }: { database: Database; installation: Installation },
  { org_id, account_id }: Input<typeof GetAccessPolicy>,
): Promise<AccessPolicy> {
  const { provider, external_id: externalId } = await findAccount(database, org_id, account_id);
  const guide = GUIDES[provider];
  if (!guide)
    throw new AppError("not_found", `${provider} is read from pushed listings only: it needs no policy`);
  return { provider, ...guide({ externalId, identity: organizationIdentity(org_id), ...installation }) };
}
