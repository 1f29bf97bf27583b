/**
 * Measures the processor time of an organization's rules on stored drift changes, as a thread of the inventory runs them. Goal:
 * 10,000 changes and 50 rules in less than 200 ms.
 * `bun tests/load/rules.ts [changes] [rules]`
 */
import { judgeByRules, type DriftRow } from "@leeway/rules/drift-subject";
import type { ActiveRule } from "@leeway/shared/contracts/inventory/rules";

const changes = Number(Bun.argv[2] ?? 10_000);
const count = Number(Bun.argv[3] ?? 50);
const ROUNDS = 7;

const KINDS = ["changed", "missing", "undeclared"] as const;
const CONDITIONS = [
  (n: number) => `resource.type == "aws_type_${n}" && resource.region == "eu-west-1"`,
  (n: number) => `has(resource.tags.env) && resource.tags.env == "${n === 1 ? "dev" : `dev${n}`}"`,
  (n: number) => `paths.all(p, p.startsWith("tags${n === 2 ? "" : n}."))`,
  (n: number) => `declared.module.startsWith("module.team${n}") || resource.name.endsWith("-${n}")`,
  (n: number) =>
    `"R${String(n + 5).padStart(2, "0")}" in change.rules && !(change.risk_level in ["critical", "high"])`,
];

const rows = Array.from({ length: changes }, (_, n): DriftRow => ({
  fingerprint: `dc1_${n}`,
  kind: KINDS[n % KINDS.length] ?? "changed",
  level: n % 2 === 0 ? "low" : "medium",
  content: JSON.stringify({
    actions: ["update"],
    address: `module.team${n % 20}.aws_type_${n % 40}.this`,
    module_address: `module.team${n % 20}`,
    resource_type: `aws_type_${n % 40}`,
    provider_name: "registry.terraform.io/hashicorp/aws",
    attribute_changes: [{ path: ["tags", "owner"] }, { path: ["ingress", 0, "cidr_blocks"] }],
    risk_flags: [{ rule: n % 5 === 0 ? "R09" : "R23", flag: "update", evidence: [] }],
  }),
  facts: {
    provider: "aws",
    account: "123456789012",
    region: "eu-west-1",
    name: `resource-${n}`,
    tags: n % 3 === 0 ? null : JSON.stringify({ env: n % 2 === 0 ? "dev" : "prod", team: `t${n % 9}` }),
    attributes: null,
    source: "main",
    actor: null,
  },
}));
const rules = Array.from({ length: count }, (_, n): ActiveRule => ({
  id: `rule-${n}`,
  name: `Rule ${n}`,
  on: [...KINDS],
  when: CONDITIONS[n % CONDITIONS.length]?.(n) ?? "true",
  effect: n % 3 === 0 ? { ignore: true } : n % 3 === 1 ? { raise_to: "high" } : { label: `l${n}` },
}));

/** Returns the median processor time of a piece of work, in ms. */
function median(work: () => unknown): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const { user, system } = process.cpuUsage();
    work();
    const spent = process.cpuUsage({ user, system });
    return (spent.user + spent.system) / 1_000;
  });
  return times.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? 0;
}

const parse = median(() =>
  rows.map(({ content, facts }) => [JSON.parse(content), facts.tags && JSON.parse(facts.tags)]),
);
const judge = median(() => judgeByRules(rules, rows));
const ruled = judgeByRules(rules, rows).filter(({ effects }) => effects).length;
console.log(
  `${changes} changes, ${count} rules: ${judge.toFixed(0)} ms (goal for 10000 and 50: 200 ms), ${ruled} with an effect`,
);
console.log(`JSON.parse of the same changes: ${parse.toFixed(0)} ms, ratio ${(judge / parse).toFixed(1)}`);
