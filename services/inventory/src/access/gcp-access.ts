import { gcpRole } from "../connectors/gcp/gcp-role.ts";
import { quoted, type AccessGuide, type AccessRequest } from "./access-guide.ts";

const SERVICES = ["cloudasset", "iam", "iamcredentials", "sts"];
const NUMBER = "PROJECT_NUMBER";

/** A service account with a role of its own, which only this organization's identity can act as. */
export function gcpAccess({ externalId, identity, issuer }: AccessRequest): AccessGuide {
  const project = quoted(externalId);
  const email = `leeway@${externalId}.iam.gserviceaccount.com`;
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
      `${NUMBER}=$(gcloud projects describe ${project} --format='value(projectNumber)')`,
      `gcloud services enable ${SERVICES.map((name) => `${name}.googleapis.com`).join(" ")} --project=${project}`,
      `gcloud iam roles create leeway --project=${project} --title=${title} --stage=${stage} --permissions=${includedPermissions.join(",")}`,
      `gcloud iam service-accounts create leeway --project=${project} --display-name=Leeway`,
      `gcloud projects add-iam-policy-binding ${project} --member=${quoted(`serviceAccount:${email}`)} --role=${quoted(`projects/${externalId}/roles/leeway`)} --condition=None`,
      `gcloud iam workload-identity-pools create leeway --project=${project} --location=global --display-name=Leeway`,
      `gcloud iam workload-identity-pools providers create-oidc leeway --project=${project} --location=global --workload-identity-pool=leeway --issuer-uri=${quoted(issuer)} --attribute-mapping=google.subject=assertion.sub --attribute-condition=${quoted(provider.attributeCondition)}`,
      `gcloud iam service-accounts add-iam-policy-binding ${quoted(email)} --project=${project} --role=roles/iam.workloadIdentityUser --member="principal://iam.googleapis.com/${pool.replace(NUMBER, `$${NUMBER}`)}/subject/${identity}"`,
    ],
    credentials: {
      kind: "gcp_wif",
      audience: `//iam.googleapis.com/${pool}/providers/leeway`,
      service_account_email: email,
    },
  };
}
