import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Inbox } from "lucide-react";

import { useAct, useOrgId, useRows } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/field.tsx";
import { OutLink } from "../../ui/out-link.tsx";
import { Card } from "../../ui/page.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { Moment } from "../../ui/time.tsx";
import { say } from "../../ui/toast.tsx";
import { inWords } from "../words.ts";
import { OutcomeBadge } from "./outcome.tsx";
import { reasonText } from "./reasons.ts";
import { OUTCOMES, webhookSearch } from "./search.ts";
import type { Delivery } from "./types.ts";

const PATH = "/orgs/$orgId/webhooks/$configId";
const FRESH_MS = 5_000;

/** What a webhook brought, and what became of it. */
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
      { onSuccess: () => say("It is worked off once more") },
    );
  const columns: readonly Column<Delivery>[] = [
    ...COLUMNS,
    {
      title: "What to do",
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
            title={outcome ? "None of this outcome" : "Nothing has come yet"}
          >
            What a verified call brings is listed here for 30 days.
          </Empty>
        }
      />
    </Card>
  );
}

const COLUMNS: readonly Column<Delivery>[] = [
  {
    title: "Event",
    width: "minmax(9rem, 1fr)",
    cell: ({ kind }) => <span className="font-medium">{kind === undefined ? "Unknown" : inWords(kind)}</span>,
  },
  { title: "Outcome", width: "7rem", cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
  { title: "What came of it", width: "minmax(12rem, 2.4fr)", cell: (row) => <Result row={row} /> },
  { title: "Came", width: "10.5rem", cell: ({ received_at: at }) => <Moment at={at} /> },
];

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
          The analysis
        </Link>
      )}
      {comment !== undefined && <OutLink to={comment}>Comment</OutLink>}
    </div>
  );
}
