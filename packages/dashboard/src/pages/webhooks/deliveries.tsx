import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Inbox } from "lucide-react";

import { OUTCOMES } from "../../api/closed-sets.gen.ts";
import { RETENTION_DAYS } from "../../api/later-sets.gen.ts";
import { useAct } from "../../api/act.ts";
import { useOrgId, useRows } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { OutLink } from "../../ui/out-link.tsx";
import { Card } from "../../ui/page.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { Moment } from "../../ui/time.tsx";
import { say } from "../../ui/toast.tsx";
import { projectOf, titleOf } from "../job-title.ts";
import { inWords } from "../words.ts";
import { OutcomeBadge } from "./outcome.tsx";
import { reasonText } from "./reasons.ts";
import { webhookSearch } from "./search.ts";
import type { Delivery } from "./types.ts";

const PATH = "/orgs/$orgId/webhooks/$configId";
const FRESH_MS = 5_000;

/** Lists a webhook's deliveries and their outcomes. */
export function Deliveries({ configId }: { configId: string }) {
  const { outcome } = useSearch({ from: PATH, select: webhookSearch });
  const navigate = useNavigate({ from: PATH });
  const deliveries = useRows("GET /orgs/{id}/webhooks/{config_id}/deliveries", {
    params: { config_id: configId },
    everyMs: () => FRESH_MS,
    ...(outcome && { query: { outcome } }),
  });
  const replay = useAct("POST /orgs/{id}/webhooks/{config_id}/deliveries/{delivery_id}/replay", [
    "GET /orgs/{id}/webhooks/{config_id}/deliveries",
  ]);
  const again = ({ id }: Delivery): void =>
    replay.mutate(
      { params: { config_id: configId, delivery_id: id } },
      { onSuccess: () => say("Replaying the delivery") },
    );
  const subjectOf = useSubjects(deliveries.rows);
  const columns: readonly Column<Delivery>[] = [
    {
      title: "Event",
      width: "minmax(10rem, 1.3fr)",
      cell: (row) => <Event row={row} subject={subjectOf(row)} />,
    },
    ...COLUMNS,
    {
      title: "Actions",
      width: "6rem",
      end: true,
      cell: (row) => (
        <Button
          onClick={() => again(row)}
          busy={
            row.outcome === "pending" || (replay.isPending && replay.variables.params.delivery_id === row.id)
          }
          aria-label={`Replay the event of ${row.received_at}`}
        >
          Replay
        </Button>
      ),
    },
  ];
  return (
    <Card
      title="Deliveries"
      padded={false}
      actions={
        <div className="w-40">
          <Select
            bare
            label="Outcome"
            value={outcome ?? ""}
            options={[["", "Any outcome"], ...OUTCOMES.map((word) => [word, inWords(word)] as const)]}
            onChange={(value) => void navigate({ search: webhookSearch({ outcome: value }), replace: true })}
          />
        </div>
      }
    >
      {replay.error && (
        <div className="p-4 pb-0">
          <Failure error={replay.error} />
        </div>
      )}
      <Table
        label="Deliveries"
        columns={columns}
        rows={deliveries}
        keyOf={({ id }) => id}
        empty={
          <Empty
            icon={<Inbox className="size-5" />}
            title={outcome ? "No deliveries with this outcome" : "No deliveries yet"}
          >
            Verified events are listed here for {RETENTION_DAYS.deliveries} days.
          </Empty>
        }
      />
    </Card>
  );
}

const COLUMNS: readonly Column<Delivery>[] = [
  { title: "Outcome", width: "7rem", cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
  { title: "Result", width: "minmax(12rem, 2.4fr)", cell: (row) => <Result row={row} /> },
  { title: "Received", width: "10.5rem", cell: ({ received_at: at }) => <Moment at={at} /> },
];

/** Returns what each delivery is about, such as `acme/infra #12`, as far as recent jobs show. */
function useSubjects(rows: readonly Delivery[]): (row: Delivery) => string | undefined {
  const jobs = useRows("GET /orgs/{id}/llm-jobs", {
    query: { kind: "analyze", limit: 500 },
    when: rows.some(({ job_id: id }) => id !== undefined),
  });
  const titles = new Map(
    jobs.rows.map((job) => [job.id, [titleOf(job), projectOf(job)].filter(Boolean).join(", ")]),
  );
  return ({ job_id: id }) => (id === undefined ? undefined : titles.get(id));
}

function Event({ row: { kind }, subject }: { row: Delivery; subject: string | undefined }) {
  return (
    <div className="min-w-0">
      <div className="font-medium">{kind === undefined ? "Unknown" : inWords(kind)}</div>
      {subject !== undefined && <div className="text-muted text-xs wrap-anywhere">{subject}</div>}
    </div>
  );
}

function Result({ row: { reason, comment_url: comment, job_id: jobId } }: { row: Delivery }) {
  const orgId = useOrgId();
  return (
    <div className="text-muted flex min-w-0 flex-col narrow:items-end">
      {reason !== undefined && <span className="wrap-anywhere">{reasonText(reason)}</span>}
      {jobId !== undefined && (
        <Link
          to="/orgs/$orgId/plans/$jobId"
          params={{ orgId, jobId }}
          className="text-accent w-fit underline-offset-4 hover:underline"
        >
          View analysis
        </Link>
      )}
      {comment !== undefined && <OutLink to={comment}>Comment</OutLink>}
    </div>
  );
}
