import type { FixResult } from "../../api/openapi.gen.ts";
import { Badge } from "../../ui/badge.tsx";
import { Code, Diff } from "../../ui/code.tsx";
import { Card } from "../../ui/page.tsx";
import { Prose } from "../../ui/prose.tsx";
import { Narrative } from "../narrative.tsx";
import { inWords } from "../words.ts";

const REPLANS = {
  not_run: "Not verified by a new plan; check the next one",
  clean: "Verified by a new plan: the noise is gone",
  still_noisy: "Checked by a new plan: the noise is still there",
};

/** Shows the code changes that stop a kind of noise. */
export function Fix({ fix }: { fix: FixResult }) {
  const { strategy, explanation, patches, hcl, risks, verified, narrative } = fix;
  return (
    <Card title="The fix" actions={<Badge tone="accent">{inWords(strategy)}</Badge>}>
      <div className="flex flex-col gap-4">
        <Prose markdown={explanation} />
        {patches.map(({ path, diff }) => (
          <Diff key={path} title={path} diff={diff} />
        ))}
        {patches.length === 0 && <Code title="New block" code={hcl} />}
        {risks.length > 0 && (
          <div>
            <h3 className="mb-1 font-medium">Trade-offs</h3>
            <ul className="text-muted list-disc pl-5">
              {risks.map((risk) => (
                <li key={risk}>
                  <Prose markdown={risk} />
                </li>
              ))}
            </ul>
          </div>
        )}
        <p className="text-muted text-xs">
          {verified.parsed ? "The fix is valid HCL." : "The fix isn’t valid HCL."} {REPLANS[verified.replan]}.
        </p>
        {narrative && <Narrative narrative={narrative} />}
      </div>
    </Card>
  );
}
