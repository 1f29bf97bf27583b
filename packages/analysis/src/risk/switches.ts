import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import type { ResourceChange } from "../plan/model.ts";
import { textsOf } from "./attribute-values.ts";
import { blocksAt, type Leaf } from "../plan/leaves.ts";
import type { NamedSwitches } from "./tables/table.ts";
import { signsIn } from "./signs.ts";
import { isNew, type Subject } from "./subject.ts";
import type { SignTest, TypeTest } from "./types.ts";

const OFF = /^(?:0|off|false|no|none|disabled)?$/i;

interface Switch {
  isOn: boolean;
  value: Json | undefined;
  path: Path;
}

/** Returns settings that no longer guard as before. A new resource has nothing that could be weakened. */
export function weakenedIn(
  signs: readonly SignTest[],
  switches: readonly SwitchTest[],
  { change, type, leaves }: Subject,
): Leaf[] {
  if (isNew(change)) return [];
  return [...signsIn(signs, type, leaves), ...turnedOff(switches, type, change)];
}

type SwitchTest = NamedSwitches & { isFor: TypeTest };

/** Returns settings with their own name and value that a change turns off or resets to their default. */
function turnedOff(rows: readonly SwitchTest[], type: string, { before, after }: ResourceChange): Leaf[] {
  if (!isObject(before) || !isObject(after)) return [];
  return rows
    .filter(({ isFor }) => isFor(type))
    .flatMap((row) => {
      const now = switchesIn(after, row);
      return [...switchesIn(before, row)].flatMap(([name, was]) => {
        const is = now.get(name);
        if (!was.isOn || is?.isOn === true) return [];
        const { path } = is ?? was;
        return [{ path, name, before: was.value, after: is?.value, unknown: false, hidden: false }];
      });
    });
}

function switchesIn(side: JsonObject, { blocks, names }: NamedSwitches): Map<string, Switch> {
  const known = new Set(names);
  return new Map(
    blocksAt(side, blocks).flatMap(({ block, path }): [string, Switch][] => {
      const name = textsOf(block["name"]).join("").toLowerCase();
      // An absent value is known only after apply.
      const isOn = block["value"] === undefined || !OFF.test(textsOf(block["value"]).join(""));
      return known.has(name) ? [[name, { isOn, value: block["value"], path: [...path, "value"] }]] : [];
    }),
  );
}
