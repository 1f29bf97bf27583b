import { isNumber } from "@leeway/clouds/gcp/resource-name";

import { gcpRole } from "./gcp-role.ts";
import { quoted, type AccessGuide, type AccessRequest } from "../access-guide.ts";

const SERVICES = ["cloudasset", "iam", "iamcredentials", "logging", "sts"];
const NUMBER = "PROJECT_NUMBER";
const ID = "PROJECT_ID";

/** Returns a service account with its own role. Only this organization's identity can act as it. */
export function gcpAccess({ externalId, identity, issuer }: AccessRequest): AccessGuide {
  // Names of roles and service accounts contain the project's id, never its number.
  const isNumbered = isNumber(externalId);
  const id = isNumbered ? `$${ID}` : externalId;
  const word = (text: string): string => (isNumbered ? `"${text}"` : quoted(text));
  const project = word(id);
  const email = emailIn(id);
  const pool = `projects/${NUMBER}/locations/global/workloadIdentityPools/leeway`;
  const provider = {
    issuerUri: issuer,
    attributeMapping: { "google.subject": "assertion.sub" },
    attributeCondition: `assertion.sub == "${identity}"`,
  };
  const { title, stage, includedPermissions } = gcpRole;
  return {
    identity,
    issuer,
    documents: [
      { name: "role", content: gcpRole },
      { name: "workload-identity-provider", content: provider },
    ],
    commands: [
      ...(isNumbered ? [`${ID}=$(gcloud projects describe ${externalId} --format='value(projectId)')`] : []),
      `${NUMBER}=$(gcloud projects describe ${project} --format='value(projectNumber)')`,
      `gcloud services enable ${SERVICES.map((name) => `${name}.googleapis.com`).join(" ")} --project=${project}`,
      `gcloud iam roles create leeway --project=${project} --title=${title} --stage=${stage} --permissions=${includedPermissions.join(",")}`,
      `gcloud iam service-accounts create leeway --project=${project} --display-name=Leeway`,
      `gcloud projects add-iam-policy-binding ${project} --member=${word(`serviceAccount:${email}`)} --role=${word(`projects/${id}/roles/leeway`)} --condition=None`,
      `gcloud iam workload-identity-pools create leeway --project=${project} --location=global --display-name=Leeway`,
      `gcloud iam workload-identity-pools providers create-oidc leeway --project=${project} --location=global --workload-identity-pool=leeway --issuer-uri=${quoted(issuer)} --attribute-mapping=google.subject=assertion.sub --attribute-condition=${quoted(provider.attributeCondition)}`,
      `gcloud iam service-accounts add-iam-policy-binding ${word(email)} --project=${project} --role=roles/iam.workloadIdentityUser --member="principal://iam.googleapis.com/${pool.replace(NUMBER, `$${NUMBER}`)}/subject/${identity}"`,
    ],
    credentials: {
      kind: "gcp_wif",
      audience: `//iam.googleapis.com/${pool}/providers/leeway`,
      service_account_email: emailIn(isNumbered ? ID : externalId),
    },
  };
}

/** Returns the service account's address. For a project in a domain (`example.com:shop`), the domain comes last. */
function emailIn(project: string): string {
  return `leeway@${project.split(":").toReversed().join(".")}.iam.gserviceaccount.com`;
}
