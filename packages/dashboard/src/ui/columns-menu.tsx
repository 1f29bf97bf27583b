import { Columns3 } from "lucide-react";
import { useState } from "react";

import { storageOf } from "../api/storage.ts";
import { Button } from "./button.tsx";
import { Menu, MenuItem } from "./menu.tsx";

/** Visibility of columns by title; absent ones are visible. */
export type Visibility = Record<string, boolean>;
type Change = Visibility | ((before: Visibility) => Visibility);

/** Returns the columns that the person has hidden in a table, which the browser remembers. */
export function useHiddenColumns(label: string): [Visibility, (change: Change) => void] {
  const key = `leeway.columns.${label}`;
  const [hidden, setHidden] = useState(() => stored(key));
  const change = (to: Change): void => {
    const next = typeof to === "function" ? to(hidden) : to;
    setHidden(next);
    const names = Object.keys(next).filter((name) => next[name] === false);
    storageOf("localStorage")?.setItem(key, JSON.stringify(names));
  };
  return [hidden, change];
}

function stored(key: string): Visibility {
  try {
    const names: unknown = JSON.parse(storageOf("localStorage")?.getItem(key) ?? "[]");
    return Object.fromEntries(Array.isArray(names) ? names.map((name) => [String(name), false]) : []);
  } catch {
    return {};
  }
}

interface ColumnsMenuProps {
  columns: readonly { title: string; fixed?: boolean }[];
  hidden: Visibility;
  onChange: (change: Change) => void;
}

/** Lets the person choose columns. */
export function ColumnsMenu({ columns, hidden, onChange }: ColumnsMenuProps) {
  return (
    <Menu
      align="end"
      trigger={
        <Button className="narrow:hidden">
          <Columns3 aria-hidden="true" className="size-4" /> Columns
        </Button>
      }
    >
      {columns
        .filter(({ fixed = false }) => !fixed)
        .map(({ title }) => {
          const isShown = hidden[title] !== false;
          return (
            <MenuItem
              key={title}
              checked={isShown}
              onSelect={() => onChange({ ...hidden, [title]: !isShown })}
              staysOpen
            >
              {title}
            </MenuItem>
          );
        })}
    </Menu>
  );
}
