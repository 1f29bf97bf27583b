import { Check } from "lucide-react";

import { classNames } from "./class-names.ts";

/** Shows the current one of several steps. */
export function Steps({ steps, current }: { steps: readonly string[]; current: number }) {
  return (
    <ol className="flex flex-wrap gap-x-6 gap-y-2">
      {steps.map((step, at) => (
        <li
          key={step}
          aria-current={at === current ? "step" : undefined}
          className={classNames("flex items-center gap-2", at === current ? "font-semibold" : "text-muted")}
        >
          <span
            className={classNames(
              "flex size-6 shrink-0 items-center justify-center rounded-full text-xs font-semibold",
              at < current && "bg-good-soft text-good",
              at === current && "bg-accent text-accent-ink",
              at > current && "bg-sunken text-muted",
            )}
          >
            {at < current ? <Check aria-label="done" className="size-3.5" /> : at + 1}
          </span>
          {step}
        </li>
      ))}
    </ol>
  );
}
