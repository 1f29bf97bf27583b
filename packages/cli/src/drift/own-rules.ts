import { driftSubject, type DriftFacts } from "@leeway/rules/drift-subject";
import { ruleSet, type RuleSet } from "@leeway/rules/rule-set";
import type { DeclaredRow } from "@leeway/drift/estate/declared";
import type { EstateChange, EstateDrift } from "@leeway/drift/estate/estate-drift";
import type { LiveAccount } from "@leeway/drift/estate/live-account";
import type { ActiveRule } from "@leeway/shared/contracts/inventory/rules";

/** Applies rules to the changes of an estate, as the server does. */
export function withOwnRules(
  found: EstateDrift,
  declared: readonly DeclaredRow[],
  rules: readonly ActiveRule[],
): EstateDrift {
  if (rules.length === 0) return found;
  const set = ruleSet(rules);
  const byId = new Map(declared.map((row) => [row.id, row]));
  return {
    ...found,
    accounts: found.accounts.map((drift) => {
      const live = new Map(drift.account.resources.map((resource) => [resource.id, resource]));
      const changes = drift.changes.map((change) => {
        const resource = live.get(change.live_resource_id ?? "");
        const row = byId.get(change.iac_resource_id ?? "");
        return ruled(
          change,
          { ...accountFacts(drift.account), ...resourceFacts(resource, row, change) },
          set,
        );
      });
      return { ...drift, changes };
    }),
    unplaced: found.unplaced.map((change) => {
      const row = byId.get(change.iac_resource_id ?? "");
      const place = { provider: row?.cloud.provider ?? "", account: "" };
      return ruled(change, { ...place, ...resourceFacts(undefined, row, change) }, set);
    }),
  };
}

function accountFacts({ cloud, externalId }: LiveAccount): Pick<DriftFacts, "provider" | "account"> {
  return { provider: cloud.provider, account: externalId };
}

function resourceFacts(
  live: LiveAccount["resources"][number] | undefined,
  row: DeclaredRow | undefined,
  { kind }: EstateChange,
): Omit<DriftFacts, "provider" | "account"> {
  const { region = null, name = null, tags = null } = live ?? {};
  const { sourceId: source = null, attributes = null } = row ?? {};
  return { region, name, tags, source, attributes: kind === "missing" ? attributes : null, actor: null };
}

/** Applies rules to one change. Noise and changes to be applied have none. */
export function ruled(change: EstateChange, facts: DriftFacts, { judge }: RuleSet): EstateChange {
  const { kind, fingerprint, risk_level: level } = change;
  if (kind === "pending" || change.is_noise) return change;
  const verdict = judge(driftSubject({ kind, level, fingerprint }, change, facts));
  if (!verdict.effects) return change;
  const { hidden_by, raised, labels } = verdict.effects;
  return {
    ...change,
    risk_level: verdict.level,
    ...(hidden_by && { hidden_by }),
    ...(raised && { raised }),
    ...(labels && { labels }),
  };
}
