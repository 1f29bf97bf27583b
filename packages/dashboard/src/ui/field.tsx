import { ChevronDown } from "lucide-react";
import { useId, useState, type ComponentProps, type ReactNode } from "react";

import { classNames } from "./class-names.ts";

const CONTROL =
  "h-8 w-full rounded-lg border border-control bg-surface px-2.5 text-sm shadow-flat placeholder:text-muted disabled:opacity-50";

interface Labelled {
  label: string;
  /** Explanation below the field. */
  hint?: ReactNode;
  /** Reason why the value was rejected. */
  problem?: string | undefined;
  /** Whether only screen readers get the label. */
  bare?: boolean | undefined;
}

/** Returns the id of the text below a control, if there is one. */
function hintOf({ id, hint, problem }: Pick<Labelled, "hint" | "problem"> & { id: string }) {
  return hint === undefined && problem === undefined ? undefined : `${id}-hint`;
}

/** Returns the properties of a field's labels and of its control. */
function useField({ label, hint, problem: refused, bare }: Labelled, value: unknown) {
  const id = useId();
  const problem = useLasting(refused, value);
  const control = {
    id,
    "aria-describedby": hintOf({ id, hint, problem }),
    "aria-invalid": problem !== undefined || undefined,
  };
  return { labels: { id, label, hint, problem, bare }, control };
}

/** Browsers don't help with names and code. */
const PLAIN = { spellCheck: false, autoComplete: "off" } as const;

export function TextField({
  label,
  hint,
  problem,
  bare,
  className,
  ...rest
}: Labelled & ComponentProps<"input">) {
  const { labels, control } = useField({ label, hint, problem, bare }, rest.value);
  return (
    <Labels {...labels}>
      <input {...control} {...PLAIN} {...rest} className={classNames(CONTROL, className)} />
    </Labels>
  );
}

/** Field for several lines of code. */
export function CodeField({ label, hint, problem, bare, ...rest }: Labelled & ComponentProps<"textarea">) {
  const { labels, control } = useField({ label, hint, problem, bare }, rest.value);
  return (
    <Labels {...labels}>
      <textarea
        {...control}
        {...PLAIN}
        {...rest}
        className={classNames(CONTROL, "h-auto min-h-20 py-2 font-mono text-xs leading-5")}
      />
    </Labels>
  );
}

interface SelectProps<V extends string> extends Labelled, Omit<ComponentProps<"select">, "onChange"> {
  options: readonly (readonly [value: V, text: string])[];
  onChange: (value: V) => void;
}

export function Select<V extends string>({
  label,
  hint,
  problem,
  bare,
  options,
  onChange,
  className,
  ...rest
}: SelectProps<V>) {
  const { labels, control } = useField({ label, hint, problem, bare }, rest.value);
  return (
    <Labels {...labels}>
      <div className="relative">
        <select
          {...control}
          {...rest}
          onChange={({ target }) => {
            const picked = options.find(([value]) => value === target.value);
            if (picked) onChange(picked[0]);
          }}
          className={classNames(CONTROL, "appearance-none truncate pr-8", className)}
        >
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden="true"
          className="text-muted pointer-events-none absolute top-2 right-2.5 size-4"
        />
      </div>
    </Labels>
  );
}

interface CheckProps extends Omit<ComponentProps<"input">, "onChange"> {
  label: ReactNode;
  onChange: (checked: boolean) => void;
}

export function Check({ label, onChange, ...rest }: CheckProps) {
  return (
    <label className="flex items-center gap-2">
      <input
        type="checkbox"
        {...rest}
        onChange={({ target }) => onChange(target.checked)}
        className="accent-accent size-4 shrink-0"
      />
      {label}
    </label>
  );
}

/** Returns why a value was rejected, until the value changes. */
function useLasting(problem: string | undefined, value: unknown): string | undefined {
  const [shown, setShown] = useState({ problem, value });
  if (shown.problem !== problem) setShown({ problem, value });
  return shown.problem === problem && shown.value !== value ? undefined : problem;
}

function Labels({
  id,
  label,
  hint,
  problem,
  bare = false,
  children,
}: Labelled & { id: string; children: ReactNode }) {
  const hintId = hintOf({ id, hint, problem });
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className={bare ? "sr-only" : "font-medium"}>
        {label}
      </label>
      {children}
      {hintId !== undefined && (
        <p
          key={problem} // all screen readers announce a newly inserted element
          id={hintId}
          role={problem === undefined ? undefined : "alert"}
          className={problem === undefined ? "text-muted text-xs" : "text-critical text-xs"}
        >
          {problem ?? hint}
        </p>
      )}
    </div>
  );
}
