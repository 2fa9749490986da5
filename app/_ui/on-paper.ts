import { createContext, useContext } from "react";

/** True inside a printed page, which has no controls and renders everything, whatever is in view. */
export const OnPaper = createContext(false);

export function useOnPaper(): boolean {
  return useContext(OnPaper);
}
