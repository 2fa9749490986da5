"use client";

import { createContext, type ReactNode, useContext } from "react";

/** True in a project where the page's person may only read. */
export const ReadsOnly = createContext(false);

export function useReadsOnly(): boolean {
  return useContext(ReadsOnly);
}

/** Controls whose requests would be refused to people who only read. */
export function Writes({ children }: { children: ReactNode }) {
  return useReadsOnly() ? null : children;
}
