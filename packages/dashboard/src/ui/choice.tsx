import { createLink } from "@tanstack/react-router";
import type { ComponentProps, ReactNode } from "react";

import { Card } from "./page.tsx";

interface ChoiceProps extends ComponentProps<"a"> {
  icon: ReactNode;
  title: string;
}

/** One of a few ways to continue: a card that is a link as a whole. */
export const Choice = createLink(({ icon, title, children, ...link }: ChoiceProps) => (
  <Card>
    <div className="relative flex gap-4">
      <span aria-hidden="true" className="bg-accent-soft text-accent h-fit rounded-xl p-3">
        {icon}
      </span>
      <div className="flex flex-col gap-1">
        <h2 className="text-base font-semibold">
          <a {...link} className="after:absolute after:-inset-4 hover:underline">
            {title}
          </a>
        </h2>
        <p className="text-muted">{children}</p>
      </div>
    </div>
  </Card>
));
