import { expect, test } from "bun:test";

import { judgedLive, testTypes } from "./created.fixture.ts";

testTypes("gcp", {
  "compute.googleapis.com/FirewallPolicy": [
    {
      is: "open for SSH",
      danger: true,
      live: {
        name: "p",
        rules: [
          {
            action: "allow",
            direction: "INGRESS",
            match: { srcIpRanges: ["0.0.0.0/0"], layer4Configs: [{ ipProtocol: "tcp", ports: ["22"] }] },
          },
        ],
      },
      plan: [
        [
          "google_compute_firewall_policy_rule",
          {
            action: "allow",
            direction: "INGRESS",
            match: [
              { src_ip_ranges: ["0.0.0.0/0"], layer4_configs: [{ ip_protocol: "tcp", ports: ["22"] }] },
            ],
          },
        ],
      ],
    },
  ],
  "run.googleapis.com/Service": [
    {
      is: "without invoker checks",
      danger: true,
      live: { name: "x", invokerIamDisabled: true },
      plan: [["google_cloud_run_v2_service", { invoker_iam_disabled: true }]],
    },
  ],
  "iam.googleapis.com/Role": [
    {
      is: "with custom permissions",
      live: { includedPermissions: ["storage.objects.get"] },
      plan: [["google_project_iam_custom_role", { permissions: ["storage.objects.get"] }]],
    },
  ],
});

test("an undeclared firewall listed only as a summary gets the level of its type", () => {
  const properties = { assetType: "compute.googleapis.com/Firewall", displayName: "in", state: "ACTIVE" };
  expect(judgedLive("gcp", "compute.googleapis.com/Firewall", { properties })).toMatchObject({
    risk_level: "medium",
    risk_flags: [{ rule: "R08" }],
  });
});
