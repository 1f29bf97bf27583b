import type { JsonObject } from "@leeway/shared/values/json";

const PROVIDER = "registry.terraform.io/hashicorp/aws";
const ACCOUNT = "123456789012";

const hex = (index: number): string => index.toString(16).padStart(17, "0");

/** A resource type with the values of its state. */
interface Kind {
  type: string;
  values(index: number): JsonObject;
  sensitive: JsonObject;
  /** Values after the planned change. */
  changed: JsonObject;
}

const tagsOf = (index: number): JsonObject => ({
  Name: `app-${index}`,
  team: `team-${index % 40}`,
  cost_center: String(4_000 + (index % 90)),
  managed_by: "terraform",
});

const KINDS: readonly Kind[] = [
  {
    type: "aws_instance",
    values: (index) => ({
      ami: `ami-${hex(index % 7)}`,
      arn: `arn:aws:ec2:eu-west-1:${ACCOUNT}:instance/i-${hex(index)}`,
      associate_public_ip_address: false,
      availability_zone: `eu-west-1${"abc"[index % 3]}`,
      capacity_reservation_specification: [
        { capacity_reservation_preference: "open", capacity_reservation_target: [] },
      ],
      credit_specification: [{ cpu_credits: "unlimited" }],
      disable_api_termination: true,
      ebs_block_device: [],
      ebs_optimized: true,
      iam_instance_profile: `app-${index % 40}`,
      id: `i-${hex(index)}`,
      instance_state: "running",
      instance_type: "t3.medium",
      key_name: null,
      metadata_options: [
        { http_endpoint: "enabled", http_put_response_hop_limit: 2, http_tokens: "required" },
      ],
      monitoring: true,
      private_dns: `ip-10-0-${index % 250}-12.eu-west-1.compute.internal`,
      private_ip: `10.0.${index % 250}.12`,
      root_block_device: [
        {
          delete_on_termination: true,
          device_name: "/dev/xvda",
          encrypted: true,
          iops: 3000,
          tags: {},
          throughput: 125,
          volume_id: `vol-${hex(index)}`,
          volume_size: 40,
          volume_type: "gp3",
        },
      ],
      subnet_id: `subnet-${hex(index % 12)}`,
      tags: tagsOf(index),
      tags_all: tagsOf(index),
      timeouts: null,
      user_data_base64: null,
      vpc_security_group_ids: [`sg-${hex(index % 30)}`, `sg-${hex(index % 11)}`],
    }),
    sensitive: {
      ebs_block_device: [],
      metadata_options: [{}],
      root_block_device: [{ tags: {} }],
      tags: {},
      tags_all: {},
      vpc_security_group_ids: [false, false],
    },
    changed: { instance_type: "t3.large" },
  },
  {
    type: "aws_security_group",
    values: (index) => ({
      arn: `arn:aws:ec2:eu-west-1:${ACCOUNT}:security-group/sg-${hex(index)}`,
      description: "Traffic of an application",
      egress: [
        {
          cidr_blocks: ["0.0.0.0/0"],
          description: "",
          from_port: 0,
          ipv6_cidr_blocks: ["::/0"],
          prefix_list_ids: [],
          protocol: "-1",
          security_groups: [],
          self: false,
          to_port: 0,
        },
      ],
      id: `sg-${hex(index)}`,
      ingress: [443, 8_080, 9_090].map((port) => ({
        cidr_blocks: [`10.${index % 250}.0.0/16`],
        description: `port ${port}`,
        from_port: port,
        ipv6_cidr_blocks: [],
        prefix_list_ids: [],
        protocol: "tcp",
        security_groups: [],
        self: false,
        to_port: port,
      })),
      name: `app-${index}`,
      owner_id: ACCOUNT,
      revoke_rules_on_delete: false,
      tags: tagsOf(index),
      tags_all: tagsOf(index),
      vpc_id: `vpc-${hex(index % 5)}`,
    }),
    sensitive: {
      egress: [{ cidr_blocks: [false] }],
      ingress: [{ cidr_blocks: [false] }],
      tags: {},
      tags_all: {},
    },
    changed: { description: "Traffic of a service" },
  },
  {
    type: "aws_iam_role",
    values: (index) => ({
      arn: `arn:aws:iam::${ACCOUNT}:role/app-${index}`,
      assume_role_policy: JSON.stringify({
        Statement: [
          { Action: "sts:AssumeRole", Effect: "Allow", Principal: { Service: "ec2.amazonaws.com" } },
        ],
        Version: "2012-10-17",
      }),
      create_date: "2025-03-01T10:00:00Z",
      force_detach_policies: false,
      id: `app-${index}`,
      inline_policy: [
        {
          name: "objects",
          policy: JSON.stringify({
            Statement: [
              {
                Action: ["s3:GetObject", "s3:PutObject"],
                Effect: "Allow",
                Resource: `arn:aws:s3:::app-${index}/*`,
              },
            ],
            Version: "2012-10-17",
          }),
        },
      ],
      managed_policy_arns: ["arn:aws:iam::aws:policy/CloudWatchAgentServerPolicy"],
      max_session_duration: 3_600,
      name: `app-${index}`,
      path: "/",
      permissions_boundary: null,
      tags: tagsOf(index),
      tags_all: tagsOf(index),
      unique_id: `AROA${hex(index)}`,
    }),
    sensitive: { inline_policy: [{}], managed_policy_arns: [false], tags: {}, tags_all: {} },
    changed: { max_session_duration: 7_200 },
  },
  {
    type: "aws_db_instance",
    values: (index) => ({
      address: `app-${index}.abcdefghijkl.eu-west-1.rds.amazonaws.com`,
      allocated_storage: 100,
      apply_immediately: null,
      arn: `arn:aws:rds:eu-west-1:${ACCOUNT}:db:app-${index}`,
      backup_retention_period: 14,
      db_subnet_group_name: "private",
      deletion_protection: true,
      enabled_cloudwatch_logs_exports: ["postgresql", "upgrade"],
      engine: "postgres",
      engine_version: "16.3",
      id: `db-${hex(index)}`,
      identifier: `app-${index}`,
      instance_class: "db.r6g.large",
      kms_key_id: `arn:aws:kms:eu-west-1:${ACCOUNT}:key/${hex(index % 9)}`,
      multi_az: true,
      parameter_group_name: "postgres16",
      password: `not-a-password-${index}`,
      port: 5_432,
      publicly_accessible: false,
      storage_encrypted: true,
      tags: tagsOf(index),
      tags_all: tagsOf(index),
      username: "app",
      vpc_security_group_ids: [`sg-${hex(index)}`],
    }),
    sensitive: {
      enabled_cloudwatch_logs_exports: [false, false],
      password: true,
      tags: {},
      tags_all: {},
      vpc_security_group_ids: [false],
    },
    changed: { backup_retention_period: 7 },
  },
];

const RESOURCES_PER_MODULE = 25;

const moduleOf = (index: number): string => `app_${Math.floor(index / RESOURCES_PER_MODULE)}`;

interface Resource {
  kind: Kind;
  address: string;
  index: number;
  values: JsonObject;
}

function resourceOf(index: number): Resource {
  const kind = KINDS[index % KINDS.length]!;
  return {
    kind,
    address: `module.${moduleOf(index)}.${kind.type}.this[${index}]`,
    index,
    values: kind.values(index),
  };
}

const headOf = ({ kind, address, index }: Resource): JsonObject => ({
  address,
  mode: "managed",
  type: kind.type,
  name: "this",
  index,
  provider_name: PROVIDER,
});

function changeOf(resource: Resource, changes: boolean): JsonObject {
  const { kind, index, values } = resource;
  return {
    ...headOf(resource),
    module_address: `module.${moduleOf(index)}`,
    change: {
      actions: [changes ? "update" : "no-op"],
      before: values,
      after: changes ? { ...values, ...kind.changed } : values,
      after_unknown: {},
      before_sensitive: kind.sensitive,
      after_sensitive: kind.sensitive,
    },
  };
}

function configurationOf({ kind }: Resource): JsonObject {
  const named = Object.keys(kind.values(0)).filter((name) => !["arn", "id", "tags_all"].includes(name));
  return {
    address: `${kind.type}.this`,
    mode: "managed",
    type: kind.type,
    name: "this",
    provider_config_key: "aws",
    expressions: Object.fromEntries(
      named.map((name) => [
        name,
        { references: [`var.settings.${name}`, "var.settings", `local.defaults.${name}`] },
      ]),
    ),
    schema_version: 1,
    count_expression: { references: ["var.instances"] },
  };
}

/** Builds the output of `terraform show -json` for a plan of this size. One in `changing` resources changes. */
export function largePlan(bytes: number, { changing = 50 } = {}): Buffer {
  const build = (count: number): Buffer => Buffer.from(JSON.stringify(planOf(count, changing)));
  const sample = 500;
  return build(Math.floor((bytes / build(sample).length) * sample));
}

function planOf(count: number, changing: number): JsonObject {
  const resources = Array.from({ length: count }, (_, index) => resourceOf(index));
  const state = resources.map((resource) => ({
    ...headOf(resource),
    schema_version: 1,
    values: resource.values,
    sensitive_values: resource.kind.sensitive,
  }));
  return {
    format_version: "1.2",
    terraform_version: "1.9.8",
    planned_values: { root_module: { child_modules: [{ resources: state, address: "module.app" }] } },
    resource_changes: resources.map((resource) => changeOf(resource, resource.index % changing === 0)),
    prior_state: {
      format_version: "1.0",
      terraform_version: "1.9.8",
      values: { root_module: { child_modules: [{ resources: state, address: "module.app" }] } },
    },
    configuration: {
      provider_config: { aws: { name: "aws", full_name: PROVIDER } },
      root_module: {
        module_calls: Object.fromEntries(
          Array.from({ length: Math.ceil(count / RESOURCES_PER_MODULE) }, (_, index) => [
            moduleOf(index * RESOURCES_PER_MODULE),
            { source: "./modules/app", module: { resources: resources.slice(0, 4).map(configurationOf) } },
          ]),
        ),
      },
    },
    relevant_attributes: [],
    timestamp: "2026-11-20T10:00:00Z",
    applyable: true,
    complete: true,
    errored: false,
  };
}
