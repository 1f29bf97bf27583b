import { Code, Diff } from "../../ui/code.tsx";
import { Prose } from "../../ui/prose.tsx";
import { Some } from "../../ui/some.tsx";
import { ValueChange } from "../../ui/value-change.tsx";
import { inWords } from "../words.ts";
import { resourceOf, type DriftChangeDetail } from "./change.tsx";
import { NotSettled } from "./not-settled.tsx";
import { OpenRequest } from "./open-request.tsx";
import { patchName, type Settlement } from "./settlement-words.ts";

interface SettledProps {
  change: DriftChangeDetail;
  settlement: Settlement;
}

/** Shows how a change is settled: the patch or the commands, or why there are none. */
export function Settled({ change, settlement }: SettledProps) {
  const { how, explanation, patch, commands, expected_plan: plan, refused } = settlement;
  if (refused) return <NotSettled source={change.source} refused={refused} />;
  return (
    <div role="region" aria-label="Settlement" className="flex min-w-0 flex-col gap-3">
      <Prose markdown={explanation} />
      {patch !== "" && (
        <>
          <Diff title="Patch" diff={patch} download={patchName(how, resourceOf(change))} />
          <p className="text-muted text-xs">
            Apply it in the root of the repository with <code className="font-mono">git apply</code>.
          </p>
          <Request change={change} how={how} />
        </>
      )}
      {commands && <Code title="Commands" code={commands.join("\n")} />}
      {plan && <ExpectedPlan plan={plan} />}
    </div>
  );
}

function ExpectedPlan({ plan }: { plan: NonNullable<Settlement["expected_plan"]> }) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p>
        Plan to expect: {plan.actions.map(inWords).join(", ").toLowerCase()}{" "}
        <code className="font-mono text-xs break-all">{plan.address}</code>
      </p>
      <Some items={plan.attribute_changes}>
        {(value) => <ValueChange key={JSON.stringify(value.path)} change={value} sides={["Live", "Code"]} />}
      </Some>
    </div>
  );
}

/** Offers to put the patch into the source's merge or pull request. */
function Request({ change, how }: { change: DriftChangeDetail; how: Settlement["how"] }) {
  const { source } = change;
  if (!source?.repository) return undefined;
  return <OpenRequest change={change} how={how} host={source.repository.host} />;
}
