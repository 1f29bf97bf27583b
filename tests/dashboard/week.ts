import { ndjson, tfstate } from "../../services/inventory/test/kit.ts";
import type { Stack } from "../isolation/stack.ts";

/** The person who opened the security group, as AWS names them. */
export const GRACE =
  "arn:aws:sts::333333333333:assumed-role/AWSReservedSSO_Administrators_0123456789abcdef/grace.hopper";
const LINUS = "arn:aws:iam::333333333333:user/linus";
const REGION = "eu-west-1";

interface Account {
  id: string;
  external_id: string;
}

const arnOf = ({ external_id }: Account, service: string, name: string): string =>
  `arn:aws:${service}:${REGION}:${external_id}:${name}`;

const logGroup = (account: Account, name: string) => ({
  declared: {
    type: "aws_cloudwatch_log_group",
    name,
    module: "module.logs",
    attributes: {
      id: `/app/${name}`,
      name: `/app/${name}`,
      arn: arnOf(account, "logs", `log-group:/app/${name}`),
      retention_in_days: 30,
    },
  },
  live: (days: number) => ({
    provider_resource_id: arnOf(account, "logs", `log-group:/app/${name}`),
    provider_type: "AWS::Logs::LogGroup",
    name: `/app/${name}`,
    region: REGION,
    properties: { LogGroupName: `/app/${name}`, RetentionInDays: days },
  }),
});

const rule = (cidr: string) => ({
  cidr_blocks: [cidr],
  from_port: 22,
  to_port: 22,
  protocol: "tcp",
  description: "",
  ipv6_cidr_blocks: [],
  prefix_list_ids: [],
  security_groups: [],
  self: false,
});

const securityGroup = (account: Account) => {
  const arn = arnOf(account, "ec2", "security-group/sg-1");
  return {
    declared: {
      type: "aws_security_group",
      name: "web",
      module: "module.network",
      attributes: {
        id: "sg-1",
        arn,
        name: "web",
        vpc_id: "vpc-1",
        ingress: [rule("10.0.0.0/8")],
        egress: [],
      },
    },
    live: (cidr: string) => ({
      provider_resource_id: arn,
      provider_type: "AWS::EC2::SecurityGroup",
      name: "web",
      region: REGION,
      properties: {
        GroupId: "sg-1",
        GroupName: "web",
        VpcId: "vpc-1",
        SecurityGroupIngress: [{ IpProtocol: "tcp", FromPort: 22, ToPort: 22, CidrIp: cidr }],
      },
    }),
  };
};

const queue = (account: Account, name: string) => ({
  provider_resource_id: arnOf(account, "sqs", name),
  provider_type: "AWS::SQS::Queue",
  name,
  region: REGION,
});

type Send = (method: string, below: string, body: unknown) => Promise<{ id: string; finished_at?: string }>;

/** A filled organization. */
export interface Week {
  production: string;
  staging: string;
  source: string;
}

/**
 * Fills an organization with a week of history. Eight days ago, a security group was open to another network than
 * declared, and two log groups kept their logs for 7 days instead of 30. Within the last hour, grace opened the group
 * to the world, linus shortened more log groups, a queue was created by hand, and another one was deleted.
 */
export async function fillWeek({ ask, db }: Stack, orgId: string, as: string): Promise<Week> {
  const send: Send = async (method, below, body) => {
    const sent = await ask(method, `/api/v2/orgs/${orgId}/${below}`, { as, body });
    if (sent.status >= 300) throw new Error(JSON.stringify(sent.body));
    return sent.body;
  };
  const list = async (account: Account, lines: readonly object[]): Promise<void> => {
    const { id } = await send("PUT", `cloud-accounts/${account.id}/listing`, ndjson(lines));
    while ((await send("GET", `scans/${id}`, undefined)).finished_at === undefined) await Bun.sleep(10);
  };
  const connect = async (external_id: string, name: string): Promise<Account> => {
    const { id } = await send("POST", "cloud-accounts", { provider: "aws", external_id, name });
    return { id, external_id };
  };
  const production = await connect("333333333333", "Production");
  const staging = await connect("444444444444", "Staging");
  const group = securityGroup(production);
  const logs = Array.from({ length: 12 }, (_, at) => logGroup(production, `service-${at}`));
  const source = await send("POST", "iac-sources", {
    name: "network/production",
    cloud_account_id: production.id,
    repository: { host: "github.com", path: "crumbline/infra" },
  });
  const declared = [group.declared, ...logs.map((log) => log.declared)];
  await send("PUT", `iac-sources/${source.id}/state`, tfstate(declared, { lineage: "week" }));
  const keeping = (short: number) => logs.map((log, at) => log.live(at < short ? 7 : 30));

  await list(production, [group.live("10.9.0.0/16"), ...keeping(2), queue(production, "left-over")]);
  await list(staging, [queue(staging, "trial")]);
  await age(db, orgId);
  await list(production, [group.live("0.0.0.0/0"), ...keeping(11), queue(production, "by-hand")]);
  await list(staging, [queue(staging, "trial"), queue(staging, "trial-2")]);
  for (const [type, principal, event] of [
    ["aws_security_group", GRACE, "AuthorizeSecurityGroupIngress"],
    ["aws_cloudwatch_log_group", LINUS, "PutRetentionPolicy"],
  ] as const) {
    const actor = { principal, event, source: "aws_cloudtrail", at: new Date().toISOString() };
    await db.admin`
      update inventory.drift_fingerprints f
         set actor = ${db.admin.json(actor)}
        from inventory.drift_changes c
       where c.org_id = f.org_id
         and c.fingerprint = f.fingerprint
         and f.org_id = ${orgId}
         and c.content::jsonb ->> 'resource_type' = ${type}
    `;
  }
  return { production: production.id, staging: staging.id, source: source.id };
}

/** Lists `count` queues in the staging account, which had two: the third and all further ones are new. */
export async function listQueues(
  { ask }: Stack,
  { orgId, as, account: id }: { orgId: string; as: string; account: string },
  count: number,
): Promise<void> {
  const account = { id, external_id: "444444444444" };
  const names = ["trial", ...Array.from({ length: count - 1 }, (_, at) => `trial-${at + 2}`)];
  const lines = names.map((name) => queue(account, name));
  await ask("PUT", `/api/v2/orgs/${orgId}/cloud-accounts/${id}/listing`, { as, body: ndjson(lines) });
}

/** Makes everything that the organization has seen so far eight days older. */
async function age({ admin }: Stack["db"], orgId: string): Promise<void> {
  const isBusy = async (): Promise<boolean> =>
    (await admin`select from inventory.drift_snapshots where org_id = ${orgId} and status = 'pending'`)
      .length > 0;
  while (await isBusy()) await Bun.sleep(10);
  await admin`
    update inventory.drift_snapshots
       set created_at = created_at - interval '8 days', finished_at = finished_at - interval '8 days'
     where org_id = ${orgId}
  `;
  await admin`
    update inventory.drift_fingerprints
       set first_seen_at = first_seen_at - interval '8 days'
     where org_id = ${orgId}
  `;
}
