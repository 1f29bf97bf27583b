import { useSyncExternalStore } from "react";

import { storageOf } from "../session/storage.ts";

const STORED = "leeway.theme";
export type Theme = "system" | "light" | "dark";
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();
let chosen = storedTheme();

/** The theme that the person chose; the system's until then. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => chosen);
}

export function chooseTheme(theme: Theme): void {
  storageOf("localStorage")?.setItem(STORED, theme);
  chosen = theme;
  applyTheme();
  for (const listener of listeners) listener();
}

/** Makes the page show the theme, and follow the system's where that was chosen. */
export function followTheme(): void {
  applyTheme();
  prefersDark.addEventListener("change", applyTheme);
}

function applyTheme(): void {
  const dark = chosen === "dark" || (chosen === "system" && prefersDark.matches);
  document.documentElement.dataset["theme"] = dark ? "dark" : "light";
}

function storedTheme(): Theme {
  const stored = storageOf("localStorage")?.getItem(STORED);
  return stored === "light" || stored === "dark" ? stored : "system";
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
