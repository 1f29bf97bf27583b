import { CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

import { classNames } from "./class-names.ts";

const TONES = {
  good: { className: "border-good/30 bg-good-soft", title: "text-good", Icon: CircleCheck },
  medium: { className: "border-medium/30 bg-medium-soft", title: "text-medium", Icon: TriangleAlert },
  critical: { className: "border-critical/30 bg-critical-soft", title: "text-critical", Icon: TriangleAlert },
  neutral: { className: "border-line bg-sunken", title: "text-ink", Icon: Info },
};

interface NoticeProps {
  tone: keyof typeof TONES;
  title: string;
  children?: ReactNode;
}

/** Shows something that people should know before they continue. */
export function Notice({ tone, title, children }: NoticeProps) {
  const { className, title: titleClass, Icon } = TONES[tone];
  return (
    <div role="status" className={classNames("flex gap-3 rounded-lg border p-3", className)}>
      <Icon aria-hidden="true" className={classNames("mt-0.5 size-4 shrink-0", titleClass)} />
      <div className="flex min-w-0 flex-col gap-1 wrap-anywhere">
        <p className={classNames("font-semibold", titleClass)}>{title}</p>
        {children}
      </div>
    </div>
  );
}
