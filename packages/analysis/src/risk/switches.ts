import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, type JsonObject } from "@leeway/shared/json";

import type { ResourceChange } from "../plan/model.ts";
import { blocksAt } from "./leaves.ts";
import type { NamedSwitches } from "./tables/table.ts";
import { textsOf } from "./turns.ts";
import type { TypeTest } from "./types.ts";

const OFF = /^(?:0|off|false|no|none|disabled)?$/i;

interface Switch {
  isOn: boolean;
  path: Path;
}

/** Where a change turns off what has its name and its value beside each other, or leaves it to its default. */
export function turnedOff(
  rows: readonly (NamedSwitches & { isFor: TypeTest })[],
  type: string,
  { before, after }: ResourceChange,
): { path: Path }[] {
  if (!isObject(before) || !isObject(after)) return [];
  return rows
    .filter(({ isFor }) => isFor(type))
    .flatMap((row) => {
      const now = switchesIn(after, row);
      return [...switchesIn(before, row)].flatMap(([name, was]) => {
        const is = now.get(name);
        return was.isOn && is?.isOn !== true ? [{ path: (is ?? was).path }] : [];
      });
    });
}

function switchesIn(side: JsonObject, { blocks, names }: NamedSwitches): Map<string, Switch> {
  const known = new Set(names);
  return new Map(
    blocksAt(side, blocks).flatMap(({ block, path }): [string, Switch][] => {
      const name = textsOf(block["name"]).join("").toLowerCase();
      // What isn't there is known after the change alone.
      const isOn = block["value"] === undefined || !OFF.test(textsOf(block["value"]).join(""));
      return known.has(name) ? [[name, { isOn, path: [...path, "value"] }]] : [];
    }),
  );
}
