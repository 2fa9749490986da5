"use client";

import { usePathname } from "next/navigation";
import { spaceIn } from "./page-space";

/** The project of the page, or `null`, while it is rendered, on the server, too. */
export function useSpace(): string | null {
  return spaceIn(usePathname());
}
