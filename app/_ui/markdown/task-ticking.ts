"use client";

import { createContext } from "react";

export const TaskTicking = createContext<((box: HTMLInputElement) => void) | null>(null);
