import { useQueryClient } from "@tanstack/react-query";
import { LogOut, Monitor, Moon, Sun, UserRound } from "lucide-react";

import { signOut } from "../session/server-session.ts";
import { useSession } from "../api/session.ts";
import { Menu, MenuItem, MenuLine, MenuTitle } from "../ui/menu.tsx";
import { chooseTheme, useTheme } from "./theme.ts";

const THEMES = [
  ["system", "System", Monitor],
  ["light", "Light", Sun],
  ["dark", "Dark", Moon],
] as const;

/** Shows who is signed in, the theme, and the sign-out. */
export function AccountMenu() {
  const session = useSession();
  const theme = useTheme();
  const queries = useQueryClient();
  const name = session?.by === "person" ? session.name : "API key";
  return (
    <Menu
      side="top"
      trigger={
        <button
          type="button"
          aria-label={`${name}: theme and sign out`}
          className="hover:bg-sunken text-muted hover:text-ink flex h-9 w-full items-center gap-2.5 rounded-lg px-2.5 text-left font-medium"
        >
          <UserRound aria-hidden="true" className="size-4 shrink-0" />
          <span className="min-w-0 truncate">{name}</span>
        </button>
      }
    >
      <MenuTitle>Theme</MenuTitle>
      {THEMES.map(([value, text, Icon]) => (
        <MenuItem key={value} checked={theme === value} onSelect={() => chooseTheme(value)}>
          <Icon aria-hidden="true" className="size-4" /> {text}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem
        onSelect={() => {
          void signOut().then((isOut) => isOut && queries.clear());
        }}
      >
        <LogOut aria-hidden="true" className="size-4" /> Sign out
      </MenuItem>
    </Menu>
  );
}
