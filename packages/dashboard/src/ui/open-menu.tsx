import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";

import type { ItemProps, MenuProps } from "./menu.tsx";

/**
 * A menu, which opens at once. It isn't modal, because a modal one needs inline styles, which the content security
 * policy forbids.
 */
export function OpenMenu({ trigger, children, align = "start", side = "bottom" }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
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

export function OpenItem({ onSelect, checked, staysOpen = false, children }: ItemProps) {
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
