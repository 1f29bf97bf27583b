import type { LiveResourceDetail } from "@leeway/shared/contracts/inventory/resources";

import type { KeyFindings } from "./findings.ts";
import type { ResourceDetail } from "./store.ts";

type TriedKey = LiveResourceDetail["match"]["tried"][number];

const LEVELS: Readonly<Record<string, TriedKey["level"]>> = {
  1: "identity",
  2: "id",
  3: "type_id",
  4: "name",
};

/**
 * Why a live resource is matched by the key it is, or by none: each of its keys in the order they were
 * tried. `livesWith` tells how many live resources of the account have a key.
 */
export async function explainKeys(
  resource: ResourceDetail,
  findings: readonly KeyFindings[],
  livesWith: (key: string) => Promise<number>,
): Promise<TriedKey[]> {
  const tried: TriedKey[] = [];
  let matched = false;
  for (const finding of findings) {
    const isMatch: boolean =
      !matched && Number(finding.key.charAt(0)) === resource.match_level && finding.mine > 0;
    const outcome = isMatch ? "matched" : outcomeOf(finding, matched);
    matched ||= isMatch;
    tried.push({
      key: finding.key.slice(2),
      level: LEVELS[finding.key.charAt(0)] ?? "name",
      outcome,
      explanation: outcome === "ambiguous" ? await ambiguity(finding, livesWith) : EXPLANATIONS[outcome],
    });
  }
  return tried;
}

function outcomeOf(finding: KeyFindings, matchedBefore: boolean): TriedKey["outcome"] {
  if (matchedBefore) return "surer_key_used";
  if (finding.declarations === 0) return finding.elsewhere > 0 ? "other_scope" : "no_declaration";
  return finding.declarations === 1 && finding.taken === 1 ? "taken" : "ambiguous";
}

async function ambiguity(
  { key, declarations, contested, ambiguous }: KeyFindings,
  livesWith: (key: string) => Promise<number>,
): Promise<string> {
  if (contested > 0) {
    return "not unique: what is declared with this key names no account, and several have it, so none is guessed";
  }
  const found = `not unique: ${await livesWith(key)} live and ${declarations} declared resources have this key, so none is guessed`;
  return ambiguous > 0 ? `${found}; what may be this one isn't missing` : found;
}

const EXPLANATIONS: Readonly<Record<Exclude<TriedKey["outcome"], "ambiguous">, string>> = {
  matched: "one live resource has this key, and what is declared with it is the same",
  surer_key_used: "a surer key had matched already",
  no_declaration: "no pushed state declares a resource with this key",
  other_scope: "it is declared with this key, but for another account or region",
  taken: "the resource that is declared with this key is matched to another live one by a surer key",
};
