import type { DescribedFix } from "@leeway/analysis/settle/describe";
import { patched } from "@leeway/analysis/settle/patched";
import type { SourceRepository } from "@leeway/shared/contracts/common";
import type { CodeFile } from "@leeway/shared/contracts/webhooks/code";
import type { OrgStatements } from "@leeway/shared/database/database";

import { proposeStoredFix } from "../noise/propose-stored-fix.ts";
import { getNoise } from "../noise/store.ts";
import type { PlanReader } from "../plan-reader.ts";
import { dropFix, type RequestedFix } from "./fix-store.ts";

interface FixesAt {
  sql: OrgStatements;
  reader: PlanReader;
  sourceId: string;
  repository: SourceRepository;
}

/**
 * Applies the requested fixes of a source to its code. Fixes that the code has already, and those of noise that is gone
 * or muted, are forgotten.
 * @throws {AppError} as `PlanReader.fix`
 */
export async function withFixes(
  { sql, reader, sourceId, repository }: FixesAt,
  files: readonly CodeFile[],
  requested: readonly RequestedFix[],
): Promise<{ files: CodeFile[]; described: DescribedFix[] }> {
  let code = [...files];
  const described: DescribedFix[] = [];
  for (const { fingerprint, strategy, ...decision } of requested) {
    const noise = await getNoise(sql, fingerprint);
    const made =
      noise &&
      noise.status !== "muted" &&
      (await proposeStoredFix(sql, reader, {
        fingerprint,
        repository: repository.path,
        sources: JSON.stringify(code.map(({ path, text: hcl }) => ({ path, hcl }))),
        strategy,
      }));
    if (!made || made.fix.patches.length === 0) await dropFix(sql, sourceId, fingerprint);
    else {
      code = patched(code, made.fix.patches);
      described.push({ noise, fix: made.fix, ...decision });
    }
  }
  return { files: code, described };
}
