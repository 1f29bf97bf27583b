import { CircleQuestionMark } from "lucide-react";

import { version } from "../../package.json";
import { IconButton } from "../ui/button.tsx";
import { Menu, MenuItem, MenuTitle } from "../ui/menu.tsx";

/** Leads to the API's description and the command line that this server has, and shows its version. */
export function HelpMenu() {
  return (
    <Menu
      side="top"
      align="end"
      trigger={
        <IconButton label="Help">
          <CircleQuestionMark aria-hidden="true" className="size-4" />
        </IconButton>
      }
    >
      <MenuTitle>Leeway {version}</MenuTitle>
      <MenuItem onSelect={() => open("/docs", "_blank", "noreferrer")}>API reference</MenuItem>
      <MenuItem onSelect={() => open("/api/v2/openapi.json", "_blank", "noreferrer")}>
        OpenAPI document
      </MenuItem>
      <MenuItem onSelect={() => location.assign("/cli/leeway.cjs")}>Download the command line</MenuItem>
    </Menu>
  );
}
