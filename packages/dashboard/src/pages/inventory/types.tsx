import { Shapes } from "lucide-react";

import { useRows } from "../../api/hooks.ts";
import type { ResourceType } from "../../api/openapi.gen.ts";
import { Meter } from "../../ui/meter.tsx";
import { countText, percentText } from "../../ui/number.ts";
import { Card } from "../../ui/page.tsx";
import { providerName } from "../../ui/provider.tsx";
import { Empty } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { InventoryFrame } from "./frame.tsx";

const COLUMNS: readonly Column<ResourceType>[] = [
  { title: "Type", width: "minmax(14rem, 2fr)", cell: (row) => <Name row={row} /> },
  { title: "Declared", width: "6rem", end: true, cell: (row) => countText(row.declared_count) },
  { title: "Live", width: "6rem", end: true, cell: (row) => countText(row.live_count) },
  { title: "Undeclared", width: "6rem", end: true, cell: (row) => countText(row.undeclared_count) },
  { title: "Attributes compared", width: "minmax(11rem, 1fr)", cell: (row) => <Share row={row} /> },
];

/** Lists the organization's types, and how much of each is compared. */
export function TypesPage() {
  const types = useRows("GET /orgs/{id}/types", { query: {} });
  return (
    <InventoryFrame lead="How many attributes Leeway compares, by type. Changes to other attributes aren’t reported.">
      <Card padded={false}>
        <Table
          label="Types"
          columns={COLUMNS}
          rows={types}
          keyOf={({ type }) => type}
          empty={
            <Empty icon={<Shapes className="size-5" />} title="No types yet">
              Push a state or scan an account to see the types of its resources.
            </Empty>
          }
        />
      </Card>
    </InventoryFrame>
  );
}

function Name({ row: { type, provider } }: { row: ResourceType }) {
  return (
    <div className="min-w-0">
      <div className="truncate font-mono text-xs" title={type}>
        {type}
      </div>
      <div className="text-muted truncate text-xs">{providerName(provider)}</div>
    </div>
  );
}

/** Whether a CloudFormation stack declares the type. Stacks list types and ids only. */
function isOfStack({ type, declared_count: declared }: ResourceType): boolean {
  return declared > 0 && type.startsWith("AWS::");
}

function Share({ row }: { row: ResourceType }) {
  const { type, settable_count: settable, compared_count: compared, compared_pct: percent } = row;
  if (settable === undefined || compared === undefined || percent === undefined)
    return (
      <span className="text-muted">{isOfStack(row) ? "None: stacks list no attributes" : "Unknown"}</span>
    );
  return (
    <div className="flex w-full min-w-0 flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-2 tabular-nums">
        <span>
          {countText(compared)} of {countText(settable)}
        </span>
        <span className="text-muted text-xs">{percentText(percent)}</span>
      </div>
      <Meter percent={percent} label={`${type}: share of attributes that are compared`} />
    </div>
  );
}
