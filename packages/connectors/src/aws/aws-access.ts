import { AWS_POLICY } from "./policy.ts";
import { roleAsTerraform } from "./aws-terraform.ts";
import { quotedJson, type AccessGuide, type AccessRequest } from "../access-guide.ts";

/** Placeholder if the installation's AWS identity isn't known. */
const UNKNOWN_PRINCIPAL = "arn:aws:iam::LEEWAY-ACCOUNT:role/LEEWAY-ROLE";
/**
 * AWS's own policies, which allow reading settings but no data. Cloud Control needs the permissions of each type's
 * service.
 */
const READERS = ["SecurityAudit", "job-function/ViewOnlyAccess"];

/** Returns a role that only this organization's scans can assume. */
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
    terraform: roleAsTerraform({ trust, policy: AWS_POLICY, readers: READERS }),
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
