import { list, loadConfig, optional, optionalUrl } from "@leeway/shared/config";
import { EGRESS_ALLOW, HEALTH_VARIABLE, PUBLIC_BASE_URL, SERVICE_VARIABLES } from "@leeway/shared/service";

/** Everything that the inventory reads from its environment. */
export const VARIABLES = {
  ...SERVICE_VARIABLES,
  ...HEALTH_VARIABLE,
  PUBLIC_BASE_URL,
  EGRESS_ALLOW,
  CLOUD_PROVIDERS: {
    ...list("Clouds that are read by their own API; set but empty: none", "aws,gcp,azure"),
    keepsEmpty: true,
  },
  AWS_ACCESS_KEY_ID: optional(
    "Access key by which the roles of AWS accounts are assumed; without it as whoever the process is",
  ),
  AWS_SECRET_ACCESS_KEY: optional("Its secret; needed with `AWS_ACCESS_KEY_ID`"),
  AWS_PRINCIPAL_ARN: optional("Who assumes the roles of AWS accounts, for the trust policies to paste"),
  AWS_ENDPOINT_URL: optionalUrl("Where AWS is, instead of at its own addresses"),
  GCP_ENDPOINT_URL: optionalUrl("Where Google Cloud is, instead of at its own addresses"),
  AZURE_ENDPOINT_URL: optionalUrl("Where Azure is, instead of at its own addresses"),
};

/** @throws {Error} that names everything that is wrong */
export function readConfig(env: Record<string, string | undefined>) {
  const config = loadConfig(VARIABLES, env);
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    PUBLIC_BASE_URL: url,
  } = config;
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined))
    throw new Error(
      "configuration: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are set together or not at all",
    );
  return {
    ...config,
    issuer: url ?? "http://localhost:8080",
    awsIdentity:
      accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey },
  };
}
