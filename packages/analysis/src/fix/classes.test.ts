import { describe, expect, test } from "bun:test";

import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";

import { fixed, noiseOf } from "./fix.fixture.ts";

interface Case {
  fact: string;
  noise: NoiseGroup;
  before: string;
  after: string;
  strategy: string;
}

const inBlock = (lines: string): string => `resource "aws_thing" "a" {\n${lines}}\n`;

const CASES: readonly Case[] = [
  {
    fact: "a policy in a heredoc becomes jsonencode with sorted actions and interpolations",
    noise: noiseOf("json_policy_normalization", "policy"),
    before: inBlock(`  name   = "x" # of the team
  policy = <<-EOT
    {
      "Version": "2012-10-17",
      "Statement": [{
        "Effect": "Allow",
        "Action": ["s3:PutObject", "s3:GetObject"],
        "Resource": ["\${aws_s3_bucket.b.arn}", "\${aws_s3_bucket.b.arn}/*"],
        "Condition": {"StringEquals": {"aws:PrincipalTag/a": "$\${literal}"}}
      }]
    }
  EOT
`),
    after: inBlock(`  name = "x" # of the team
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Effect   = "Allow"
        Action   = ["s3:GetObject", "s3:PutObject"]
        Resource = [aws_s3_bucket.b.arn, "\${aws_s3_bucket.b.arn}/*"]
        Condition = {
          StringEquals = {
            "aws:PrincipalTag/a" = "$\${literal}"
          }
        }
      },
    ]
  })
`),
    strategy: "normalize",
  },
  {
    fact: "lists of a jsonencode policy are sorted in place",
    noise: noiseOf("json_policy_normalization", "policy"),
    before: inBlock(`  policy = jsonencode({
    Statement = [{
      Action = [
        "s3:PutObject", # writes
        "s3:GetObject",
      ]
      NotPrincipal = { AWS = ["b", "a"] }
      Sid          = ["b", "a"]
    }]
  })
`),
    after: inBlock(`  policy = jsonencode({
    Statement = [{
      Action = [
        "s3:GetObject", # writes
        "s3:PutObject",
      ]
      NotPrincipal = { AWS = ["a", "b"] }
      Sid          = ["b", "a"]
    }]
  })
`),
    strategy: "normalize",
  },
  {
    fact: "a policy from a file goes through jsondecode",
    noise: noiseOf("json_policy_normalization", "policy"),
    before: inBlock(`  policy = file("\${path.module}/policy.json")\n`),
    after: inBlock(`  policy = jsonencode(jsondecode(file("\${path.module}/policy.json")))\n`),
    strategy: "normalize",
  },
  {
    fact: "a list is written in the provider's order",
    noise: noiseOf("set_order", "subnets", { sample: { before: ["c", "a", "b"], after: ["a", "b", "c"] } }),
    before: inBlock(`  subnets = [\n    "a", # first\n    "b",\n    "c",\n  ]\n`),
    after: inBlock(`  subnets = [\n    "c", # first\n    "a",\n    "b",\n  ]\n`),
    strategy: "normalize",
  },
  {
    fact: "a list of references is wrapped in sort() if the provider sorts",
    noise: noiseOf("set_order", "subnets", { sample: { before: ["a", "b"], after: ["b", "a"] } }),
    before: inBlock(`  subnets = var.subnets\n`),
    after: inBlock(`  subnets = sort(var.subnets)\n`),
    strategy: "normalize",
  },
  {
    fact: "a list in an arbitrary order is ignored",
    noise: noiseOf("set_order", "subnets", { sample: { before: ["b", "a"], after: ["a", "b"] } }),
    before: inBlock(`  subnets = var.subnets\n`),
    after: inBlock(`  subnets = var.subnets\n\n  lifecycle {\n    ignore_changes = [subnets]\n  }\n`),
    strategy: "ignore_changes",
  },
  {
    fact: "a tag that default_tags sets too is removed from the resource",
    noise: noiseOf("tags_all_default_tags", "tags.*"),
    before: `provider "aws" {
  default_tags {
    tags = {
      Team = "infra"
      Env  = var.env
    }
  }
}

${inBlock(`  tags = {
    Name = "x"
    Team = "infra" # everybody's
    Env  = var.env
  }
`)}`,
    after: `provider "aws" {
  default_tags {
    tags = {
      Team = "infra"
      Env  = var.env
    }
  }
}

${inBlock(`  tags = {
    Name = "x"
  }
`)}`,
    strategy: "normalize",
  },
  {
    fact: "tags_all is ignored without known default_tags",
    noise: noiseOf("tags_all_default_tags", "tags_all.*"),
    before: inBlock(""),
    after: inBlock(`  lifecycle {\n    ignore_changes = [tags_all]\n  }\n`),
    strategy: "ignore_changes",
  },
  {
    fact: "tags of other tools are ignored by the AWS provider",
    noise: noiseOf("external_tags", "tags.*", { keys: ["kubernetes.io/cluster/x"] }),
    before: `provider "aws" {\n  region = "eu-west-1"\n}\n\n${inBlock(`  name = "x"\n`)}`,
    after: `provider "aws" {
  region = "eu-west-1"

  ignore_tags {
    keys = ["kubernetes.io/cluster/x"]
  }
}

${inBlock(`  name = "x"\n`)}`,
    strategy: "provider_setting",
  },
  {
    fact: "a key is added to the provider's existing ignore_tags",
    noise: noiseOf("external_tags", "tags.*", { keys: ["c7n:x", "k8s.io/y"] }),
    before: `provider "aws" {\n  ignore_tags {\n    key_prefixes = ["k8s.io/"]\n    keys         = ["a"]\n  }\n}\n\n${inBlock("")}`,
    after: `provider "aws" {\n  ignore_tags {\n    key_prefixes = ["k8s.io/"]\n    keys         = ["a", "c7n:x"]\n  }\n}\n\n${inBlock("")}`,
    strategy: "provider_setting",
  },
  {
    fact: "tags of other tools are ignored by key with other providers",
    noise: noiseOf("external_tags", "labels.*", {
      keys: ['goog-"x"${y}'],
      provider_name: "registry.terraform.io/hashicorp/google",
    }),
    before: inBlock(`  name = "x"\n`),
    after: inBlock(
      `  name = "x"\n\n  lifecycle {\n    ignore_changes = [labels["goog-\\"x\\"$\${y}"]]\n  }\n`,
    ),
    strategy: "ignore_changes",
  },
  {
    fact: "a timestamp that is new in each plan is stored once",
    noise: noiseOf("timestamp_value", "tags.*", { sample: { before: "2026-01-01T00:00:00Z", after: null } }),
    before: inBlock(`  tags = merge(var.tags, { At = formatdate("YYYY", timestamp()) }) # "timestamp()"\n`),
    after: `${inBlock(`  tags = merge(var.tags, { At = formatdate("YYYY", time_static.a.rfc3339) }) # "timestamp()"\n`)}
resource "time_static" "a" {}
`,
    strategy: "normalize",
  },
  {
    fact: "a value that differs in case is written as the provider returns it",
    noise: noiseOf("case_change", "location", { sample: { before: "westeurope", after: "WestEurope" } }),
    before: inBlock(`  location = "WestEurope"\n`),
    after: inBlock(`  location = "westeurope"\n`),
    strategy: "normalize",
  },
  {
    fact: "an expression that differs in case is wrapped in lower()",
    noise: noiseOf("case_change", "location", { sample: { before: "westeurope", after: "WestEurope" } }),
    before: inBlock(`  location = var.location\n`),
    after: inBlock(`  location = lower(var.location)\n`),
    strategy: "normalize",
  },
  {
    fact: "a trailing dot that the provider removes is removed in the list",
    noise: noiseOf("trailing_char", "records.*", { sample: { before: "a.example", after: "a.example." } }),
    before: inBlock(`  records = ["a.example.", "b.example.", aws_x.y.fqdn]\n`),
    after: inBlock(`  records = ["a.example", "b.example", trimsuffix(aws_x.y.fqdn, ".")]\n`),
    strategy: "normalize",
  },
  {
    fact: "a trailing slash that the provider adds is added",
    noise: noiseOf("trailing_char", "url", {
      sample: { before: "https://a.example/", after: "https://a.example" },
    }),
    before: inBlock(`  url = "https://a.example"\n`),
    after: inBlock(`  url = "https://a.example/"\n`),
    strategy: "normalize",
  },
  {
    fact: "a heredoc is trimmed without being rewritten",
    noise: noiseOf("trailing_char", "user_data", { sample: { before: "echo a", after: "echo a\n" } }),
    before: inBlock(`  user_data = <<-EOT\n    echo a\n  EOT\n  size      = 1\n`),
    after: inBlock(`  user_data = trimspace(<<-EOT\n    echo a\n  EOT\n  )\n  size = 1\n`),
    strategy: "normalize",
  },
  {
    fact: "a number written as text is written as the provider returns it",
    noise: noiseOf("number_string_bool", "port", { sample: { before: 80, after: "80" } }),
    before: inBlock(`  port = "80"\n`),
    after: inBlock(`  port = 80\n`),
    strategy: "normalize",
  },
  {
    fact: "an empty value that is returned as absent is removed",
    noise: noiseOf("number_string_bool", "description", { sample: { before: null, after: "" } }),
    before: inBlock(`  name = "x"\n  description = "" # none\n  size = 1\n`),
    after: inBlock(`  name = "x"\n  size = 1\n`),
    strategy: "normalize",
  },
  {
    fact: "a default that the provider fills in is written with aligned formatting",
    noise: noiseOf("default_materialized", "launch_type", { sample: { before: "EC2", after: null } }),
    before: inBlock(`  name = "x" # its name\n  size = 1\n\n  rule {\n    a = 1\n  }\n`),
    after: inBlock(
      `  name        = "x" # its name\n  size        = 1\n  launch_type = "EC2"\n\n  rule {\n    a = 1\n  }\n`,
    ),
    strategy: "explicit_default",
  },
  {
    fact: "tags returned as an empty map are written as such, not ignored",
    noise: noiseOf("number_string_bool", "tags", { sample: { before: {}, after: null } }),
    before: inBlock(`  name = "x"\n`),
    after: inBlock(`  name = "x"\n  tags = {}\n`),
    strategy: "explicit_default",
  },
  {
    fact: "a default in a nested block is written there",
    noise: noiseOf("default_materialized", "settings.*.tier.*.mode", {
      sample: { before: true, after: null },
    }),
    before: inBlock(`  settings {\n    tier {}\n  }\n`),
    after: inBlock(`  settings {\n    tier {\n      mode = true\n    }\n  }\n`),
    strategy: "explicit_default",
  },
  {
    fact: "capacity set by an autoscaler is ignored",
    noise: noiseOf("autoscaler_owned", "desired_count"),
    before: inBlock(`  desired_count = 2\n`),
    after: inBlock(`  desired_count = 2\n\n  lifecycle {\n    ignore_changes = [desired_count]\n  }\n`),
    strategy: "ignore_changes",
  },
  {
    fact: "capacity in a nested block is ignored without its block",
    noise: noiseOf("autoscaler_owned", "scaling_config.*.desired_size", {
      resource_type: "aws_eks_node_group",
      addresses: ["aws_eks_node_group.a"],
    }),
    before: `resource "aws_eks_node_group" "a" {\n  scaling_config {\n    desired_size = 1\n  }\n}\n`,
    after: `resource "aws_eks_node_group" "a" {
  scaling_config {
    desired_size = 1
  }

  lifecycle {
    ignore_changes = [scaling_config[0].desired_size]
  }
}
`,
    strategy: "ignore_changes",
  },
  {
    fact: "an image that is always the latest is ignored",
    noise: noiseOf("ami_or_image_latest", "ami"),
    before: inBlock(`  ami = data.aws_ami.newest.id\n`),
    after: inBlock(`  ami = data.aws_ami.newest.id\n\n  lifecycle {\n    ignore_changes = [ami]\n  }\n`),
    strategy: "ignore_changes",
  },
  {
    fact: "a secret rotated outside code is ignored",
    noise: noiseOf("secret_rotation", "password", { sample: { before: "[redacted]", after: "[redacted]" } }),
    before: inBlock(`  password = var.password\n`),
    after: inBlock(`  password = var.password\n\n  lifecycle {\n    ignore_changes = [password]\n  }\n`),
    strategy: "ignore_changes",
  },
  {
    fact: "a block declared by separate resources is ignored when nothing is inline",
    noise: noiseOf("inline_vs_standalone", "ingress"),
    before: inBlock(`  name = "x"\n`),
    after: inBlock(`  name = "x"\n\n  lifecycle {\n    ignore_changes = [ingress]\n  }\n`),
    strategy: "ignore_changes",
  },
  {
    fact: "a partial version is left to upgrades, not pinned",
    noise: noiseOf("equivalent_value", "engine_version", { sample: { before: "5.7.33", after: "5.7" } }),
    before: inBlock(`  engine_version = "5.7"\n`),
    after: inBlock(`  engine_version = "5.7"\n\n  lifecycle {\n    ignore_changes = [engine_version]\n  }\n`),
    strategy: "ignore_changes",
  },
  {
    fact: "another spelling of a network is written as the provider returns it",
    noise: noiseOf("equivalent_value", "ingress.*.cidr_blocks.*", {
      sample: { before: "10.0.0.0/8", after: "10.0.0.1/8" },
    }),
    before: inBlock(`  ingress {\n    cidr_blocks = ["10.0.0.1/8", "10.0.0.0/8"]\n  }\n`),
    after: inBlock(`  ingress {\n    cidr_blocks = ["10.0.0.0/8", "10.0.0.0/8"]\n  }\n`),
    strategy: "normalize",
  },
];

describe("a fix for each class of noise", () => {
  test.each(CASES)("$fact", async ({ noise, before, after, strategy }) => {
    const { fix, files } = await fixed(noise, { "main.tf": before });
    expect(files["main.tf"]).toBe(after);
    expect(fix.strategy as string).toBe(strategy);
    expect(fix.verified).toEqual({ parsed: true, formatted: true, replan: "not_run" });
    expect(fix.risks.length).toBeGreaterThan(0);
  });

  test.each(CASES)("applied again, it changes nothing: $fact", async ({ noise, after }) => {
    const { fix, files } = await fixed(noise, { "main.tf": after });
    expect(files["main.tf"]).toBe(after);
    expect(fix.patches).toEqual([]);
  });
});
