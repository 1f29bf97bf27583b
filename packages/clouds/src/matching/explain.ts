import type { LiveResourceDetail } from "@leeway/shared/contracts/inventory/resources";

/** Counts of declared resources with one key of a live resource. */
export interface KeyFindings {
  key: string;
  /** Number that can be the live resource, in the source with the most of them. */
  declarations: number;
  /** Number in another account or another region. */
  elsewhere: number;
  /** Number that match this live resource. */
  mine: number;
  /** Number that match another live resource of the account. */
  taken: number;
  /** Number that name no account and match in another account, too. */
  contested: number;
  /** Number that may be one of several live resources of the account. */
  ambiguous: number;
}

type TriedKey = LiveResourceDetail["match"]["tried"][number];

const LEVELS: Readonly<Record<string, TriedKey["level"]>> = {
  1: "identity",
  2: "id",
  3: "type_id",
  4: "name",
};

/**
 * Explains why a live resource is matched by its key, or isn't matched. Returns its keys in the order of matching.
 * `livesWith` counts the account's live resources with a key.
 */
export async function explainKeys(
  { match_level: level }: { match_level: number | null },
  findings: readonly KeyFindings[],
  livesWith: (key: string) => Promise<number>,
): Promise<TriedKey[]> {
  const tried: TriedKey[] = [];
  let matched = false;
  for (const finding of findings) {
    const isMatch: boolean = !matched && Number(finding.key.charAt(0)) === level && finding.mine > 0;
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
    return "not unique: the declaration with this key names no account, and several accounts have the key";
  }
  const found = `not unique: ${await livesWith(key)} live and ${declarations} declared resources have this key`;
  return ambiguous > 0 ? `${found}; declared resources that may be this one aren't missing` : found;
}

const EXPLANATIONS: Readonly<Record<Exclude<TriedKey["outcome"], "ambiguous">, string>> = {
  matched: "exactly one live and one declared resource have this key",
  surer_key_used: "a more reliable key already matched",
  no_declaration: "no state declares a resource with this key",
  other_scope: "the key is declared, but for another account or region",
  taken: "the declared resource with this key matched another live resource by a more reliable key",
};
