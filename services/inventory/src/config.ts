import { list, optional } from "@leeway/shared/config";
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
  AWS_PRINCIPAL_ARN: optional("Who assumes the roles of AWS accounts, for the trust policies to paste"),
  AWS_ENDPOINT_URL: optional("Where AWS is, instead of at its own addresses"),
  GCP_ENDPOINT_URL: optional("Where Google Cloud is, instead of at its own addresses"),
  AZURE_ENDPOINT_URL: optional("Where Azure is, instead of at its own addresses"),
};
