import type { ComponentProps, ReactNode } from "react";

import { classNames } from "./class-names.ts";
import { useFocusHandedOn } from "./focus.ts";

const KINDS = {
  primary: "bg-accent text-accent-ink hover:brightness-110 shadow-flat",
  secondary: "bg-surface text-ink border border-strong-line hover:bg-sunken shadow-flat",
  quiet: "text-muted hover:text-ink hover:bg-sunken",
  danger: "bg-critical text-surface hover:brightness-110 shadow-flat",
};
const SHAPE =
  "inline-flex items-center justify-center gap-1.5 rounded-lg font-medium whitespace-nowrap transition-colors disabled:opacity-50 aria-disabled:opacity-50";

export type ButtonKind = keyof typeof KINDS;

/** Returns the class names of a button of `kind`. */
export function buttonClass(kind: ButtonKind, more?: string): string {
  return classNames(SHAPE, "h-8 px-3", KINDS[kind], more);
}

interface ButtonProps extends Omit<ComponentProps<"button">, "ref"> {
  kind?: ButtonKind;
  /** Whether the work is running; shows a spinner, and ignores clicks. */
  busy?: boolean;
}

export function Button({
  kind = "secondary",
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const element = useFocusHandedOn<HTMLButtonElement>();
  return (
    <button
      ref={element}
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      // A disabled button would lose the focus, and keyboard users their position.
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={buttonClass(kind, className)}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

interface IconButtonProps extends ComponentProps<"button"> {
  /** Label for screen readers, and tooltip for others. */
  label: string;
  children: ReactNode;
}

export function IconButton({ label, className, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={classNames(SHAPE, "size-8 shrink-0", KINDS.quiet, className)}
    >
      {children}
    </button>
  );
}

export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="size-3.5 shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent"
    />
  );
}
