import { portText } from "../inbound.ts";
import { serviceOpenings } from "../kubernetes-services.ts";
import { firstPathsOf } from "../../plan/leaves.ts";
import { newOpenings, type Opening } from "../openings.ts";
import type { Rule, RuleCase, RuleMatch } from "../rule.ts";
import type { Subject } from "../subject.ts";
import { oneOf } from "../types.ts";
import { listed } from "../values.ts";

export const R09 = {
  id: "R09",
  title: "A port is opened to the internet",
  why: "Anyone can reach it, and scanners will within minutes.",
  check: "Narrow the source to the networks that need it.",
  cases: {
    opened: {
      flag: "internet_exposure",
      when: "a new rule that lets the whole internet, or all of Azure, reach a port other than 80 and 443; SSH, RDP or a database's port in a network ACL",
      standard: "high",
      lenient: "medium",
      neverHidden: true,
    },
    sensitivePort: {
      flag: "internet_exposure",
      when: "a new rule that lets the whole internet reach SSH, RDP or a database's port, alone or in a range",
      standard: "critical",
      lenient: "medium",
      neverHidden: true,
    },
  },
  example: {
    address: "aws_vpc_security_group_ingress_rule.orders",
    actions: ["create"],
    after: { ip_protocol: "tcp", from_port: 5432, to_port: 5432, cidr_ipv4: "0.0.0.0/0" },
  },
  replaces: { rules: ["R08"], on: "change" },
  find: openedPorts,
} satisfies Rule;

function openedPorts(subject: Subject): RuleMatch[] {
  const { change, type, openedTogether } = subject;
  const openings = [...newOpenings(type, change), ...serviceOpenings(type, change), ...openedTogether].filter(
    (opening) => !isWeb(opening),
  );
  const sensitive = openings.filter((opening) => SENSITIVE_PORTS.some((port) => holds(opening, port)));
  const { opened, sensitivePort } = R09.cases;
  if (isOuter(type)) {
    const single = sensitive.filter(({ from, to }) => to - from < MAX_OUTER_PORTS || isPrefixList(type));
    return single.length > 0 ? [exposure(opened, subject, single)] : [];
  }
  const ofCloud = openings.filter(({ isCloudOnly }) => isCloudOnly);
  if (ofCloud.length === openings.length && ofCloud.length > 0) return [exposure(opened, subject, ofCloud)];
  if (sensitive.length > 0) return [exposure(sensitivePort, subject, sensitive)];
  return openings.length > 0 ? [exposure(opened, subject, openings)] : [];
}

/** Ports for administration (SSH, Telnet, SMB, Docker, RDP, VNC, WinRM, kubelet) and databases. */
const SENSITIVE_PORTS = [
  22, 23, 445, 2375, 2376, 3389, 5900, 5985, 5986, 10250, 1433, 1434, 1521, 1830, 2379, 2483, 2484, 3050,
  3306, 5432, 5433, 5439, 5984, 6379, 6380, 7000, 7001, 7199, 7473, 7474, 7687, 8086, 8091, 8123, 8529, 9042,
  9160, 9200, 9300, 9440, 10255, 11211, 26257, 27017, 27018, 27019, 28015, 33060, 50000,
];
const WEB_PORTS = new Set([80, 443]);

/**
 * Types of an outer layer: behind a network ACL or prefix list, security groups still decide. Wide ACLs are the
 * default.
 */
const isOuter = oneOf(["aws_network_acl*", "aws_default_network_acl", "aws_ec2_managed_prefix_list*"]);
const isPrefixList = oneOf(["aws_ec2_managed_prefix_list*"]);
const MAX_OUTER_PORTS = 1_000;

function exposure(found: RuleCase, { openedTogether }: Subject, openings: readonly Opening[]): RuleMatch {
  const isTogether = openings.every((one) => openedTogether.includes(one));
  const ports = listed([...new Set(openings.map(portText))]);
  const sources = listed([...new Set(openings.map(({ source }) => source))]);
  const message = `Opens ${ports} to ${sources}${isTogether ? " together with other rules" : ""}`;
  return { case: found, paths: firstPathsOf(openings), message };
}

function isWeb({ from, to }: Opening): boolean {
  return from === to && WEB_PORTS.has(from);
}

function holds({ from, to }: Opening, port: number): boolean {
  return from <= port && port <= to;
}
