import type { Input, Output } from "@leeway/shared/contracts/contract";
import type { SettleMany, SettlementRefusal } from "@leeway/shared/contracts/analyzer/settlements";
import { requireSpeaksFor } from "@leeway/shared/contracts/speaks-for";

import { sourceToJoin } from "./adopt.ts";
import { publish } from "./publish.ts";
import { refusalOf } from "./refusals.ts";
import { settleAll, type Decided } from "./settle-all.ts";
import { codeSourceOf, requireFitting, sentence, storeSettlements } from "./settle-change.ts";
import { presentChange, readFolder, type CodeSource, type SettleDependencies } from "./source.ts";

type Wanted = Input<typeof SettleMany>;
type Outcome = Omit<Output<typeof SettleMany>["settlements"][number], "fingerprint">;

/** Changes of one source. */
interface OfSource {
  code: CodeSource;
  decided: Decided[];
}

/**
 * Settles changes in the merge or pull requests of their sources. A change that can't be settled is refused, and
 * doesn't hold up the others.
 * @throws {AppError} `invalid_parameter`, `repository_mismatch` before anything is stored; `unavailable`
 */
export async function settleMany(
  deps: SettleDependencies,
  input: Wanted,
): Promise<Output<typeof SettleMany>> {
  requireFitting(input);
  const outcomes = new Map<string, Outcome>();
  const sources = await bySource(deps, input, outcomes);
  const requests: Output<typeof SettleMany>["change_requests"] = [];
  for (const { code, decided } of sources) {
    const settled = await settledIn(deps, input.org_id, { code, decided });
    for (const [fingerprint, outcome] of settled) outcomes.set(fingerprint, outcome);
    const accepted = decided.filter(({ fingerprint }) => !settled.get(fingerprint)?.refused);
    if (accepted.length === 0) continue;
    await storeSettlements(deps, input.org_id, code, accepted);
    const request = await publish(deps, input.org_id, code);
    if (request) requests.push({ ...request, source_id: code.id });
  }
  return {
    settlements: input.fingerprints.map((fingerprint) => ({
      fingerprint,
      ...(outcomes.get(fingerprint) ?? refused({ code: "not_applicable", message: GONE })),
    })),
    change_requests: requests,
  };
}

const GONE = "no account currently has this change";

/** Returns the changes by the source whose code they change, and notes why others have none. */
async function bySource(
  { bus }: SettleDependencies,
  { org_id: orgId, how, fingerprints, source_id, decided_by: decidedBy, speaks_for }: Wanted,
  outcomes: Map<string, Outcome>,
): Promise<OfSource[]> {
  const joined = how === "adopt" ? await sourceToJoin(bus, orgId, source_id) : undefined;
  const sources = new Map<string, OfSource>();
  for (const fingerprint of fingerprints) {
    const declared = await presentChange(bus, orgId, fingerprint);
    if (!declared) continue;
    const code = refusalOf(declared, how) ?? joined ?? codeSourceOf(declared);
    const repository = "repository" in code ? code.repository : declared.source?.repository;
    requireSpeaksFor(speaks_for, repository, "the change");
    if ("code" in code) {
      outcomes.set(fingerprint, refused(code));
      continue;
    }
    const known = sources.get(code.id) ?? { code, decided: [] };
    sources.set(code.id, known);
    known.decided.push({ fingerprint, how, decidedBy, decidedAt: new Date(), declared });
  }
  return [...sources.values()];
}

/** Returns what becomes of each change in the code as it is. */
async function settledIn(
  deps: SettleDependencies,
  orgId: string,
  { code, decided }: OfSource,
): Promise<Map<string, Outcome>> {
  const folder = await readFolder(deps.bus, orgId, code.repository);
  if ("refused" in folder) {
    const refusal = refused({ code: "code_unavailable", message: folder.refused });
    return new Map(decided.map(({ fingerprint }) => [fingerprint, refusal]));
  }
  const { outcomes } = await settleAll(deps, { orgId, source: code, folder }, decided);
  return new Map(
    decided.map(({ fingerprint }): [string, Outcome] => {
      const outcome = outcomes.get(fingerprint);
      if (!outcome) return [fingerprint, refused({ code: "not_applicable", message: GONE })];
      if (outcome.kind === "refused") return [fingerprint, refused(outcome.refusal)];
      return [fingerprint, { explanation: sentence(outcome.explanation) }];
    }),
  );
}

function refused(refusal: SettlementRefusal): Outcome {
  return { explanation: sentence(refusal.message), refused: refusal };
}
