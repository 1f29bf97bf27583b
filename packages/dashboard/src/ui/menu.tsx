import { cloneElement, lazy, Suspense, useState, type ReactElement, type ReactNode } from "react";

const load = () => import("./open-menu.tsx");
const OpenMenu = lazy(async () => ({ default: (await load()).OpenMenu }));
const OpenItem = lazy(async () => ({ default: (await load()).OpenItem }));

export interface MenuProps {
  /** Button that opens it. */
  trigger: ReactElement<Record<string, unknown>>;
  children: ReactNode;
  align?: "start" | "end";
  side?: "top" | "bottom";
}

/** Shows a button's menu. Its library is loaded when it is opened for the first time, because it is a fifth of all scripts. */
export function Menu(props: MenuProps) {
  const [isWanted, setWanted] = useState(false);
  const { trigger } = props;
  const closed = cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onClick: () => setWanted(true),
    onPointerEnter: () => void load(),
    onFocus: () => void load(),
  });
  if (!isWanted) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenMenu {...props} />
    </Suspense>
  );
}

export interface ItemProps {
  onSelect: () => void;
  /** Whether it is the current choice; absent for an action. */
  checked?: boolean;
  /** Whether the menu stays open, for a choice of several. */
  staysOpen?: boolean;
  children: ReactNode;
}

export function MenuItem(props: ItemProps) {
  return <OpenItem {...props} />;
}

export function MenuTitle({ children }: { children: ReactNode }) {
  return <div className="text-muted px-2 pt-1.5 pb-1 text-xs">{children}</div>;
}

export function MenuLine() {
  return <div role="separator" className="bg-line my-1.5 h-px" />;
}
