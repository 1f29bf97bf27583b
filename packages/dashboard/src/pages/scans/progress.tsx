import { Check, X } from "lucide-react";

import type { Scan } from "../../api/openapi.gen.ts";
import { Spinner } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Card } from "../../ui/page.tsx";
import { stepsOf, type Step } from "./steps.ts";

const TEXTS: Readonly<Record<Scan["phase"], readonly [title: string, text: string]>> = {
  discover: ["Reading", "Lists the account’s resources"],
  match: ["Matching", "Matches them to declared resources"],
  drift: ["Comparing", "Finds drift and rates its risk"],
};

/** Shows the steps of a scan, and the current one. */
export function Progress({ scan }: { scan: Scan }) {
  return (
    <Card title="Progress">
      <ol aria-live="polite" className="flex flex-col gap-4">
        {stepsOf(scan).map((step) => (
          <li key={step.phase} className="flex items-center gap-3">
            <Mark step={step} />
            <div>
              <div className={classNames("font-medium", step.state === "ahead" && "text-muted")}>
                {TEXTS[step.phase][0]}
                <span className="sr-only">: {step.state}</span>
              </div>
              <div className="text-muted text-xs">{TEXTS[step.phase][1]}</div>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Mark({ step: { state } }: { step: Step }) {
  const frame = "flex size-7 shrink-0 items-center justify-center rounded-full";
  switch (state) {
    case "done":
      return (
        <span className={classNames(frame, "bg-good-soft text-good")}>
          <Check aria-hidden="true" className="size-4" />
        </span>
      );
    case "now":
      return (
        <span className={classNames(frame, "bg-accent-soft text-accent")}>
          <Spinner />
        </span>
      );
    case "stopped":
      return (
        <span className={classNames(frame, "bg-critical-soft text-critical")}>
          <X aria-hidden="true" className="size-4" />
        </span>
      );
    case "ahead":
      return <span className={classNames(frame, "border-line border-2")} />;
  }
}
