import { useSyncExternalStore } from "react";

const STORED = "leeway.theme";
export type Theme = "system" | "light" | "dark";
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

/** The theme that the person chose; the system's until then. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, chosenTheme);
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORED, theme);
  applyTheme();
  for (const listener of listeners) listener();
}

/** Makes the page show the theme, and follow the system's where that was chosen. */
export function followTheme(): void {
  applyTheme();
  prefersDark.addEventListener("change", applyTheme);
}

function applyTheme(): void {
  const theme = chosenTheme();
  const dark = theme === "dark" || (theme === "system" && prefersDark.matches);
  document.documentElement.dataset["theme"] = dark ? "dark" : "light";
}

function chosenTheme(): Theme {
  const stored = localStorage.getItem(STORED);
  return stored === "light" || stored === "dark" ? stored : "system";
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
