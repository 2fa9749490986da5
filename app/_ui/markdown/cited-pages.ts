"use client";

import { type ComponentType, createContext, type ReactNode } from "react";

export interface CitedPageProps {
  /** The file's hash, or its beginning. */
  readonly id: string;
  readonly page: number;
  readonly text: string;
  readonly children?: ReactNode;
}

/** Shows links to pages of files; without one they are text. */
export const CitedPages = createContext<ComponentType<CitedPageProps> | null>(null);
