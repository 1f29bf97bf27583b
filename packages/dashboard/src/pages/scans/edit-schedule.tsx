import { useState } from "react";

import type { ApiFailure } from "../../api/failure.ts";
import { useAct } from "../../api/act.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Check, Select, TextField } from "../../ui/field.tsx";
import { say } from "../../ui/toast.tsx";
import { AccountToScan, useAccountToScan } from "./account-to-scan.tsx";
import { cronInWords } from "./cron.ts";
import type { Schedule } from "./schedule.ts";

const REFRESHED = ["GET /orgs/{id}/scan-schedules"] as const;
const TIMEZONES = ["UTC", ...Intl.supportedValuesOf("timeZone")];
const NIGHT = { start: "22:00", end: "06:00" };

/** Usual schedules. None is at the full hour, when most others run. */
const PRESETS = [
  ["25 * * * *", "Every hour"],
  ["25 */6 * * *", "Every 6 hours"],
  ["15 6 * * *", "Every day"],
  ["15 6 * * 1-5", "Every weekday"],
  ["15 6 * * 1", "Every Monday"],
] as const;

interface When {
  cron: string;
  timezone: string;
  /** Time window; without a time zone it uses the schedule's. */
  window: { start: string; end: string; timezone?: string } | undefined;
}

/** Creates a schedule, or changes when it runs. */
export function EditSchedule({ schedule, onClose }: { schedule?: Schedule; onClose: () => void }) {
  const { accountId, pick } = useAccountToScan();
  const [when, setWhen] = useState<When>(() => whenOf(schedule));
  const { save, isBusy, error } = useSave(schedule, onClose);
  return (
    <FormDialog
      title={schedule ? "Edit schedule" : "New schedule"}
      confirmLabel={schedule ? "Save" : "Create schedule"}
      busy={isBusy}
      error={error}
      disabled={!schedule && accountId === ""}
      onSubmit={() => save(accountId, when)}
      onClose={onClose}
    >
      {!schedule && <AccountToScan accountId={accountId} onPick={pick} />}
      <WhenFields when={when} onChange={setWhen} />
    </FormDialog>
  );
}

function WhenFields({ when, onChange }: { when: When; onChange: (when: When) => void }) {
  const { cron, timezone, window } = when;
  const words = cronInWords(cron);
  const [timezones] = useState(() => timezonesWith(timezone));
  return (
    <>
      <Select
        label="Repeat"
        value={PRESETS.some(([preset]) => preset === cron) ? cron : ""}
        options={[...PRESETS, ["", "Other"]]}
        onChange={(preset) => preset !== "" && onChange({ ...when, cron: preset })}
      />
      <TextField
        label="Schedule (cron expression)"
        required
        className="font-mono"
        value={cron}
        onChange={({ target }) => onChange({ ...when, cron: target.value })}
        hint={words === cron ? "Minute, hour, day of month, month, day of week" : words}
      />
      <Select
        label="Time zone"
        value={timezone}
        options={timezones}
        onChange={(timezone) => onChange({ ...when, timezone })}
      />
      <Check
        label="Only during certain hours"
        checked={window !== undefined}
        onChange={(checked) => onChange({ ...when, window: checked ? NIGHT : undefined })}
      />
      {window && (
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label="From"
            type="time"
            required
            hint={window.timezone && `In the time zone ${window.timezone}`}
            value={window.start}
            onChange={({ target }) => onChange({ ...when, window: { ...window, start: target.value } })}
          />
          <TextField
            label="To"
            type="time"
            required
            value={window.end}
            onChange={({ target }) => onChange({ ...when, window: { ...window, end: target.value } })}
          />
        </div>
      )}
    </>
  );
}

/** Returns time zone options, including one that the browser may not list. */
function timezonesWith(timezone: string) {
  return [...new Set([...TIMEZONES, timezone])].map((name) => [name, name] as const);
}

function whenOf(schedule: Schedule | undefined): When {
  if (!schedule) {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    return { cron: "15 6 * * 1-5", timezone: timeZone, window: undefined };
  }
  const { cron, timezone, window } = schedule;
  if (window?.timezone !== timezone) return { cron, timezone, window };
  return { cron, timezone, window: { start: window.start, end: window.end } };
}

interface Save {
  save: (accountId: string, when: When) => void;
  isBusy: boolean;
  error: ApiFailure | null;
}

function useSave(schedule: Schedule | undefined, onClose: () => void): Save {
  const make = useAct("POST /orgs/{id}/scan-schedules", REFRESHED);
  const change = useAct("PATCH /orgs/{id}/scan-schedules/{schedule_id}", REFRESHED);
  return {
    save(accountId, { cron, timezone, window: hours }) {
      const onSuccess = (): void => {
        say(`${schedule ? "Saved" : "Created"} the schedule ${cron}`);
        onClose();
      };
      const window = hours && { timezone, ...hours };
      if (schedule) {
        const body = { cron, timezone, window: window ?? null };
        change.mutate({ params: { schedule_id: schedule.id }, body }, { onSuccess });
      } else {
        make.mutate(
          { body: { account_id: accountId, cron, timezone, ...(window && { window }) } },
          { onSuccess },
        );
      }
    },
    isBusy: make.isPending || change.isPending,
    error: make.error ?? change.error,
  };
}
