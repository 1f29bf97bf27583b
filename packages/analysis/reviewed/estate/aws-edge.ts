import type { JsonObject } from "@leeway/shared/values/json";

import { ACCOUNT, tagged } from "./aws-network.ts";

export const shopZone: JsonObject = {
  id: "Z0482615VX1Q7NPD3K5T",
  zone_id: "Z0482615VX1Q7NPD3K5T",
  arn: "arn:aws:route53:::hostedzone/Z0482615VX1Q7NPD3K5T",
  name: "lumen-shop.example",
  comment: "Managed by Terraform",
  delegation_set_id: "",
  force_destroy: false,
  name_servers: ["ns-112.awsdns-14.com", "ns-1801.awsdns-33.co.uk"],
  vpc: [],
  ...tagged("lumen-shop.example"),
};

export function dnsRecord(name: string, type: string, records: string[]): JsonObject {
  return {
    id: `Z0482615VX1Q7NPD3K5T_${name}_${type}`,
    zone_id: "Z0482615VX1Q7NPD3K5T",
    name,
    fqdn: name,
    type,
    records,
    ttl: 300,
    alias: [],
    allow_overwrite: null,
    health_check_id: "",
    set_identifier: "",
  };
}

export const distribution: JsonObject = {
  id: "E2QWRUHAPOMQZL",
  arn: `arn:aws:cloudfront::${ACCOUNT}:distribution/E2QWRUHAPOMQZL`,
  aliases: ["www.lumen-shop.example"],
  comment: "Shop",
  default_root_object: "index.html",
  enabled: true,
  http_version: "http2and3",
  is_ipv6_enabled: true,
  price_class: "PriceClass_100",
  domain_name: "d111111abcdef8.cloudfront.net",
  default_cache_behavior: [
    {
      allowed_methods: ["GET", "HEAD"],
      cached_methods: ["GET", "HEAD"],
      compress: true,
      default_ttl: 3600,
      target_origin_id: "assets",
      viewer_protocol_policy: "redirect-to-https",
    },
  ],
  origin: [
    {
      origin_id: "assets",
      domain_name: "lumen-assets.s3.eu-central-1.amazonaws.com",
      origin_access_control_id: "E327GJI25M56DG",
    },
  ],
  restrictions: [{ geo_restriction: [{ restriction_type: "none", locations: [] }] }],
  viewer_certificate: [
    {
      acm_certificate_arn: `arn:aws:acm:us-east-1:${ACCOUNT}:certificate/8f1a2b3c-4d5e-6f70-8192-a3b4c5d6e7f8`,
      minimum_protocol_version: "TLSv1.2_2021",
      ssl_support_method: "sni-only",
    },
  ],
  web_acl_id: `arn:aws:wafv2:us-east-1:${ACCOUNT}:global/webacl/shop/a1b2c3d4-5678-90ab-cdef-111213141516`,
  ...tagged("shop"),
};

export const certificate: JsonObject = {
  id: `arn:aws:acm:eu-central-1:${ACCOUNT}:certificate/3e2a1b0c-9d8f-4c7e-a6b5-14f3e2d1c0b9`,
  arn: `arn:aws:acm:eu-central-1:${ACCOUNT}:certificate/3e2a1b0c-9d8f-4c7e-a6b5-14f3e2d1c0b9`,
  domain_name: "lumen-shop.example",
  subject_alternative_names: ["lumen-shop.example", "www.lumen-shop.example"],
  key_algorithm: "RSA_2048",
  validation_method: "DNS",
  status: "ISSUED",
  ...tagged("lumen-shop.example"),
};

export const cluster: JsonObject = {
  id: "production",
  arn: `arn:aws:eks:eu-central-1:${ACCOUNT}:cluster/production`,
  name: "production",
  version: "1.30",
  role_arn: `arn:aws:iam::${ACCOUNT}:role/eks-production`,
  access_config: [{ authentication_mode: "API", bootstrap_cluster_creator_admin_permissions: false }],
  enabled_cluster_log_types: ["api", "audit", "authenticator"],
  encryption_config: [
    {
      resources: ["secrets"],
      provider: [{ key_arn: `arn:aws:kms:eu-central-1:${ACCOUNT}:key/7c1d9b52-0e3f-4a68-b7f4-2d90a1c6e853` }],
    },
  ],
  endpoint: "https://7F1B2C3D4E5F60718293A4B5C6D7E8F9.gr7.eu-central-1.eks.amazonaws.com",
  vpc_config: [
    {
      endpoint_private_access: true,
      endpoint_public_access: false,
      public_access_cidrs: [],
      security_group_ids: ["sg-0a7c2e19d4b8f6035"],
      subnet_ids: ["subnet-0a94b1c7e6d25f381", "subnet-0d2e3f4a5b6c71890"],
      vpc_id: "vpc-0f3d6a1b9c8e74521",
    },
  ],
  ...tagged("production"),
};
