import type { Credentials } from "@leeway/shared/contracts/inventory/accounts";
import { invalidParameter } from "@leeway/shared/values/errors";

export interface AccessKey {
  accessKeyId: string;
  secretAccessKey: string;
}

/** A role, and the external id to assume it with. */
export interface AssumedRole {
  roleArn: string;
  externalId: string;
}

const ACCOUNT = /^\d{12}$/;
const ROLE_ARN = /^arn:aws(?:-[a-z]{2,6}(?:-[a-z]{1,3})?)?:iam::(\d{12}):role\/[\w+=,.@/-]{1,575}$/;
const ACCESS_KEY_ID = /^\w{16,128}$/;
const SECRET_ACCESS_KEY = /^\S+$/;

/**
 * Validates credentials for the account `accountId`. A role is always assumed with `externalId`, which is fixed per
 * organization. If callers could choose it, they could use a role that another organization granted us.
 * @throws {AppError} `invalid_parameter`
 */
export function readAwsCredentials(
  credentials: Credentials,
  { accountId, externalId }: { accountId: string; externalId: string },
): AssumedRole | AccessKey {
  if (!ACCOUNT.test(accountId)) throw invalidParameter("external_id", "must be a 12-digit AWS account id");
  if (credentials.kind === "aws_role") return readRole(credentials, { accountId, externalId });
  if (credentials.kind === "static") return readKey(credentials);
  throw invalidParameter("credentials.kind", "must be aws_role or static for an AWS account");
}

type Of<K extends Credentials["kind"]> = Extract<Credentials, { kind: K }>;

function readRole(
  { role_arn: roleArn, external_id: given }: Of<"aws_role">,
  { accountId, externalId }: { accountId: string; externalId: string },
): AssumedRole {
  const [, account] = ROLE_ARN.exec(roleArn) ?? [];
  if (account === undefined) throw invalidParameter("credentials.role_arn", "must be the ARN of an IAM role");
  if (account !== accountId)
    throw invalidParameter("credentials.role_arn", "belongs to another account than external_id");
  if (given !== undefined && given !== externalId)
    throw invalidParameter(
      "credentials.external_id",
      `must be the organization's own, ${externalId}, or be left out`,
    );
  return { roleArn, externalId };
}

function readKey({ access_key_id = "", secret_access_key = "" }: Of<"static">): AccessKey {
  if (!ACCESS_KEY_ID.test(access_key_id))
    throw invalidParameter("credentials.access_key_id", "must be an AWS access key id");
  if (!SECRET_ACCESS_KEY.test(secret_access_key))
    throw invalidParameter("credentials.secret_access_key", "must be an AWS secret access key");
  return { accessKeyId: access_key_id, secretAccessKey: secret_access_key };
}
