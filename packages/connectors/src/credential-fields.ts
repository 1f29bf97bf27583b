import type { Credentials } from "@leeway/shared/contracts/inventory/accounts";
import { invalidParameter } from "@leeway/shared/values/errors";

type Fields = Readonly<Record<string, "required" | "optional">>;

/** Fields of each kind of credentials, by provider. */
const FIELDS: Readonly<Record<string, Readonly<Partial<Record<Credentials["kind"], Fields>>> | undefined>> = {
  aws: {
    aws_role: { role_arn: "required", external_id: "optional" },
    static: { access_key_id: "required", secret_access_key: "required" },
  },
  gcp: {
    gcp_wif: { audience: "required", service_account_email: "required" },
    static: { service_account_key: "required" },
  },
  azure: {
    azure_federated: { tenant_id: "required", client_id: "required" },
    static: { tenant_id: "required", client_id: "required", client_secret: "required" },
  },
};

/**
 * Checks the fields of credentials.
 * @throws {AppError} `invalid_parameter` with the field that `provider` doesn't use or that is missing
 */
export function checkFields(provider: string, credentials: Credentials): void {
  const kinds = FIELDS[provider];
  if (!kinds)
    throw invalidParameter("credentials", `aren't supported for ${provider}; push its listings instead`);
  const { kind, ...given } = credentials;
  const fields = kinds[kind];
  if (!fields)
    throw invalidParameter("credentials.kind", `must be ${Object.keys(kinds).join(" or ")} for ${provider}`);
  for (const name of Object.keys(given)) {
    if (name in fields) continue;
    throw invalidParameter(
      `credentials.${name}`,
      `isn't a field of ${kind} credentials for ${provider}`,
      "unknown",
    );
  }
  for (const [name, need] of Object.entries(fields)) {
    if (need === "required" && !(name in given))
      throw invalidParameter(`credentials.${name}`, "is required", "required");
  }
}
