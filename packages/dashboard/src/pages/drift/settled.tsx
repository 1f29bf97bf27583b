import { useAct } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { Code, Diff } from "../../ui/code.tsx";
import { Prose } from "../../ui/prose.tsx";
import { Some } from "../../ui/some.tsx";
import { Failure } from "../../ui/states.tsx";
import { ValueChange } from "../../ui/value-change.tsx";
import { inWords } from "../words.ts";
import { resourceOf, type DriftChangeDetail } from "./change.tsx";
import { ChangeRequest } from "./change-request.tsx";
import { NotSettled } from "./not-settled.tsx";
import { patchName, requestName, type Settlement } from "./settlement-words.ts";

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

const CHANGED = ["GET /orgs/{id}/drift-changes/{fingerprint}"] as const;

/** Offers to put the patch into the source's merge or pull request. */
function Request({ change, how }: { change: DriftChangeDetail; how: Settlement["how"] }) {
  const { fingerprint, source } = change;
  const open = useAct("POST /orgs/{id}/drift-changes/{fingerprint}/settlement", CHANGED);
  if (!source?.repository) return undefined;
  const name = requestName(source.repository.host);
  const request = open.data?.change_request;
  if (request) return <ChangeRequest fingerprint={fingerprint} name={name} request={request} />;
  return (
    <div className="flex flex-col items-start gap-3">
      {open.data?.refused && <NotSettled source={source} refused={open.data.refused} />}
      <Button
        kind="primary"
        busy={open.isPending}
        onClick={() => open.mutate({ params: { fingerprint }, body: { how, open_change_request: true } })}
      >
        Open a {name}
      </Button>
      {open.error && <Failure error={open.error} />}
    </div>
  );
}
