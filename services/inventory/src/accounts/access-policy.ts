import type { Input } from "@leeway/shared/contracts/contract";
import type { AccessPolicy, GetAccessPolicy } from "@leeway/shared/contracts/inventory/accounts";
import type { Database } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/values/errors";
import { organizationIdentity } from "@leeway/connectors/organization-identity";
import type { AccessGuide, AccessRequest } from "@leeway/connectors/access-guide";

import { findAccount } from "./accounts.ts";

/** Loads a cloud's guide, which comes with its client libraries. */
const GUIDES: Readonly<Record<string, (() => Promise<(request: AccessRequest) => AccessGuide>) | undefined>> =
  {
    aws: async () => (await import("@leeway/connectors/aws/aws-access")).awsAccess,
    gcp: async () => (await import("@leeway/connectors/gcp/gcp-access")).gcpAccess,
    azure: async () => (await import("@leeway/connectors/azure/azure-access")).azureAccess,
  };

/** This installation's identity for clouds. */
export type Installation = Pick<AccessRequest, "issuer" | "awsPrincipal">;

/**
 * Returns the minimal access that an account's cloud has to grant, as documents and commands to paste.
 * @throws {AppError} `not_found`, also if the account's provider isn't read through its API
 */
export async function accessPolicy(
  { database, installation }: { database: Database; installation: Installation },
  { org_id, account_id }: Input<typeof GetAccessPolicy>,
): Promise<AccessPolicy> {
  const { provider, external_id: externalId } = await findAccount(database, org_id, account_id);
  const guide = await GUIDES[provider]?.();
  if (!guide)
    throw new AppError(
      "not_found",
      `accounts of ${provider} need no access policy, because their listings are pushed`,
    );
  return { provider, ...guide({ externalId, identity: organizationIdentity(org_id), ...installation }) };
}
