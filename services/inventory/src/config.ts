import { list, loadConfig, optional, optionalUrl } from "@leeway/shared/platform/config";
import { REPLICA_VARIABLE } from "@leeway/shared/service/server-variables";
import {
  EGRESS_ALLOW,
  HEALTH_VARIABLE,
  LOCAL_BASE_URL,
  PUBLIC_BASE_URL,
  SERVICE_VARIABLES,
} from "@leeway/shared/service/service";

/** Environment variables of the inventory. */
export const VARIABLES = {
  ...SERVICE_VARIABLES,
  ...REPLICA_VARIABLE,
  ...HEALTH_VARIABLE,
  PUBLIC_BASE_URL,
  EGRESS_ALLOW,
  CLOUD_PROVIDERS: {
    ...list("Clouds read through their APIs; set it to an empty value for none", "aws,gcp,azure"),
    keepsEmpty: true,
  },
  AWS_ACCESS_KEY_ID: optional(
    "Access key that assumes the roles of AWS accounts; by default the process's own identity",
  ),
  AWS_SECRET_ACCESS_KEY: optional("Secret of the access key; required with `AWS_ACCESS_KEY_ID`"),
  AWS_PRINCIPAL_ARN: optional(
    "Principal that assumes the roles of AWS accounts, for the trust policies to paste",
  ),
  AWS_ENDPOINT_URL: optionalUrl("URL that replaces AWS's endpoints"),
  GCP_ENDPOINT_URL: optionalUrl("URL that replaces Google Cloud's endpoints"),
  AZURE_ENDPOINT_URL: optionalUrl("URL that replaces Azure's endpoints"),
};

/** @throws {Error} with all errors in the configuration */
export function readConfig(env: Record<string, string | undefined>) {
  const config = loadConfig(VARIABLES, env);
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    PUBLIC_BASE_URL: issuer = LOCAL_BASE_URL,
  } = config;
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined))
    throw new Error("configuration: set both AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or neither");
  return {
    ...config,
    issuer,
    awsIdentity:
      accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey },
  };
}

export type Config = ReturnType<typeof readConfig>;
