import type { Catalog } from "./catalog.ts";
import { cloudOf } from "./clouds.ts";
import { LOSSES, type Loss } from "./loss.ts";

/**
 * Types that stand for a cloud's type although its catalog names another one first, or for a short name that several
 * types share.
 */
const PREFERRED: ReadonlySet<string> = new Set([
  "aws_vpc_security_group_ingress_rule",
  "aws_vpc_security_group_egress_rule",
  "aws_route53domains_domain",
  "aws_ses_email_identity",
  "aws_ses_configuration_set",
  "azurerm_redis_enterprise_cluster",
  "azurerm_virtual_hub_bgp_connection",
  "azurerm_log_analytics_workspace_table",
  "azurerm_policy_remediation",
  "azurerm_private_dns_zone_virtual_network_link",
  "azurerm_mssql_server_transparent_data_encryption",
]);

/** Facts of the catalogs that plan analysis uses, small enough for the command line. */
export interface TypeFacts {
  /** Terraform types by the losses that their deletion causes, separated by spaces. */
  losing: Readonly<Record<Exclude<Loss, "other">, string>>;
  /** `AWS::EC2::Instance aws_instance`, a line each. */
  cloudControl: string;
  /** `Microsoft.Web/sites azurerm_linux_web_app`, a line each. */
  resourceManager: string;
}

export function typeFacts(): TypeFacts {
  const catalogs = ["aws", "azure", "gcp", "other"].map((cloud) => cloudOf(cloud).catalog);
  const entries = catalogs.flatMap((catalog) => catalog.entries);
  const losing = LOSSES.filter((loss) => loss !== "other").map((loss): [string, string] => {
    const types = entries.flatMap(({ losses, terraform, harmless }) =>
      losses.includes(loss) ? terraform.filter((type) => !harmless.includes(type)) : [],
    );
    return [loss, [...new Set(types)].toSorted().join(" ")];
  });
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys are all losses but "other"
    losing: Object.fromEntries(losing) as TypeFacts["losing"],
    cloudControl: twins(cloudOf("aws").catalog, /^AWS::\w+::\w+$/),
    resourceManager: twins(cloudOf("azure").catalog, /^(?!Microsoft\.Graph\/)[^#]+$/),
  };
}

function twins({ entries }: Catalog, pattern: RegExp): string {
  const pairs = entries.flatMap(({ type, terraform }) => {
    const twin = terraform.find((name) => PREFERRED.has(name)) ?? terraform[0];
    return twin !== undefined && pattern.test(type) ? [{ type, twin }] : [];
  });
  return pairs
    .toSorted((one, other) => Number(PREFERRED.has(other.twin)) - Number(PREFERRED.has(one.twin)))
    .map(({ type, twin }) => `${type} ${twin}`)
    .join("\n");
}
