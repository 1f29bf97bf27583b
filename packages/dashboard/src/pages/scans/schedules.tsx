import { CalendarClock, Plus } from "lucide-react";
import { useState } from "react";

import { useAct } from "../../api/act.ts";
import { useRows } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/form-dialog.tsx";
import { countOf } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { say } from "../../ui/toast.tsx";
import { useAccounts } from "../accounts.ts";
import { FirstAccount } from "../first-account.tsx";
import { cronInWords } from "./cron.ts";
import { EditSchedule } from "./edit-schedule.tsx";
import { ScansFrame } from "./frame.tsx";
import type { Schedule } from "./schedule.ts";

type Open = { what: "make" } | { what: "change" | "delete"; schedule: Schedule };
const FRESH_MS = 15_000;
const REFRESHED = ["GET /orgs/{id}/scan-schedules"] as const;

const COLUMNS: readonly Column<Schedule>[] = [
  { title: "Account", width: "minmax(10rem, 1.5fr)", cell: (schedule) => <Account schedule={schedule} /> },
  { title: "When", width: "minmax(10rem, 1.6fr)", cell: (schedule) => <When schedule={schedule} /> },
  { title: "Next run", width: "7rem", cell: ({ next_run_at: at }) => (at ? <Time at={at} /> : "None") },
  { title: "Status", width: "minmax(10rem, 1.6fr)", cell: (schedule) => <State schedule={schedule} /> },
];

/** Lists the schedules of automatic scans. */
export function SchedulesPage() {
  const schedules = useRows("GET /orgs/{id}/scan-schedules", { everyMs: () => FRESH_MS });
  const may = useMay("admin");
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const actions: Column<Schedule> = {
    title: "Actions",
    width: "15.5rem",
    end: true,
    cell: (schedule) => <Actions schedule={schedule} onOpen={(what) => setOpen({ what, schedule })} />,
  };
  return (
    <ScansFrame
      actions={
        may && (
          <Button kind="primary" onClick={() => setOpen({ what: "make" })}>
            <Plus aria-hidden="true" className="size-4" /> New schedule
          </Button>
        )
      }
    >
      <Card padded={false}>
        <Table
          label="Schedules"
          columns={may ? [...COLUMNS, actions] : COLUMNS}
          rows={schedules}
          keyOf={({ id }) => id}
          empty={
            <Empty icon={<CalendarClock className="size-5" />} title="No schedules">
              <NoSchedules />
            </Empty>
          }
        />
      </Card>
      {open?.what === "make" && <EditSchedule onClose={close} />}
      {open?.what === "change" && <EditSchedule schedule={open.schedule} onClose={close} />}
      {open?.what === "delete" && <Delete schedule={open.schedule} onClose={close} />}
    </ScansFrame>
  );
}

function NoSchedules() {
  const { isNone } = useAccounts();
  if (!isNone) return "A schedule scans an account with credentials automatically.";
  return (
    <>
      <FirstAccount /> to scan it on a schedule.
    </>
  );
}

interface ActionsProps {
  schedule: Schedule;
  onOpen: (what: "change" | "delete") => void;
}

function Actions({ schedule: { id, account_id: accountId, cron, enabled }, onOpen }: ActionsProps) {
  const { nameOf } = useAccounts();
  const change = useAct("PATCH /orgs/{id}/scan-schedules/{schedule_id}", REFRESHED);
  const what = `the schedule of ${nameOf(accountId)}: ${cronInWords(cron)}`;
  const toggle = enabled ? "Pause" : "Resume";
  return (
    <span className="flex flex-wrap justify-end gap-2">
      {change.error && <Failure error={change.error} />}
      <Button
        aria-label={`${toggle} ${what}`}
        busy={change.isPending}
        onClick={() => change.mutate({ params: { schedule_id: id }, body: { enabled: !enabled } })}
      >
        {toggle}
      </Button>
      <Button aria-label={`Edit ${what}`} onClick={() => onOpen("change")}>
        Edit
      </Button>
      <Button aria-label={`Delete ${what}`} onClick={() => onOpen("delete")}>
        Delete
      </Button>
    </span>
  );
}

function Account({ schedule }: { schedule: Schedule }) {
  const { nameOf } = useAccounts();
  return <span className="block truncate font-medium">{nameOf(schedule.account_id)}</span>;
}

function When({ schedule: { cron, timezone, window } }: { schedule: Schedule }) {
  return (
    <div className="min-w-0">
      <div title={cron}>{cronInWords(cron)}</div>
      <div className="text-muted text-xs">
        {timezone}
        {window && `, only from ${window.start} to ${window.end} ${window.timezone}`}
      </div>
    </div>
  );
}

function State({ schedule }: { schedule: Schedule }) {
  const { enabled, disabled_reason: reason, consecutive_failures: failures, last_skip: skip } = schedule;
  if (!enabled) {
    return (
      <div className="min-w-0">
        <Badge tone={reason === undefined ? "neutral" : "critical"}>Paused</Badge>
        {reason !== undefined && <p className="text-muted mt-1 text-xs wrap-anywhere">{reason}</p>}
      </div>
    );
  }
  return (
    <div className="min-w-0">
      <Badge tone={failures > 0 ? "medium" : "good"}>
        {failures > 0 ? `${countOf(failures, "failure")} in a row` : "On"}
      </Badge>
      {skip && (
        <p className="text-muted mt-1 text-xs wrap-anywhere">
          Skipped <Time at={skip.at} />: {skip.reason}
        </p>
      )}
    </div>
  );
}

function Delete({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const remove = useAct("DELETE /orgs/{id}/scan-schedules/{schedule_id}", REFRESHED);
  return (
    <Confirm
      title="Delete the schedule?"
      confirmLabel="Delete"
      onClose={onClose}
      act={async () => {
        await remove.mutateAsync({ params: { schedule_id: schedule.id } });
        say(`Deleted the schedule ${schedule.cron}`);
      }}
    >
      The account is then scanned only on request. Past scans are kept.
    </Confirm>
  );
}
