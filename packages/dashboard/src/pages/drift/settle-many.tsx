import { useState } from "react";

import type { Answer, Body } from "../../api/client.ts";
import { sentence } from "../../api/failure.ts";
import { useAct } from "../../api/act.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Select } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { countOf } from "../../ui/number.ts";
import { OutLink } from "../../ui/out-link.tsx";
import { Some } from "../../ui/some.tsx";
import { nameOfChange, type DriftChange } from "./change.tsx";
import { useCodeSources } from "./code-sources.ts";
import { requestName, requestTitle, WAYS } from "./settlement-words.ts";

type Settled = Answer<"POST /orgs/{id}/drift-changes/settlements">;
type Way = Body<"POST /orgs/{id}/drift-changes/settlements">["how"];

/** Max number of changes settled at once. */
export const MAX_SETTLED = 100;

/** How the code of each kind of change is made to agree with what is live. */
const WAY_OF: Readonly<Record<DriftChange["kind"], Way | undefined>> = {
  changed: "accept",
  missing: "forget",
  undeclared: "adopt",
  pending: undefined,
};

interface SettleManyProps {
  changes: readonly DriftChange[];
  /** Selected resources without drift, which stay out. */
  unreported?: readonly { id: string; name: string }[];
  onDone: () => void;
  onClose: () => void;
}

/** Puts changes into the merge or pull requests of their sources, and shows what became of each. */
export function SettleMany({ changes, unreported = [], onDone, onClose }: SettleManyProps) {
  const settle = useAct("POST /orgs/{id}/drift-changes/settlements");
  const [chosen, setChosen] = useState<string>();
  const sources = useCodeSources(changes.find(({ kind }) => kind === "undeclared")?.cloud_account_id);
  const source = sources.find(({ id }) => id === chosen) ?? sources[0];
  const [answers, setAnswers] = useState<Settled[]>();
  const groups = [...Map.groupBy(changes, ({ kind }) => WAY_OF[kind])].flatMap(([how, group]) =>
    how === undefined ? [] : [{ how, fingerprints: group.map(({ fingerprint }) => fingerprint) }],
  );
  const submit = async (): Promise<void> => {
    const done: Settled[] = [];
    for (const { how, fingerprints } of groups) {
      const joins = how === "adopt" && source ? { source_id: source.id } : {};
      done.push(await settle.mutateAsync({ body: { how, fingerprints, ...joins } }));
    }
    setAnswers(done);
  };
  if (answers) return <Results answers={answers} changes={changes} onClose={onDone} />;
  return (
    <FormDialog
      title={`Settle ${countOf(changes.length, "change")} in code`}
      confirmLabel="Open requests"
      busy={settle.isPending}
      error={settle.error}
      disabled={groups.length === 0}
      onSubmit={() => void submit().catch(() => undefined)}
      onClose={onClose}
    >
      <p>Each source gets one merge or pull request, which Leeway updates and never merges.</p>
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-2">
        {groups.map(({ how, fingerprints }) => (
          <div key={how} className="contents">
            <dt className="font-medium">
              {WAYS[how].title} {fingerprints.length}
            </dt>
            <dd className="text-muted">{WAYS[how].text}</dd>
          </div>
        ))}
      </dl>
      {unreported.length > 0 && (
        <Notice tone="medium" title={`${countOf(unreported.length, "resource")} left out`}>
          <p>No drift is reported for them yet. Scan their account, then try again.</p>
          <ul className="list-inside list-disc">
            <Some items={unreported}>{({ id, name }) => <li key={id}>{name}</li>}</Some>
          </ul>
        </Notice>
      )}
      {source && groups.some(({ how }) => how === "adopt") && (
        <Select
          label="Source that adopted resources join"
          value={source.id}
          options={sources.map(({ id, name }) => [id, name] as const)}
          onChange={setChosen}
        />
      )}
    </FormDialog>
  );
}

function Results({
  answers,
  changes,
  onClose,
}: {
  answers: readonly Settled[];
  changes: readonly DriftChange[];
  onClose: () => void;
}) {
  const names = new Map(changes.map((change) => [change.fingerprint, nameOfChange(change)]));
  // A source's request is answered for each way; the last answer has it as it is now.
  const requests = new Map(
    answers.flatMap(({ change_requests: all }) => all.map((one) => [one.source_id, one] as const)),
  );
  const settlements = answers.flatMap((one) => one.settlements);
  const left = settlements.filter(({ refused }) => refused);
  return (
    <Dialog
      title={`${countOf(settlements.length - left.length, "change")} settled in code`}
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {[...requests.values()].map(({ source_id: id, url = "", status, problem }) => (
        <Notice
          key={id}
          tone={problem === undefined ? "good" : "medium"}
          title={requestTitle(requestName(url), status)}
        >
          {problem === undefined ? <OutLink to={url}>{url}</OutLink> : <p>{sentence(problem)}</p>}
        </Notice>
      ))}
      {left.length > 0 && (
        <Notice tone="medium" title={`${countOf(left.length, "change")} left out`}>
          <ul className="flex flex-col gap-2">
            <Some items={left}>
              {({ fingerprint, refused }) => (
                <li key={fingerprint}>
                  <span className="font-medium">{names.get(fingerprint)}</span>: {refused?.message}
                </li>
              )}
            </Some>
          </ul>
        </Notice>
      )}
    </Dialog>
  );
}
