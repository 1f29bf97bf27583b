import { createLink } from "@tanstack/react-router";
import type { ComponentProps } from "react";

import { buttonClass, type ButtonKind } from "./button.tsx";

/** Link to another page that looks like a button. */
export const LinkButton = createLink(
  ({ kind = "secondary", className, children, ...rest }: ComponentProps<"a"> & { kind?: ButtonKind }) => (
    <a {...rest} className={buttonClass(kind, className)}>
      {children}
    </a>
  ),
);
