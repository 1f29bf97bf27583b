import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { queries } from "./api/queries.ts";
import { router } from "./router.tsx";
import { tokenOfLink } from "./session/link.ts";
import { followLink, followTabs, takeUpSession } from "./session/server-session.ts";
import { loadFont } from "./shell/font.ts";
import { followTheme } from "./shell/theme.ts";
import { Toasts } from "./ui/toast.tsx";

loadFont();
followTheme();
const linked = tokenOfLink(location);
if (linked !== undefined) {
  // Keeps the router's state, which identifies this history entry.
  history.replaceState(history.state, "", location.pathname + location.search);
  await followLink(linked);
}
// Opening the same link in a tab that shows this page doesn't load it again.
addEventListener("hashchange", () => {
  if (tokenOfLink(location) !== undefined) location.reload();
});
await takeUpSession();
followTabs();
const element = document.querySelector("#app");
if (element) {
  createRoot(element).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </StrictMode>,
  );
}
