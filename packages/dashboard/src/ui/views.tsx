import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";

interface ViewsProps {
  /** Name of the views, for screen readers. */
  label: string;
  views: readonly (readonly [title: string, content: ReactNode])[];
}

/** Shows one of several views of the same thing, the first by default. */
export function Views({ label, views }: ViewsProps) {
  return (
    <Radix.Root defaultValue="0" className="flex min-w-0 flex-col gap-3">
      <Radix.List aria-label={label} className="border-line flex flex-wrap gap-x-5 gap-y-2 border-b">
        {views.map(([title], at) => (
          <Radix.Trigger
            key={title}
            value={String(at)}
            className="text-muted hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink border-b-2 border-transparent pb-2 font-medium whitespace-nowrap"
          >
            {title}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {views.map(([title, content], at) => (
        <Radix.Content key={title} value={String(at)} className="flex min-w-0 flex-col gap-3">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
