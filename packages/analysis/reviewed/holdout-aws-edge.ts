import { certificate, dnsRecord } from "./estate/aws-edge.ts";
import { ACCOUNT, OFFICE, tagged } from "./estate/aws-network.ts";
import {
  ALLOW,
  BLOCK,
  COMMON,
  enforced,
  group,
  healthCheck,
  partners,
  perAddress,
  webAcl,
} from "./holdout-estate/aws-edge.ts";
import { created, destroyed, planOf, replacedCreateFirst, type ReviewedPlan, updated } from "./plan.ts";

/** AWS: web firewalls, DNS and certificates. */
export const HOLDOUT_AWS_EDGE: readonly ReviewedPlan[] = [
  {
    name: "a web firewall allows by default",
    level: "high",
    why: "A closed list becomes open to everyone.",
    plan: planOf(
      updated("aws_wafv2_web_acl.ledger", webAcl(BLOCK, perAddress(2000)), webAcl(ALLOW, perAddress(2000))),
    ),
  },
  {
    name: "a web firewall only counts attacks",
    level: "high",
    why: "The managed rules no longer block.",
    plan: planOf(
      updated(
        "aws_wafv2_web_acl.ledger",
        enforced,
        webAcl(ALLOW, group(COMMON, 1, [{ none: [], count: [{}] }]), perAddress(2000)),
      ),
    ),
  },
  {
    name: "a web firewall limits addresses to fewer requests",
    level: "medium",
    why: "Busy customers behind one address may be blocked.",
    plan: planOf(
      updated(
        "aws_wafv2_web_acl.ledger",
        enforced,
        webAcl(ALLOW, group(COMMON, 1, [{ none: [{}], count: [] }]), perAddress(500)),
      ),
    ),
  },
  {
    name: "a load balancer loses its web firewall",
    level: "high",
    why: "The load balancer is unprotected.",
    plan: planOf(
      destroyed("aws_wafv2_web_acl_association.ledger", {
        id: "ledger",
        resource_arn: `arn:aws:elasticloadbalancing:eu-central-1:${ACCOUNT}:loadbalancer/app/shop/50dc6c`,
        web_acl_arn: `arn:aws:wafv2:eu-central-1:${ACCOUNT}:regional/webacl/ledger/a1b2c3d4`,
      }),
    ),
  },
  {
    name: "the office joins an allow list of the web firewall",
    level: "medium",
    why: "A rule about who gets in.",
    plan: planOf(
      updated("aws_wafv2_ip_set.partners", partners, { addresses: ["198.51.100.0/28", ...OFFICE] }),
    ),
  },
  {
    name: "a health check tolerates more failures",
    level: "low",
    why: "Failover happens a minute later.",
    plan: planOf(updated("aws_route53_health_check.www", healthCheck, { failure_threshold: 5 })),
  },
  {
    name: "a health check is disabled",
    level: "medium",
    why: "Route 53 considers it healthy, so failover never happens.",
    plan: planOf(updated("aws_route53_health_check.www", healthCheck, { disabled: true })),
  },
  {
    name: "a private zone no longer answers in a VPC",
    level: "high",
    why: "Internal names stop resolving there.",
    plan: planOf(
      destroyed("aws_route53_zone_association.internal", {
        id: "Z0991823KQ2M:vpc-0f3d6a1b9c8e74521",
        zone_id: "Z0991823KQ2M",
        vpc_id: "vpc-0f3d6a1b9c8e74521",
        vpc_region: "eu-central-1",
        owning_account: ACCOUNT,
      }),
    ),
  },
  {
    name: "a zone is no longer signed",
    level: "high",
    why: "While the parent has a DS record, validating resolvers reject the domain.",
    plan: planOf(
      updated(
        "aws_route53_hosted_zone_dnssec.shop",
        { id: "Z0482615VX1Q7NPD3K5T", hosted_zone_id: "Z0482615VX1Q7NPD3K5T", signing_status: "SIGNING" },
        { signing_status: "NOT_SIGNING" },
      ),
    ),
  },
  {
    name: "a domain loses its transfer lock",
    level: "high",
    why: "The domain can be moved to another registrar.",
    plan: planOf(
      updated(
        "aws_route53domains_registered_domain.shop",
        {
          id: "lumen-shop.example",
          domain_name: "lumen-shop.example",
          auto_renew: true,
          transfer_lock: true,
          registrant_privacy: true,
          name_server: [{ name: "ns-112.awsdns-14.com" }, { name: "ns-1801.awsdns-33.co.uk" }],
          ...tagged("lumen-shop.example"),
        },
        { transfer_lock: false },
      ),
    ),
  },
  {
    name: "a record that proves ownership of the domain",
    level: "low",
    why: "A new TXT record; nothing else changes.",
    plan: planOf(
      created(
        "aws_route53_record.verification",
        dnsRecord("_github-challenge.lumen-shop.example", "TXT", ["0f1e2d3c4b"]),
      ),
    ),
  },
  {
    name: "a certificate gets another name",
    level: "medium",
    why: "A certificate in use is replaced, the new one first.",
    plan: planOf(
      replacedCreateFirst("aws_acm_certificate.shop", certificate, {
        subject_alternative_names: ["lumen-shop.example", "www.lumen-shop.example", "api.lumen-shop.example"],
      }),
    ),
  },
];
