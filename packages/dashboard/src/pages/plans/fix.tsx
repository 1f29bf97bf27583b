import type { FixResult } from "../../api/openapi.gen.ts";
import { Badge } from "../../ui/badge.tsx";
import { Code, Diff } from "../../ui/code.tsx";
import { Card } from "../../ui/page.tsx";
import { Prose } from "../../ui/prose.tsx";
import { inWords } from "../words.ts";

const REPLANS = {
  not_run: "Not planned again: look at the next plan",
  clean: "Planned again: the noise is gone",
  still_noisy: "Planned again: the noise is still there",
};

/** How code is to be changed so that a kind of noise ends. */
export function Fix({ fix }: { fix: FixResult }) {
  const { strategy, explanation, patches, hcl, risks, verified } = fix;
  return (
    <Card title="The fix" actions={<Badge tone="accent">{inWords(strategy)}</Badge>}>
      <div className="flex flex-col gap-4">
        <Prose markdown={explanation} />
        {patches.map(({ path, diff }) => (
          <Diff key={path} title={path} diff={diff} />
        ))}
        {patches.length === 0 && <Code title="The block as it is to be" code={hcl} />}
        {risks.length > 0 && (
          <div>
            <h3 className="mb-1 font-medium">What it costs</h3>
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
          {verified.parsed ? "It is valid HCL." : "It couldn’t be read as HCL."} {REPLANS[verified.replan]}.
        </p>
      </div>
    </Card>
  );
}
