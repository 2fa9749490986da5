"use client";

import { createContext } from "react";

/** Ticks a box of a task list, or takes the tick away; `null` where the text is only read. */
export const TaskTicking = createContext<((box: HTMLInputElement) => void) | null>(null);
