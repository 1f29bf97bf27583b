import { analysis, drift, finding, noise } from "./analysis.fixture.ts";

export const DB = "R01:aws_db_instance.orders";
export const SSH = "R09:aws_security_group_rule.ssh";
export const CI = "R13:aws_iam_role_policy_attachment.ci";
export const QUEUE = "R20:aws_sqs_queue.jobs[0]";
export const LB = 'R17:module.edge["eu"].aws_lb.public';

/** The plan that the answers below are about. */
export const PLAN = analysis({
  warnings: ["format 1.0 may leave parts of the plan out"],
  summary: { create: 1, update: 1, replace: 1, delete: 1, import: 0, forget: 0, read: 0, no_op: 9 },
  findings: [
    finding(),
    finding({
      rule: "R17",
      flag: "destroy_serving",
      risk_level: "high",
      address: 'module.edge["eu"].aws_lb.public',
      resource_type: "aws_lb",
      actions: ["delete"],
      paths: [],
      message: 'module.edge["eu"].aws_lb.public is deleted',
    }),
    finding({
      rule: "R09",
      flag: "opens_to_world",
      risk_level: "high",
      address: "aws_security_group_rule.ssh",
      resource_type: "aws_security_group_rule",
      actions: ["update"],
      paths: [["cidr_blocks"]],
      message: "opens port 22 to 0.0.0.0/0",
    }),
    finding({
      rule: "R13",
      flag: "privilege_change",
      risk_level: "high",
      address: "aws_iam_role_policy_attachment.ci",
      resource_type: "aws_iam_role_policy_attachment",
      actions: ["create"],
      paths: [["policy_arn"]],
      message: "attaches AdministratorAccess to role arn:aws:iam::210987654321:role/ci",
    }),
    finding({
      rule: "R20",
      flag: "create",
      risk_level: "low",
      address: "aws_sqs_queue.jobs[0]",
      resource_type: "aws_sqs_queue",
      actions: ["create"],
      paths: [],
      message: "aws_sqs_queue.jobs[0] is created",
    }),
  ],
  drift: [drift()],
  noise: [noise()],
});

interface Given {
  summary: string;
  findings: { id: string; explanation: string; check?: string }[];
}

/** Builds an answer with a summary and one finding. */
export const about = (summary: string, explanation: string, check?: string, id = DB): Given => ({
  summary,
  findings: [{ id, explanation, ...(check !== undefined && { check }) }],
});

/** Realistic model answers about this plan. */
export const REALISTIC: readonly Given[] = [
  about(
    "The riskiest change is the replacement of `aws_db_instance.orders`, which destroys its data.",
    "Setting `storage_encrypted` forces a replacement, so the instance is deleted before the new one exists.",
    "Take a manual snapshot first: `aws rds create-db-snapshot --db-instance-identifier orders --db-snapshot-identifier orders-before`.",
  ),
  about(
    "Four changes need a reviewer, one of them is critical.",
    "This will likely cause downtime of 10 to 30 minutes, and it may lose data if `skip_final_snapshot = true`.",
    "You may want to set `lifecycle { prevent_destroy = true }` first.",
  ),
  about(
    "SSH becomes reachable from the whole internet.",
    "Port 22 is opened to `0.0.0.0/0`, whereas only `10.0.0.0/8` could reach it before.",
    "Limit `cidr_blocks` to the office range, e.g. 203.0.113.0/24, or use Session Manager.",
    SSH,
  ),
  about(
    "CI gets full control of the account.",
    "`AdministratorAccess` allows every action on every resource, so anyone who can push a pipeline owns the account.",
    "Consider `arn:aws:iam::aws:policy/ReadOnlyAccess` plus a policy with the few actions that the pipeline needs.",
    CI,
  ),
  about(
    "The public load balancer in Europe goes away.",
    'Deleting `module.edge["eu"].aws_lb.public` takes its DNS name with it; clients fail until they resolve another one.',
    "Check that Route 53 no longer points at it, and lower the TTL to 60 s an hour before.",
    LB,
  ),
  about(
    "One queue is new; nothing reads from it yet.",
    "A new standard queue appears harmless, although its `visibility_timeout_seconds` defaults to 30.",
    "",
    QUEUE,
  ),
  about(
    "Warning: this plan is not safe to apply during business hours.",
    "⚠️ Data loss is permanent unless a final snapshot is taken.",
    "Run `terraform plan -target=aws_db_instance.orders` and read the `forces replacement` lines.",
  ),
  about(
    "It depends on whether the database still holds production data.",
    "If the instance is a leftover from staging, the replacement is fine; if not, stop here.",
    "Connect with `psql -h orders.internal -c 'select count(*) from orders'`.",
  ),
  about(
    "Somebody opened the web security group by hand, and the plan would close it again.",
    "An ingress rule was widened to `0.0.0.0/0` outside of Terraform. The plan restores `10.0.0.0/8`.",
    "Ask who changed it before you revert it, it could be an incident fix.",
    "d1_web",
  ),
  about(
    "The ECS service only shows autoscaler noise.",
    "`desired_count` moved from 2 to 4 because the autoscaler owns it. Add it to `ignore_changes`.",
    undefined,
    "pn1_abcdefghijklmnopqrstuvwxyz",
  ),
  about(
    "**Critical:** the orders database is replaced.",
    "Replacing the instance means:\n- the endpoint changes\n- connections drop\n- read replicas are detached",
    "1. Stop writers\n2. Take a snapshot\n3. Apply\n4. Restore from the snapshot",
  ),
  about(
    "Overall, I would not merge this as it is.",
    "AWS can't encrypt an existing RDS instance in place. Copy an encrypted snapshot and restore it instead.",
    "`aws rds copy-db-snapshot --kms-key-id alias/rds --source-db-snapshot-identifier a --target-db-snapshot-identifier b`",
  ),
  about(
    "3 of 5 findings are high or worse; 1 is critical.",
    "Storage of 500 GiB at roughly $0.115 per GB-month stays billed for as long as the old snapshot exists.",
    "Compare the cost: 500 * 0.115 = 57.5 USD a month.",
  ),
  about(
    "Two identities can reach more than before.",
    "The role `arn:aws:iam::210987654321:role/ci` can now create access keys (`iam:CreateAccessKey`), so it can escalate.",
    "Look for `iam:PassRole` and `sts:AssumeRole` in CloudTrail.",
    CI,
  ),
  about(
    "Brute-force attempts on port 22 usually start within minutes.",
    "Scanners find open SSH ports quickly. With password logins enabled, that might be enough for a compromise.",
    "Verify `PasswordAuthentication no` in /etc/ssh/sshd_config.",
    SSH,
  ),
  about(
    "Nothing in this plan touches the network ACLs.",
    "The rule uses IPv4 only; `::/0` isn't included, so IPv6 clients stay blocked.",
    "Run `terraform state show aws_security_group_rule.ssh`.",
    SSH,
  ),
  about(
    "The plan mixes unrelated changes; splitting it would make it easier to roll back.",
    "Roll back by restoring the snapshot (point-in-time recovery goes back at most 35 days).",
    "Check `backup_retention_period`: 0 disables automated backups.",
  ),
  about(
    "Apply the queue first, then the rest.",
    "Terraform creates `aws_sqs_queue.jobs[0]` before its consumers, thanks to the implicit dependency.",
    "`terraform apply -target='aws_sqs_queue.jobs[0]'`",
    QUEUE,
  ),
  about(
    "Most of the risk comes from one line of code.",
    "`storage_encrypted = false -> true` is marked `# forces replacement`.",
    "Search the module for `storage_encrypted` and for `kms_key_id`.",
  ),
  about(
    "The attribute `aws_db_instance.orders.storage_encrypted` decides everything here.",
    "The change was probably made for compliance (CIS 2.3.1), which is reasonable, but the way is destructive.",
    "Open a ticket with the owners of the database before you go on.",
  ),
  about(
    'All of `module.edge["eu"]` loses its entry point.',
    "TLS certificates stay; listeners, target groups and rules are deleted together with the load balancer.",
    "`curl -I` against the new entry point should give 200 or 301.",
    LB,
  ),
  about(
    "In short: don't apply before the weekend.",
    "I'm not certain that `deletion_protection` is off. If it is on, the apply fails half-way, with the queue already created.",
    "See `deletion_protection` in the state: `terraform state pull | jq '.resources[] | select(.type==\"aws_db_instance\")'`.",
  ),
  about(
    "The user-data script isn't part of the change.",
    "Files such as `user_data.sh` or `variables.tf` are untouched, and `root_block_device.encrypted` stays as it is.",
    "Format with `terraform fmt -recursive` and validate with `terraform validate`.",
  ),
  about(
    "> The replacement can't be undone.",
    "# Why\nThe old volume is deleted with the instance.",
    'Keep `final_snapshot_identifier = "orders-final"` in the code.',
  ),
  about(
    "Traffic between 10.0.0.0/16 and 172.16.0.0/12 isn't affected.",
    "Only ingress from 0.0.0.0/0 on 22/tcp is new. Egress stays `-1` (all).",
    "Test from outside: `nc -vz 198.51.100.7 22`.",
    SSH,
  ),
  about(
    "You should be fine if the maintenance window covers 02:00–04:00 UTC.",
    "Latency could rise by 5–10 ms while caches are cold; error rates may reach 2.5%.",
    "Watch `DatabaseConnections` and `CPUUtilization` (threshold: 80%).",
  ),
  about(
    "Use `moved` blocks instead of deleting and creating.",
    "If the name was only changed, `terraform state mv 'module.edge[\"eu\"].aws_lb.public' <new address>` keeps it.",
    "Replace <new address> by what the code says.",
    LB,
  ),
  about(
    "Least privilege is broken by one attachment.",
    "The policy allows `s3:*`, `ec2:*` and `iam:*` on `*`. A narrower one could allow s3:GetObject on *.",
    "`aws iam list-attached-role-policies --role-name ci`",
    CI,
  ),
  about(
    "Résumé: one database, one balancer, one rule; naïve retries won't help.",
    "Connections are dropped (SQLSTATE 57P01) and pools must reconnect; HikariCP does so by itself.",
    "Set `connect_timeout=5` for clients that hang.",
  ),
  {
    summary: "Work through them from the top: database, balancer, SSH, CI, queue.",
    findings: [DB, LB, SSH, CI, QUEUE].map((id) => ({
      id,
      explanation:
        "This one needs a second pair of eyes before the apply, possibly from the on-call engineer.",
      check: "Confirm it in the change ticket.",
    })),
  },
];

/** Returns a realistic text in its displayed form: one line without Markdown marks. */
export function bare(text: string): string {
  return text
    .replaceAll("\uFE0F", "")
    .replaceAll(/^(?:[#>]) /gmu, "")
    .replaceAll("**", "")
    .replaceAll("<new address>", "‹new address›")
    .replaceAll("`", "")
    .replaceAll(/\s+/gu, " ")
    .replace(/\.$/u, "");
}
