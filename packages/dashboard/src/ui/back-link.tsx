import { createLink } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import type { ComponentProps } from "react";

/** Leads back to what a page is a part of. */
export const BackLink = createLink(({ children, ...rest }: ComponentProps<"a">) => (
  <a {...rest} className="text-muted hover:text-ink flex w-fit items-center gap-1">
    <ChevronLeft aria-hidden="true" className="size-4" /> {children}
  </a>
));
