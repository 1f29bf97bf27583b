import { Check, EyeOff, GitPullRequest, RotateCcw } from "lucide-react";
import { useState } from "react";

import type { Body } from "../../api/client.ts";
import { useAct } from "../../api/act.ts";
import { useMay } from "../../session/organizations.ts";
import { Button } from "../../ui/button.tsx";
import { countOf } from "../../ui/number.ts";
import { say } from "../../ui/toast.tsx";
import { nameOfChange, type DriftChange } from "./change.tsx";
import { CHANGED, DecisionForm, WORDS, type Decided, type Decision } from "./decide.tsx";
import type { changesFilter } from "./search.ts";
import { MAX_SETTLED, SettleMany } from "./settle-many.tsx";

type Filter = ReturnType<typeof changesFilter>;
type Chosen = Pick<Body<"POST /orgs/{id}/drift-changes/decisions">, "fingerprints" | "filter">;

interface BulkProps {
  selected: DriftChange[];
  /** Filter of the list. */
  filter: Filter;
  /** Whether the list has more changes than those loaded. */
  hasMore: boolean;
  onClear: () => void;
}

const BUTTONS = [
  ["acknowledged", "Acknowledge", Check],
  ["ignored", "Ignore", EyeOff],
  ["open", "Reopen", RotateCcw],
] as const;

/** Lets the person decide about the selected changes at once, or about all that the filters match. */
export function Bulk({ selected, filter, hasMore, onClear }: BulkProps) {
  const isAdmin = useMay("admin");
  const [isAll, setAll] = useState(false);
  const [decision, setDecision] = useState<Decision>();
  const all = decidable(filter);
  const chosen: Chosen =
    isAll && all ? { filter: all } : { fingerprints: selected.map(({ fingerprint }) => fingerprint) };
  const text = isAll ? "All that match the filters" : `${countOf(selected.length, "change")} selected`;
  return (
    <>
      <span className="mr-2 font-medium" aria-live="polite">
        {text}
      </span>
      {BUTTONS.filter(([word]) => isAdmin || word === "acknowledged").map(([word, label, Icon]) => (
        <Button key={word} onClick={() => setDecision(word)}>
          <Icon aria-hidden="true" className="size-4" /> {label}
        </Button>
      ))}
      {!isAll && <SettleSelected changes={selected} onDone={onClear} />}
      {hasMore && all && !isAll && (
        <Button kind="quiet" onClick={() => setAll(true)}>
          Select all that match the filters
        </Button>
      )}
      <Button kind="quiet" onClick={onClear}>
        Clear selection
      </Button>
      {decision && (
        <DecideMany
          decision={decision}
          chosen={chosen}
          object={isAll ? "all that match the filters" : objectOf(selected)}
          onDone={onClear}
          onClose={() => setDecision(undefined)}
        />
      )}
    </>
  );
}

function SettleSelected({ changes, onDone }: { changes: readonly DriftChange[]; onDone: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const isTooMany = changes.length > MAX_SETTLED;
  return (
    <>
      <Button
        disabled={isTooMany}
        {...(isTooMany && { title: `At most ${MAX_SETTLED} changes at once` })}
        onClick={() => setOpen(true)}
      >
        <GitPullRequest aria-hidden="true" className="size-4" /> Settle in code
      </Button>
      {isOpen && <SettleMany changes={changes} onDone={onDone} onClose={() => setOpen(false)} />}
    </>
  );
}

function objectOf(selected: readonly DriftChange[]): string {
  const [first] = selected;
  return selected.length === 1 && first ? nameOfChange(first) : countOf(selected.length, "change");
}

/** Returns the filter of a decision; undefined if the list compares with an earlier time. */
function decidable({ since, movement, ...filter }: Filter): Chosen["filter"] | undefined {
  return since === undefined && movement === undefined ? filter : undefined;
}

interface DecideManyProps {
  decision: Decision;
  chosen: Chosen;
  object: string;
  onDone: () => void;
  onClose: () => void;
}

function DecideMany({ decision, chosen, object, onDone, onClose }: DecideManyProps) {
  const decide = useAct("POST /orgs/{id}/drift-changes/decisions", CHANGED);
  const undo = useAct("POST /orgs/{id}/drift-changes/decisions/{decision_id}/undo", CHANGED);
  const isAdmin = useMay("admin");
  // The message outlives this dialog, and only promises do, too.
  const takeBack = (decisionId: string): void =>
    void undo.mutateAsync({ params: { decision_id: decisionId } }).then(
      ({ restored_count: count = 0 }) => say(`Undone for ${countOf(count, "change")}`),
      (error: Error) => say(`Couldn’t undo: ${error.message}`),
    );
  const submit = (decided: Decided): void =>
    decide.mutate(
      { body: { ...chosen, ...decided } },
      {
        onSuccess: ({ id, decided_count: count }) => {
          const what = count === 1 && chosen.fingerprints ? object : countOf(count, "change");
          say(
            `${WORDS[decision].done} ${what}`,
            isAdmin ? { text: "Undo", onClick: () => takeBack(id) } : undefined,
          );
          onClose();
          onDone();
        },
      },
    );
  return (
    <DecisionForm
      decision={decision}
      object={object}
      busy={decide.isPending}
      error={decide.error}
      onSubmit={submit}
      onClose={onClose}
    >
      {undefined}
    </DecisionForm>
  );
}
