import type { ReactNode } from "react";

/** Shows one step of an ordered list, as an item of an `ol`. */
export function NumberedStep({
  number,
  title,
  children,
}: {
  number: number;
  title: string;
  children: ReactNode;
}) {
  return (
    <li className="flex gap-3">
      <span
        aria-hidden="true"
        className="bg-sunken text-muted flex size-6 shrink-0 items-center justify-center rounded-full text-xs font-semibold"
      >
        {number}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-2 pt-0.5">
        <h3 className="font-medium">{title}</h3>
        {children}
      </div>
    </li>
  );
}
