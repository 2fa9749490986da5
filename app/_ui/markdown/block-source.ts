import { createContext } from "react";

/** The Markdown of a block, to which the positions of its elements refer. */
export const BlockSource = createContext("");
