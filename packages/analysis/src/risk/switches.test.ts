import { expect, test } from "bun:test";

import { findingBy, update, type Given } from "./change.fixture.ts";

test.each<[string, string, Given]>([
  [
    "R14",
    "a trail with another bucket",
    update("aws_cloudtrail", { s3_bucket_name: "a" }, { s3_bucket_name: "b" }),
  ],
  [
    "R14",
    "disabled vulnerability alerts",
    update("github_repository", { vulnerability_alerts: true }, { vulnerability_alerts: false }),
  ],
  [
    "R13",
    "a zone that reaches its origin unencrypted",
    update(
      "cloudflare_zone_settings_override",
      { settings: [{ ssl: "strict" }] },
      { settings: [{ ssl: "off" }] },
    ),
  ],
  [
    "R13",
    "a zone without DNSSEC",
    update(
      "google_dns_managed_zone",
      { dnssec_config: [{ state: "on" }] },
      { dnssec_config: [{ state: "off" }] },
    ),
  ],
])("%s applies to %s", (rule, _what, given) => {
  expect(findingBy(rule, given)).toBeDefined();
});
