import { pairs } from "./table.ts";

/** Services whose Terraform types begin with another name than Cloud Control's; the last one is Pulumi's name. */
export const SERVICES = pairs(`
  directconnect dx
  route53resolver route53_resolver
  servicediscovery service_discovery
  sso ssoadmin
  configuration config
`);
