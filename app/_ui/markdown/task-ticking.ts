"use client";

import { createContext } from "react";

/** Toggles a task checkbox; `null` where the text is read-only. */
export const TaskTicking = createContext<((box: HTMLInputElement) => void) | null>(null);
