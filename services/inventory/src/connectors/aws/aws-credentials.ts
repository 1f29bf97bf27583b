import type { Credentials } from "@leeway/shared/contracts/inventory/accounts";
import { invalidParameter } from "@leeway/shared/errors";

/** An access key. */
export interface AccessKey {
  accessKeyId: string;
  secretAccessKey: string;
}

/** A role, and by which external id it is assumed. */
export interface AssumedRole {
  roleArn: string;
  externalId: string;
}

const ACCOUNT = /^\d{12}$/;
const ROLE_ARN = /^arn:aws(?:-[a-z]{2,6}(?:-[a-z]{1,3})?)?:iam::(\d{12}):role\/[\w+=,.@/-]{1,575}$/;
const ACCESS_KEY_ID = /^\w{16,128}$/;
const SECRET_ACCESS_KEY = /^\S+$/;

/**
 * What is taken of credentials for the account `accountId`. A role is always assumed by `externalId`, which is the
 * organization's own: whoever may choose it could use a role that another organization gave us.
 * @throws {AppError} `invalid_parameter`
 */
export function readAwsCredentials(
  credentials: Credentials,
  { accountId, externalId }: { accountId: string; externalId: string },
): AssumedRole | AccessKey {
  if (!ACCOUNT.test(accountId)) throw invalidParameter("external_id", "must be an AWS account's 12 digits");
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
  if (account === undefined) throw invalidParameter("credentials.role_arn", "must be the ARN of a role");
  if (account !== accountId)
    throw invalidParameter("credentials.role_arn", "is of another account than external_id");
  if (given !== undefined && given !== externalId)
    throw invalidParameter(
      "credentials.external_id",
      `must be ${externalId}, which is the organization's own, or left out`,
    );
  return { roleArn, externalId };
}

function readKey({ access_key_id = "", secret_access_key = "" }: Of<"static">): AccessKey {
  if (!ACCESS_KEY_ID.test(access_key_id))
    throw invalidParameter("credentials.access_key_id", "must be the id of an access key");
  if (!SECRET_ACCESS_KEY.test(secret_access_key))
    throw invalidParameter("credentials.secret_access_key", "must be the secret of an access key");
  return { accessKeyId: access_key_id, secretAccessKey: secret_access_key };
}
