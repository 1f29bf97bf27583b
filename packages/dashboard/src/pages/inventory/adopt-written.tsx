import { ArrowLeft } from "lucide-react";
import { useEffect, useRef } from "react";

import type { LiveResource } from "../../api/openapi.gen.ts";
import { Button } from "../../ui/button.tsx";
import { countOf, countText } from "../../ui/number.ts";
import { nameOf } from "./name.ts";
import { AdoptedCode } from "../adopt/adopted-code.tsx";
import { AdoptedList, type Adoption } from "../adopt/adopted-list.tsx";

interface WrittenProps {
  adoption: Adoption;
  resources: ReadonlyMap<string, LiveResource>;
  onBack: () => void;
}

/** Shows the code of the chosen resources, and what became of each. */
export function Written({ adoption, resources, onBack }: WrittenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    scrollTo({ top: 0 });
  }, []);
  const { files, counts } = adoption;
  const name = (id: string): string => {
    const row = resources.get(id);
    return row ? nameOf(row) : id;
  };
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 ref={heading} tabIndex={-1} className="font-semibold outline-none">
          Code of {countOf(counts.complete + counts.partial, "resource")}
          <span className="text-muted font-normal">
            {counts.partial > 0 && `, ${countText(counts.partial)} partial`}
            {counts.refused > 0 && `, ${countText(counts.refused)} refused`}
          </span>
        </h2>
        <Button onClick={onBack}>
          <ArrowLeft aria-hidden="true" className="size-4" /> Back to the selection
        </Button>
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-3">
          <p className="text-muted">
            Copy the files next to your code and run <code className="font-mono text-xs">terraform plan</code>
            . It must show imports and no other change.
          </p>
          <AdoptedCode files={files} />
        </div>
        <AdoptedList adoption={adoption} nameOf={name} />
      </div>
    </>
  );
}
