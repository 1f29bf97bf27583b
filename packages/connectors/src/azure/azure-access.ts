import { azureRole, nameIn } from "./azure-role.ts";
import { AUDIENCE } from "./azure-tokens.ts";
import { quoted, quotedJson, type AccessGuide, type AccessRequest } from "../access-guide.ts";

/** Returns an application with a role on the subscription. Only this organization's identity can sign in as it. */
export function azureAccess({ externalId, identity, issuer }: AccessRequest): AccessGuide {
  const role = azureRole(externalId);
  const name = quoted(nameIn(externalId));
  const federation = { name: "leeway", issuer, subject: identity, audiences: [AUDIENCE] };
  const scope = quoted(`/subscriptions/${externalId}`);
  return {
    identity,
    issuer,
    documents: [
      { name: "role", content: role },
      { name: "federated-credential", content: federation },
    ],
    commands: [
      `az role definition create --role-definition ${quotedJson(role)}`,
      `CLIENT_ID=$(az ad app create --display-name ${name} --query appId --output tsv)`,
      'az ad sp create --id "$CLIENT_ID"',
      `az ad app federated-credential create --id "$CLIENT_ID" --parameters ${quotedJson(federation)}`,
      `az role assignment create --assignee "$CLIENT_ID" --role ${name} --scope ${scope}`,
      "az account show --query tenantId --output tsv",
    ],
    credentials: { kind: "azure_federated", tenant_id: "TENANT_ID", client_id: "CLIENT_ID" },
  };
}
