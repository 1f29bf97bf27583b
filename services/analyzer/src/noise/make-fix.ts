import { proposeFix, type FixRequest } from "@leeway/analysis/fix/propose-fix";
import { fixPrompt } from "@leeway/analysis/fix/words";
import type { Question } from "@leeway/analysis/narrative/prompt";
import type { FixResult } from "@leeway/shared/contracts/analyzer/analysis";

/** A fix with the question for a model. */
export interface MadeFix {
  fix: FixResult;
  question: Question;
}

/**
 * Proposes a fix.
 * @param request its sources are JSON
 */
export async function makeFix({
  sources,
  ...request
}: Omit<FixRequest, "sources"> & { sources: string }): Promise<MadeFix> {
  const fix = await proposeFix({ ...request, sources: JSON.parse(sources) });
  return { fix, question: fixPrompt(fix) };
}
