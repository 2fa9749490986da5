"use client";

import { usePathname, type useRouter } from "next/navigation";
import { pageSpace, spaceIn } from "./page-space";
import { leaveDocument } from "./use-back-closes";

export function useSpace(): string | null {
  return spaceIn(usePathname());
}

/** Opens the address, in a document of its own if it is in another space. */
export function openAddress(address: string, router: Pick<ReturnType<typeof useRouter>, "push">) {
  if (spaceIn(address) === pageSpace) router.push(address);
  else leaveDocument(address);
}
