import { ChevronDown } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { ApiFailure } from "../api/failure.ts";
import { Button } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { Menu, MenuItem, MenuLine, MenuTitle } from "../ui/menu.tsx";
import { countText } from "../ui/number.ts";
import { isNegated, plain, valuesOf, type Several } from "./search.ts";

/** Numbers of rows by value, that the other filters leave. */
export interface Counts {
  data: { data: { key?: string; count: number }[]; is_partial?: boolean } | undefined;
  error: ApiFailure | null;
}

/** A choice besides the values. */
interface Choice {
  text: string;
  isChosen: boolean;
  onChoose: () => void;
}

interface FacetProps {
  label: string;
  given: Several | undefined;
  textOf?: (value: string) => string;
  /** Returns a component that reads the counts and shows them. It is mounted while the menu is open. */
  withCounts: (show: (counts: Counts) => ReactNode) => ReactNode;
  onFilter: (values: string[]) => void;
  choices?: readonly Choice[];
}

/** Shows a filter by one or several values as a button with a menu, which counts the rows with each value. */
export function Facet(props: FacetProps) {
  const { label, given, textOf = String, choices = [] } = props;
  const chosen = [
    ...choices.filter(({ isChosen }) => isChosen).map(({ text }) => text),
    ...valuesOf(given).map((value) => (isNegated(value) ? `not ${textOf(plain(value))}` : textOf(value))),
  ];
  const isSet = chosen.length > 0;
  return (
    <Menu
      trigger={
        <Button
          title={isSet ? chosen.join(", ") : undefined}
          className={classNames("max-w-64 min-w-0", isSet && "border-accent bg-accent-soft")}
        >
          <span className="truncate">{isSet ? `${label}: ${chosen.join(", ")}` : label}</span>
          <ChevronDown aria-hidden="true" className="text-muted size-4 shrink-0" />
        </Button>
      }
    >
      {props.withCounts((counts) => (
        <Values {...props} counts={counts} />
      ))}
    </Menu>
  );
}

interface ValuesProps extends FacetProps {
  counts: Counts;
}

function Values({
  label,
  given,
  textOf = String,
  counts: { data, error },
  onFilter,
  choices = [],
}: ValuesProps) {
  const values = valuesOf(given);
  const [isNot, setNot] = useState(values.some(isNegated));
  const counts = new Map(data?.data.map(({ key, count }) => [key, count]));
  counts.delete(undefined);
  const chosen = values.map(plain);
  const toggle = (value: string): void =>
    onFilter(
      chosen.includes(value)
        ? values.filter((one) => plain(one) !== value)
        : [...values, ...signed([value], isNot)],
    );
  const invert = (): void => {
    setNot(!isNot);
    if (values.length > 0) onFilter(signed(chosen, !isNot));
  };
  const known = [...new Set([...chosen, ...[...counts.keys()].filter((key) => key !== undefined)])];
  return (
    <>
      {choices.map(({ text, isChosen, onChoose }) => (
        <MenuItem key={text} checked={isChosen} onSelect={onChoose}>
          {text}
        </MenuItem>
      ))}
      {choices.length > 0 && <MenuLine />}
      {known.map((value) => (
        <MenuItem key={value} checked={chosen.includes(value)} onSelect={() => toggle(value)} staysOpen>
          <span className="max-w-72 truncate" title={value}>
            {textOf(value)}
          </span>
          <span className="text-muted text-xs tabular-nums">{data && countText(counts.get(value) ?? 0)}</span>
        </MenuItem>
      ))}
      {known.length === 0 && <MenuTitle>{emptyText(data !== undefined, error)}</MenuTitle>}
      {data?.is_partial === true && <MenuTitle>Only the first resources are counted</MenuTitle>}
      <MenuLine />
      <MenuItem checked={isNot} onSelect={invert} staysOpen>
        Leave out
      </MenuItem>
      {values.length > 0 && <MenuItem onSelect={() => onFilter([])}>Any {label.toLowerCase()}</MenuItem>}
    </>
  );
}

function signed(values: readonly string[], isNot: boolean): string[] {
  return values.map((value) => (isNot ? `!${value}` : value));
}

function emptyText(isRead: boolean, error: ApiFailure | null): string {
  if (error) return error.message;
  return isRead ? "Nothing to choose" : "Counting…";
}
