import { AWS_POLICY } from "../connectors/aws/policy.ts";
import { quotedJson, type AccessGuide, type AccessRequest } from "./access-guide.ts";

/** Stands where the installation doesn't know who it is on AWS. */
const UNKNOWN_PRINCIPAL = "arn:aws:iam::LEEWAY-ACCOUNT:role/LEEWAY-ROLE";
/** AWS's own, which show settings and never data: Cloud Control reads a type by the permissions for its service. */
const READERS = ["SecurityAudit", "job-function/ViewOnlyAccess"];

/** A role that only this organization's scans can assume. */
export function awsAccess({ externalId, identity, awsPrincipal }: AccessRequest): AccessGuide {
  const trust = {
    Version: "2012-10-17",
    Statement: [
      {
        Sid: "LeewayForThisOrganizationOnly",
        Effect: "Allow",
        Principal: { AWS: awsPrincipal ?? UNKNOWN_PRINCIPAL },
        Action: "sts:AssumeRole",
        Condition: { StringEquals: { "sts:ExternalId": identity } },
      },
    ],
  };
  return {
    identity,
    documents: [
      { name: "trust-policy", content: trust },
      { name: "permissions-policy", content: AWS_POLICY },
    ],
    commands: [
      `aws iam create-role --role-name leeway --assume-role-policy-document ${quotedJson(trust)}`,
      `aws iam put-role-policy --role-name leeway --policy-name leeway --policy-document ${quotedJson(AWS_POLICY)}`,
      ...READERS.map(
        (name) =>
          `aws iam attach-role-policy --role-name leeway --policy-arn arn:aws:iam::aws:policy/${name}`,
      ),
    ],
    credentials: { kind: "aws_role", role_arn: `arn:aws:iam::${externalId}:role/leeway` },
  };
}
