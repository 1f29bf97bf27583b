import type { JsonObject } from "@leeway/shared/values/json";

import { ACCOUNT, tagged } from "./aws-network.ts";

const ELB = `arn:aws:elasticloadbalancing:eu-central-1:${ACCOUNT}`;

export const shopServer: JsonObject = {
  id: "i-0d9c8b7a6f5e43210",
  arn: `arn:aws:ec2:eu-central-1:${ACCOUNT}:instance/i-0d9c8b7a6f5e43210`,
  ami: "ami-0a1b2c3d4e5f67890",
  associate_public_ip_address: false,
  availability_zone: "eu-central-1b",
  disable_api_stop: false,
  disable_api_termination: false,
  ebs_optimized: true,
  ebs_block_device: [],
  ephemeral_block_device: [],
  iam_instance_profile: "shop",
  instance_initiated_shutdown_behavior: "stop",
  instance_state: "running",
  instance_type: "m6i.large",
  key_name: "",
  metadata_options: [{ http_endpoint: "enabled", http_tokens: "required", http_put_response_hop_limit: 1 }],
  monitoring: true,
  private_ip: "10.20.50.31",
  public_ip: "",
  root_block_device: [
    {
      delete_on_termination: true,
      device_name: "/dev/xvda",
      encrypted: true,
      volume_size: 30,
      volume_type: "gp3",
    },
  ],
  source_dest_check: true,
  subnet_id: "subnet-0a94b1c7e6d25f381",
  tenancy: "default",
  user_data: "0a4d55a8d778e5022fab701977c5d840bbc486d0",
  user_data_replace_on_change: false,
  vpc_security_group_ids: ["sg-0a7c2e19d4b8f6035"],
  ...tagged("shop-1"),
};

export const scalingGroup: JsonObject = {
  id: "shop-20260302101512448100000003",
  arn: `arn:aws:autoscaling:eu-central-1:${ACCOUNT}:autoScalingGroup:5f0d1c2b:autoScalingGroupName/shop`,
  name: "shop-20260302101512448100000003",
  name_prefix: "shop-",
  desired_capacity: 6,
  min_size: 4,
  max_size: 20,
  default_cooldown: 300,
  force_delete: false,
  health_check_grace_period: 120,
  health_check_type: "ELB",
  launch_template: [{ id: "lt-0b1a2c3d4e5f60718", name: "shop", version: "14" }],
  protect_from_scale_in: false,
  target_group_arns: [`${ELB}:targetgroup/shop/6d0ecf831eec9f09`],
  vpc_zone_identifier: ["subnet-0a94b1c7e6d25f381"],
};

export const launchTemplate: JsonObject = {
  id: "lt-0b1a2c3d4e5f60718",
  arn: `arn:aws:ec2:eu-central-1:${ACCOUNT}:launch-template/lt-0b1a2c3d4e5f60718`,
  name: "shop",
  default_version: 1,
  latest_version: 14,
  image_id: "ami-0a1b2c3d4e5f67890",
  instance_type: "m6i.large",
  metadata_options: [{ http_tokens: "required" }],
  update_default_version: false,
  vpc_security_group_ids: ["sg-0a7c2e19d4b8f6035"],
  ...tagged("shop"),
};

export const loadBalancer: JsonObject = {
  id: `${ELB}:loadbalancer/app/shop/50dc6c495c0c9188`,
  arn: `${ELB}:loadbalancer/app/shop/50dc6c495c0c9188`,
  name: "shop",
  dns_name: "shop-1736190422.eu-central-1.elb.amazonaws.com",
  zone_id: "Z215JYRZR1TBD5",
  internal: false,
  load_balancer_type: "application",
  access_logs: [{ bucket: "lumen-lb-logs", enabled: true, prefix: "shop" }],
  desync_mitigation_mode: "defensive",
  drop_invalid_header_fields: true,
  enable_deletion_protection: true,
  enable_http2: true,
  idle_timeout: 60,
  ip_address_type: "ipv4",
  security_groups: ["sg-05d8b3f7a1c9e2460"],
  subnets: ["subnet-03c7d88e1b2a49f60", "subnet-0b9e1c2d3f4a58671"],
  vpc_id: "vpc-0f3d6a1b9c8e74521",
  ...tagged("shop"),
};

export const httpsListener: JsonObject = {
  id: `${ELB}:listener/app/shop/50dc6c495c0c9188/f2f7dc8efc522ab2`,
  arn: `${ELB}:listener/app/shop/50dc6c495c0c9188/f2f7dc8efc522ab2`,
  load_balancer_arn: `${ELB}:loadbalancer/app/shop/50dc6c495c0c9188`,
  port: 443,
  protocol: "HTTPS",
  ssl_policy: "ELBSecurityPolicy-TLS13-1-2-2021-06",
  certificate_arn: `arn:aws:acm:eu-central-1:${ACCOUNT}:certificate/3e2a1b0c-9d8f-4c7e-a6b5-14f3e2d1c0b9`,
  default_action: [
    { type: "forward", order: 1, target_group_arn: `${ELB}:targetgroup/shop/6d0ecf831eec9f09` },
  ],
  ...tagged("shop-https"),
};

export const targetGroup: JsonObject = {
  id: `${ELB}:targetgroup/shop/6d0ecf831eec9f09`,
  arn: `${ELB}:targetgroup/shop/6d0ecf831eec9f09`,
  name: "shop",
  port: 8443,
  protocol: "HTTPS",
  target_type: "ip",
  vpc_id: "vpc-0f3d6a1b9c8e74521",
  deregistration_delay: "30",
  health_check: [{ enabled: true, path: "/healthz", matcher: "200", interval: 15, healthy_threshold: 2 }],
  ...tagged("shop"),
};

export function taskDefinition(image: string): JsonObject {
  return {
    id: "checkout",
    arn: `arn:aws:ecs:eu-central-1:${ACCOUNT}:task-definition/checkout:41`,
    arn_without_revision: `arn:aws:ecs:eu-central-1:${ACCOUNT}:task-definition/checkout`,
    family: "checkout",
    revision: 41,
    container_definitions: JSON.stringify([
      {
        name: "checkout",
        image,
        cpu: 512,
        memory: 1024,
        essential: true,
        portMappings: [{ containerPort: 8443 }],
      },
    ]),
    cpu: "512",
    memory: "1024",
    network_mode: "awsvpc",
    requires_compatibilities: ["FARGATE"],
    execution_role_arn: `arn:aws:iam::${ACCOUNT}:role/ecs-execution`,
    task_role_arn: `arn:aws:iam::${ACCOUNT}:role/checkout`,
    skip_destroy: false,
    track_latest: false,
    ...tagged("checkout"),
  };
}

export const checkoutService: JsonObject = {
  id: `arn:aws:ecs:eu-central-1:${ACCOUNT}:service/production/checkout`,
  name: "checkout",
  cluster: `arn:aws:ecs:eu-central-1:${ACCOUNT}:cluster/production`,
  desired_count: 4,
  deployment_maximum_percent: 200,
  deployment_minimum_healthy_percent: 100,
  enable_execute_command: false,
  force_new_deployment: null,
  health_check_grace_period_seconds: 30,
  launch_type: "FARGATE",
  load_balancer: [
    {
      container_name: "checkout",
      container_port: 8443,
      target_group_arn: `${ELB}:targetgroup/checkout/1f0e2d3c4b5a6978`,
    },
  ],
  network_configuration: [
    {
      assign_public_ip: false,
      security_groups: ["sg-0a7c2e19d4b8f6035"],
      subnets: ["subnet-0a94b1c7e6d25f381"],
    },
  ],
  platform_version: "LATEST",
  scheduling_strategy: "REPLICA",
  task_definition: `arn:aws:ecs:eu-central-1:${ACCOUNT}:task-definition/checkout:41`,
  ...tagged("checkout"),
};

export const emailsFunction: JsonObject = {
  id: "emails",
  arn: `arn:aws:lambda:eu-central-1:${ACCOUNT}:function:emails`,
  function_name: "emails",
  architectures: ["arm64"],
  code_signing_config_arn: "",
  description: "Sends order confirmations",
  environment: [{ variables: { SENDER: "orders@lumen-shop.example", LOG_LEVEL: "info" } }],
  handler: "index.handler",
  invoke_arn: `arn:aws:apigateway:eu-central-1:lambda:path/2015-03-31/functions/arn:aws:lambda:eu-central-1:${ACCOUNT}:function:emails/invocations`,
  kms_key_arn: "",
  last_modified: "2026-10-02T08:14:55.000+0000",
  memory_size: 256,
  package_type: "Zip",
  publish: false,
  qualified_arn: `arn:aws:lambda:eu-central-1:${ACCOUNT}:function:emails:$LATEST`,
  reserved_concurrent_executions: -1,
  role: `arn:aws:iam::${ACCOUNT}:role/emails`,
  runtime: "nodejs20.x",
  s3_bucket: "lumen-artifacts",
  s3_key: "emails/1.18.0.zip",
  source_code_hash: "q2l5w5s0bK9l0fC7xqk5pV3vW8oYfX0dA1yN6b1hJ5E=",
  timeout: 15,
  tracing_config: [{ mode: "Active" }],
  vpc_config: [],
  ...tagged("emails"),
};

export const nightlyRule: JsonObject = {
  id: "nightly-report",
  arn: `arn:aws:events:eu-central-1:${ACCOUNT}:rule/nightly-report`,
  name: "nightly-report",
  name_prefix: "",
  description: "Starts the nightly report",
  event_bus_name: "default",
  event_pattern: null,
  is_enabled: true,
  role_arn: "",
  schedule_expression: "cron(15 2 * * ? *)",
  state: "ENABLED",
  ...tagged("nightly-report"),
};

export const nightlySchedule: JsonObject = {
  id: "default/cleanup",
  arn: `arn:aws:scheduler:eu-central-1:${ACCOUNT}:schedule/default/cleanup`,
  name: "cleanup",
  group_name: "default",
  flexible_time_window: [{ mode: "OFF", maximum_window_in_minutes: null }],
  schedule_expression: "rate(1 day)",
  schedule_expression_timezone: "UTC",
  state: "ENABLED",
  target: [
    {
      arn: `arn:aws:lambda:eu-central-1:${ACCOUNT}:function:cleanup`,
      role_arn: `arn:aws:iam::${ACCOUNT}:role/scheduler`,
    },
  ],
};

export function alarm(name: string): JsonObject {
  return {
    id: name,
    arn: `arn:aws:cloudwatch:eu-central-1:${ACCOUNT}:alarm:${name}`,
    alarm_name: name,
    alarm_description: "",
    actions_enabled: true,
    alarm_actions: [`arn:aws:sns:eu-central-1:${ACCOUNT}:on-call`],
    comparison_operator: "GreaterThanThreshold",
    evaluation_periods: 3,
    metric_name: "HTTPCode_Target_5XX_Count",
    namespace: "AWS/ApplicationELB",
    period: 60,
    statistic: "Sum",
    threshold: 10,
    treat_missing_data: "notBreaching",
    ...tagged(name),
  };
}
