import { Check, CodeField, Select, TextField } from "../../ui/field.tsx";
import { ApiFailure, sentence } from "../../api/failure.ts";
import { inWords } from "../words.ts";
import { isTaken, refusalAt } from "../refusals.ts";
import { SUBJECTS } from "./rule.ts";
import { EFFECTS, LEVELS, type RuleForm } from "./rule-form.ts";

/** Body paths whose errors are shown at a field. */
export const RULE_PATHS = ["name", "on", "when", "then", "reason", "owner", "expires_at"];

interface RuleFieldsProps {
  form: RuleForm;
  onChange: (changed: Partial<RuleForm>) => void;
  error: unknown;
}

export function RuleFields({ form, onChange, error }: RuleFieldsProps) {
  return (
    <>
      <TextField
        label="Name"
        required
        maxLength={80}
        placeholder="Sandbox account"
        value={form.name}
        onChange={({ target }) => onChange({ name: target.value })}
        problem={isTaken(error) ? "Another rule has this name." : refusalAt(error, "name")}
      />
      <Subjects form={form} onChange={onChange} />
      <CodeField
        label="Condition"
        required
        maxLength={2000}
        rows={4}
        placeholder={'resource.account == "123456789012"'}
        hint="In CEL. It applies to changes for which it is true."
        value={form.when}
        onChange={({ target }) => onChange({ when: target.value })}
        problem={conditionProblem(error)}
      />
      <Effect form={form} onChange={onChange} error={error} />
      <TextField
        label="Reason"
        required
        pattern={String.raw`.*\S.*`}
        title="A reason, not only spaces"
        maxLength={500}
        hint="Shown wherever the rule has an effect"
        value={form.reason}
        onChange={({ target }) => onChange({ reason: target.value })}
        problem={refusalAt(error, "reason")}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Owner (optional)"
          maxLength={200}
          placeholder="team payments"
          value={form.owner}
          onChange={({ target }) => onChange({ owner: target.value })}
          problem={refusalAt(error, "owner")}
        />
        <TextField
          label="Ends on (optional)"
          type="date"
          hint="At 00:00 UTC. Channels get a notice before."
          value={form.ends}
          onChange={({ target }) => onChange({ ends: target.value })}
          problem={refusalAt(error, "expires_at")}
        />
      </div>
    </>
  );
}

/** Returns what is wrong with the condition, with the line and column. */
function conditionProblem(error: unknown): string | undefined {
  const found = error instanceof ApiFailure ? error.fields.find(({ field }) => field === "when") : undefined;
  return found && sentence(found.message);
}

function Subjects({ form: { on }, onChange }: Omit<RuleFieldsProps, "error">) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium">Applies to</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1.5">
        {SUBJECTS.map(([subject, text]) => (
          <Check
            key={subject}
            label={text}
            checked={on.includes(subject)}
            onChange={(isOn) =>
              onChange({ on: isOn ? [...on, subject] : on.filter((one) => one !== subject) })
            }
          />
        ))}
      </div>
      {on.length === 0 && (
        <p role="alert" className="text-critical text-xs">
          Choose at least one.
        </p>
      )}
    </fieldset>
  );
}

function Effect({ form, onChange, error }: RuleFieldsProps) {
  const { effect, level, label } = form;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Select
        label="Effect"
        value={effect}
        options={EFFECTS}
        onChange={(picked) => onChange({ effect: picked })}
        problem={effect === "label" ? undefined : refusalAt(error, "then")}
      />
      {effect === "raise_to" && (
        <Select
          label="To at least"
          value={level}
          options={LEVELS.map((one) => [one, inWords(one)] as const)}
          onChange={(picked) => onChange({ level: picked })}
        />
      )}
      {effect === "label" && (
        <TextField
          label="Label"
          required
          maxLength={63}
          placeholder="team:search"
          value={label}
          onChange={({ target }) => onChange({ label: target.value })}
          problem={refusalAt(error, "then")}
        />
      )}
    </div>
  );
}
