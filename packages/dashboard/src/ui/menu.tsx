import { DropdownMenu } from "radix-ui";
import { Check } from "lucide-react";
import type { ReactNode } from "react";

interface MenuProps {
  /** Button that opens it. */
  trigger: ReactNode;
  children: ReactNode;
  align?: "start" | "end";
  side?: "top" | "bottom";
}

/**
 * Shows a button's menu. It isn't modal, because a modal one needs inline styles, which the content security policy
 * forbids.
 */
export function Menu({ trigger, children, align = "start", side = "bottom" }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Content
        align={align}
        side={side}
        sideOffset={6}
        collisionPadding={8}
        className="bg-surface border-line shadow-lift z-40 max-h-(--radix-dropdown-menu-content-available-height) max-w-[calc(100vw-1rem)] min-w-(--radix-dropdown-menu-trigger-width) overflow-y-auto rounded-xl border p-1.5"
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}

interface ItemProps {
  onSelect: () => void;
  /** Whether it is the current choice; absent for an action. */
  checked?: boolean;
  /** Whether the menu stays open, for a choice of several. */
  staysOpen?: boolean;
  children: ReactNode;
}

export function MenuItem({ onSelect, checked, staysOpen = false, children }: ItemProps) {
  return (
    <DropdownMenu.Item
      onSelect={(event) => {
        if (staysOpen) event.preventDefault();
        onSelect();
      }}
      className="data-highlighted:bg-sunken flex h-8 items-center justify-between gap-4 rounded-md px-2 outline-none"
    >
      <span className="flex min-w-0 items-center gap-2 truncate">{children}</span>
      {checked === true && <Check aria-label="current" className="text-accent size-4 shrink-0" />}
    </DropdownMenu.Item>
  );
}

export function MenuTitle({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="text-muted px-2 pt-1.5 pb-1 text-xs">{children}</DropdownMenu.Label>;
}

export function MenuLine() {
  return <DropdownMenu.Separator className="bg-line my-1.5 h-px" />;
}
