import { createLink } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import type { ComponentProps } from "react";

/** Links back to the parent page. */
export const BackLink = createLink(({ children, ...rest }: ComponentProps<"a">) => (
  <a {...rest} className="text-muted hover:text-ink flex w-fit items-center gap-1">
    <ChevronLeft aria-hidden="true" className="size-4" /> {children}
  </a>
));
